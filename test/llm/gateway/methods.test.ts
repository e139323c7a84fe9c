import { zodTextFormat } from 'openai/helpers/zod'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, json } from '../fakes/upstream.js'
import { CLAUDE, GPT, HELLO, modelSuite, type Setting } from './setting.js'

// Every method that the two libraries have for what the hub serves, at a provider of that interface.
let setting: Setting
let libraries: ReturnType<Setting['libraries']>
const test = modelSuite('the methods of the libraries of OpenAI and Anthropic', async (made) => {
  setting = made
  libraries = setting.libraries(await setting.person())
})

const chat = { model: GPT, messages: HELLO }
const message = { model: CLAUDE, messages: HELLO, max_tokens: 100 }
const usage = { input_tokens: 21, output_tokens: 4, total_tokens: 25 }
const city = z.object({ city: z.string() })
const lookUp = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    parse: (text: string) => city.parse(JSON.parse(text)),
    function: (asked: z.infer<typeof city>) => `Rain in ${asked.city}`
  }
}
const said = (text: string) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text, annotations: [] }]
})
const response = (text: string) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [said(text)],
  usage
})

test('models.list and models.retrieve of both, and 404 for a model that is not there', async () => {
  const { openai: one, anthropic: other } = libraries
  const ids: string[] = []
  for await (const { id } of one.models.list()) ids.push(id)
  assert.ok(ids.includes(GPT) && ids.includes(CLAUDE))
  assert.is((await one.models.retrieve(GPT)).object, 'model')
  const told: string[] = []
  for await (const { id } of other.models.list()) told.push(id)
  assert.equal(told, ids)
  assert.is((await other.models.retrieve(CLAUDE)).type, 'model')
  const statusOf = (error: unknown) => z.object({ status: z.number() }).parse(error).status
  assert.is(await one.models.retrieve('none').then(() => 200, statusOf), 404)
  assert.is(await other.models.retrieve('none').then(() => 200, statusOf), 404)
})

test('chat.completions: create, stream, parse and runTools', async () => {
  const { completions } = libraries.openai.chat
  setting.openai.answer(openai.completion({ text: 'Good day' }))
  assert.is((await completions.create(chat)).choices[0]?.message.content, 'Good day')
  setting.openai.answer(openai.completion({ text: '{"city":"Berlin"}' }))
  const format = { type: 'json_schema' as const, json_schema: { name: 'city', schema: z.toJSONSchema(city) } }
  assert.is(
    (await completions.parse({ ...chat, response_format: format })).choices[0]?.message.content,
    '{"city":"Berlin"}'
  )
  setting.openai.answer(eventStream(openai.chunks({ text: 'Good day' })))
  assert.is(await completions.stream(chat).finalContent(), 'Good day')
  const calls = [{ id: 'call_1', name: 'weather', arguments: '{"city":"Berlin"}' }]
  setting.openai.answer((res, request) => {
    const isAnswered = JSON.stringify(request.body).includes('Rain in Berlin')
    return openai.completion(isAnswered ? { text: 'Take an umbrella' } : { calls })(res, request)
  })
  assert.is(await completions.runTools({ ...chat, tools: [lookUp] }).finalContent(), 'Take an umbrella')
})

/** Asserts what was recorded of the last call. */
async function assertCounted(interfaceName: string, prompt: number, completion: number): Promise<void> {
  const step = await setting.newest()
  assert.equal([step?.interface, step?.promptTokens, step?.completionTokens], [interfaceName, prompt, completion])
}

test('responses: create, stream and parse, which are counted', async () => {
  const { responses } = libraries.openai
  const asked = { model: GPT, input: 'Hello' }
  setting.openai.answer(json(200, response('Good day')))
  assert.is((await responses.create(asked)).output_text, 'Good day')
  assert.is(setting.openai.requests[0]?.path, '/responses')
  await assertCounted('responses', 21, 4)
  setting.openai.answer(json(200, response('{"city":"Berlin"}')))
  const parsed = await responses.parse({ ...asked, text: { format: zodTextFormat(city, 'city') } })
  assert.equal(parsed.output_parsed, { city: 'Berlin' })
  const events = [
    { type: 'response.created', response: { ...response(''), output: [] } },
    { type: 'response.completed', response: response('Good day') }
  ]
  setting.openai.answer(eventStream(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)))
  assert.is((await responses.stream(asked).finalResponse()).output_text, 'Good day')
  await assertCounted('responses', 21, 4)
})

test('embeddings.create, as numbers and packed', async () => {
  const asked = { model: GPT, input: ['Hello'] }
  const packed = Buffer.from(new Float32Array([0.5, 0.25]).buffer).toString('base64')
  const answer = (embedding: unknown) =>
    json(200, {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding }],
      usage: { prompt_tokens: 8, total_tokens: 8 }
    })
  setting.openai.answer(answer([0.5, 0.25]))
  assert.equal(
    (await libraries.openai.embeddings.create({ ...asked, encoding_format: 'float' })).data[0]?.embedding,
    [0.5, 0.25]
  )
  setting.openai.answer(answer(packed))
  assert.equal((await libraries.openai.embeddings.create(asked)).data[0]?.embedding, [0.5, 0.25])
  await assertCounted('embeddings', 8, 0)
})

test('embeddings of as many texts as OpenAI takes in a call are passed on and counted, as numbers and packed', async () => {
  const input = Array.from({ length: 2048 }, (_, at) => `Text ${at}`)
  // As OpenAI writes numbers: each in a line of its own.
  const numbers = `[\n${'        -0.0069292834,\n'.repeat(1535)}        0.5\n      ]`
  const packed = JSON.stringify(Buffer.from(new Float32Array(1536).fill(0.5).buffer).toString('base64'))
  const counts = { prompt_tokens: 8192, total_tokens: 8192 }
  for (const [vector, format] of [
    [numbers, { encoding_format: 'float' as const }],
    [packed, {}]
  ] as const) {
    setting.openai.answer((response) => {
      const entries = input.map((_, index) => `{ "object": "embedding", "index": ${index}, "embedding": ${vector} }`)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{ "object": "list", "data": [${entries.join(',\n')}], "usage": ${JSON.stringify(counts)} }`)
    })
    const { data, usage } = await libraries.openai.embeddings.create({ model: GPT, input, ...format })
    assert.equal([data.length, data.at(-1)?.embedding.length, data.at(-1)?.embedding.at(-1)], [2048, 1536, 0.5])
    assert.equal({ ...usage }, counts)
    await assertCounted('embeddings', 8192, 0)
  }
})

test('a plain answer with what was likely for each of thousands of tokens is passed on and counted', async () => {
  const likely = (token: string) => ({ token, logprob: -0.25, bytes: [...Buffer.from(token)] })
  const top_logprobs = Array.from({ length: 20 }, (_, at) => likely(` word ${at}`))
  const content = Array.from({ length: 4000 }, () => ({ ...likely(' word'), top_logprobs }))
  const message = { role: 'assistant', content: ' word'.repeat(4000) }
  const choices = [{ index: 0, finish_reason: 'stop', message, logprobs: { content } }]
  setting.openai.answer(json(200, { choices, usage: openai.counted([9, 4000]) }))
  const { completions } = libraries.openai.chat
  const told = await completions.create({ ...chat, logprobs: true, top_logprobs: 20 })
  assert.is(told.choices[0]?.logprobs?.content?.length, 4000)
  await assertCounted('chat.completions', 9, 4000)
  // Of a large one that nobody has counted too.
  setting.openai.answer(json(200, { choices }))
  await completions.create({ ...chat, logprobs: true, max_completion_tokens: 5000 })
  const { completionTokens, estimated } = (await setting.newest()) ?? {}
  assert.equal([completionTokens, estimated], [5000, true])
})

test('messages: create, stream, parse and countTokens, and the same of beta', async () => {
  const { anthropic: client } = libraries
  const { messages, beta } = client
  const whole = { ...message, stream: false } as const
  for (const method of [
    () => messages.create(whole),
    () => messages.parse(message),
    () => beta.messages.create(whole),
    () => beta.messages.parse(message)
  ]) {
    setting.claude.answer(anthropic.message({ text: 'Good day' }))
    assert.is((await method()).content[0]?.type, 'text')
  }
  for (const method of [() => messages.stream(message).finalText(), () => beta.messages.stream(message).finalText()]) {
    setting.claude.answer(eventStream(anthropic.events({ text: 'Good day' })))
    assert.is(await method(), 'Good day')
  }
  setting.claude.answer(json(200, { input_tokens: 14 }))
  const counted = { model: CLAUDE, messages: HELLO }
  const before = (await setting.recorded()).length
  assert.is((await messages.countTokens(counted)).input_tokens, 14)
  assert.is((await beta.messages.countTokens(counted)).input_tokens, 14)
  assert.match(String(setting.claude.requests[0]?.path), /^\/v1\/messages\/count_tokens/)
  const elsewhere = messages.countTokens({ ...counted, model: GPT })
  assert.is(await elsewhere.catch((error: { readonly status?: number }) => error.status), 400)
  assert.is((await setting.recorded()).length, before, 'to count uses nothing')
  setting.claude.answer(anthropic.message({ text: 'Good day' }))
  await client.beta.messages.create({ ...message, betas: ['context-1m-2025-08-07'] })
  assert.is(setting.claude.requests.at(-1)?.headers['anthropic-beta'], 'context-1m-2025-08-07')
})

test.run()

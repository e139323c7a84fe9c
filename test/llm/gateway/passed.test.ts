import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { APIError as AnthropicError } from '@anthropic-ai/sdk'
import { APIError as OpenAiError } from 'openai'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { afterwards } from '../../support/afterwards.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, hang, json, raw, reset } from '../fakes/upstream.js'
import { KEYS } from '../support.js'
import { aHubWithModels, CLAUDE, GPT, HELLO, modelSuite, type Setting } from './setting.js'

let setting: Setting
let token: string
const test = modelSuite('programs that ask models in the interface of their provider', async (made) => {
  setting = made
  token = await setting.person()
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(setting.hub.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body)
  })

test('the library of OpenAI asks, with fields that the hub does not know, and what was used is counted', async () => {
  setting.openai.answer(openai.completion({ text: 'Good day', usage: [12, 3] }))
  const { openai: client } = setting.libraries(token)
  const params = { model: GPT, messages: HELLO, temperature: 0.25, an_unknown_field: { deep: [1, null] } }
  const reply = await client.chat.completions.create(params)
  assert.is(reply.choices[0]?.message.content, 'Good day')
  const [asked] = setting.openai.requests
  assert.is(asked?.headers.authorization, `Bearer ${KEYS.openai}`)
  assert.equal([asked?.path, asked?.body], ['/chat/completions', params])
  const recorded = await setting.newest()
  assert.equal([recorded?.promptTokens, recorded?.completionTokens, recorded?.estimated], [12, 3, false])
  assert.equal([recorded?.interface, recorded?.outcome], ['chat.completions', 'completed'])
  assert.match(String(recorded?.tool), /^OpenAI\/JS/)
})

test('the library of Anthropic asks, by its own header, with its betas', async () => {
  setting.claude.answer(anthropic.message({ text: 'Good day', usage: [9, 4] }))
  const { anthropic: client } = setting.libraries(token)
  const headers = { 'anthropic-beta': 'some-beta-2026-01-01' }
  const params = { model: CLAUDE, max_tokens: 100, messages: HELLO, an_unknown_field: true }
  const reply = await client.messages.create(params, { headers })
  assert.equal(reply.content[0]?.type === 'text' && reply.content[0].text, 'Good day')
  const [asked] = setting.claude.requests
  assert.equal([asked?.path, asked?.body], ['/v1/messages', params])
  assert.equal([asked?.headers['x-api-key'], asked?.headers.authorization], [KEYS.claude, undefined])
  assert.is(asked?.headers['anthropic-beta'], 'some-beta-2026-01-01')
  assert.match(String(asked?.headers['anthropic-version']), /^\d{4}-\d\d-\d\d$/)
  const recorded = await setting.newest()
  assert.equal([recorded?.promptTokens, recorded?.completionTokens, recorded?.interface], [9, 4, 'messages'])
})

test('a stream has the id of its request, by which the log finds it, as every other answer', async () => {
  setting.openai.answer(eventStream(openai.chunks({ text: 'Good day', usage: [5, 9] })))
  const chat = { model: GPT, messages: HELLO }
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  for (const [what, opened] of [
    ['a call', () => post('/v1/chat/completions', { ...chat, stream: true })],
    ['a step', () => post('/llm/chat/stream', { ...chat, turnId: 't', stepIndex: 0 })],
    ['changes', () => fetch(`${setting.hub.url}/changes`, { headers })]
  ] as const) {
    const reply = await opened()
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/, what)
    assert.match(reply.headers.get('x-request-id') ?? 'none', /^[0-9a-f-]{36}$/, what)
    await reply.body?.cancel()
  }
})

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

test('streams go through byte by byte, however they come in', async () => {
  const pieces = openai.chunks({ text: 'A longer answer — with “signs” of all kinds 🙂', usage: [5, 9] })
  const events = anthropic.events({ text: 'A longer answer 🙂', thought: 'Hm.', usage: [6, 8] })
  for (const bytes of [1, 7, 4096]) {
    setting.openai.answer(eventStream(pieces, { bytes }))
    const chat = { model: GPT, messages: HELLO, stream: true, stream_options: { include_usage: true } }
    const one = Buffer.from(await (await post('/v1/chat/completions', chat)).arrayBuffer())
    assert.is(digest(one), digest(pieces.join('')))
    setting.claude.answer(eventStream(events, { bytes }))
    const message = { model: CLAUDE, max_tokens: 50, messages: HELLO, stream: true }
    const other = Buffer.from(await (await post('/v1/messages', message)).arrayBuffer())
    assert.is(digest(other), digest(events.join('')))
  }
  const [first, second] = (await setting.recorded()).slice(-2)
  assert.equal([first?.promptTokens, first?.completionTokens, first?.estimated], [5, 9, false])
  assert.equal([second?.promptTokens, second?.completionTokens, second?.estimated], [6, 8, false])
})

for (const [what, lineBreak] of [
  ['line feeds', '\n'],
  ['returns and line feeds', '\r\n'],
  ['returns', '\r']
] as const)
  test(`what a stream with ${what} uses is counted for who has not asked, who is told nothing of it`, async () => {
    const pieces = openai.chunks({ text: 'Hi', usage: [5, 9] }).map((piece) => piece.replaceAll('\n', lineBreak))
    setting.openai.answer(eventStream(pieces, { bytes: 7 }))
    const text = await (await post('/v1/chat/completions', { model: GPT, messages: HELLO, stream: true })).text()
    assert.equal(setting.openai.requests[0]?.body.stream_options, { include_usage: true })
    const left = pieces.filter((piece) => !/"choices":\[\]/.test(piece))
    assert.is(left.length, pieces.length - 1)
    assert.is(text, left.join(''))
    const { completionTokens, estimated } = (await setting.newest()) ?? {}
    assert.equal([completionTokens, estimated], [9, false])
  })

// As servers answer that count nothing, or in a way of their own.
for (const usage of [
  {},
  { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  { prompt_tokens: '12', completion_tokens: '3', total_tokens: '15' },
  { prompt_tokens: -12, completion_tokens: -3, total_tokens: -15 },
  { prompt_tokens: 1e308, completion_tokens: 1e308, total_tokens: 1e308 }
])
  test(`an answer that says ${JSON.stringify(usage)} has not counted its tokens, and is reckoned`, async () => {
    const chunks = openai.chunks({ text: 'Good day', usage: [5, 9] })
    const streamed = chunks.map((piece) => piece.replace(/"usage":\{[^}]*\}/, `"usage":${JSON.stringify(usage)}`))
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Good day' } }]
    for (const [respond, stream] of [
      [json(200, { choices, usage }), false],
      [eventStream(streamed), true]
    ] as const) {
      setting.openai.answer(respond)
      await (await post('/v1/chat/completions', { model: GPT, messages: HELLO, stream })).text()
      const { promptTokens = 0, completionTokens = 0, estimated } = (await setting.newest()) ?? {}
      assert.ok(promptTokens > 0 && completionTokens > 0, `${promptTokens} and ${completionTokens}`)
      assert.is(estimated, true)
    }
  })

test('use is told by token and by program', async () => {
  setting.openai.answer(openai.completion({ text: 'x', usage: [1000, 1] }))
  const own = await setting.person()
  await setting.libraries(own).openai.chat.completions.create({ model: GPT, messages: HELLO })
  const told = async (by: string) => {
    const sent = { method: 'GET', path: `/admin/llm/usage?by=${by}`, token: setting.hub.admin.token }
    const { usage } = z
      .object({ usage: z.array(z.looseObject({ key: z.string(), promptTokens: z.number() })) })
      .parse((await setting.hub.send(sent)).body)
    return usage
  }
  assert.ok(
    (await told('token')).some(({ promptTokens, name }) => promptTokens === 1000 && String(name).startsWith('Person'))
  )
  assert.ok((await told('tool')).some(({ key, promptTokens }) => key.startsWith('OpenAI/JS') && promptTokens >= 1000))
})

test('what the hub refuses, both libraries read as theirs', async () => {
  const { openai: one, anthropic: other } = setting.libraries(await setting.person({ llmModels: [GPT] }))
  const chat = await one.chat.completions.create({ model: CLAUDE, messages: HELLO }).catch((error: unknown) => error)
  assert.ok(chat instanceof OpenAiError)
  assert.equal([chat.status, chat.type], [403, 'permission_error'])
  assert.match(chat.message, /not allowed to use this model/)
  const refused = other.messages.create({ model: CLAUDE, max_tokens: 5, messages: HELLO })
  const message = await refused.catch((error: unknown) => error)
  assert.ok(message instanceof AnthropicError)
  assert.equal([message.status, message.type], [403, 'permission_error'])
  const nobody = setting.libraries('hbk_nobody')
  for (const call of [
    () => nobody.openai.chat.completions.create({ model: GPT, messages: HELLO }),
    () => nobody.anthropic.messages.create({ model: CLAUDE, max_tokens: 5, messages: HELLO })
  ])
    assert.is(await call().catch((error: { status?: number }) => error.status), 401)
})

test('what a provider refuses of a call its sender reads in its own words, and nothing of the key', async () => {
  const wrong = {
    error: { message: 'temperature must be at most 2', type: 'invalid_request_error', param: 'temperature' }
  }
  setting.openai.answer(json(400, wrong))
  const reply = await post('/v1/chat/completions', { model: GPT, messages: HELLO, temperature: 9 })
  assert.equal([reply.status, await reply.json()], [400, wrong])
  const error = z.object({ error: z.object({ message: z.string() }) })
  for (const [respond, status, says] of [
    [json(400, { error: { message: `Bad key ${KEYS.openai}` } }), 502, /rejected the request/],
    [
      json(401, { error: { message: `Incorrect API key provided: ${KEYS.openai}` } }),
      502,
      /rejected the hub's API key/
    ],
    [json(429, { error: { message: 'slow down' } }, { 'retry-after': '30' }), 503, /is limiting the hub's requests/],
    [json(500, { error: { message: 'oops' } }), 503, /has trouble answering/],
    [raw(200, 'no JSON', { 'content-type': 'application/json' }), 502, /is not a JSON object/],
    [raw(200, `{"said":"${KEYS.openai}"}`, { 'content-type': 'application/json' }), 502, /is not a JSON object/],
    [raw(302, '', { location: 'https://evil.example/' }), 502, /answered with a redirect/],
    [reset, 502, /could not be reached|closed the connection/]
  ] as const) {
    setting.openai.answer(respond)
    for (const [path, asked] of [
      ['/v1/chat/completions', { messages: HELLO }],
      ['/v1/embeddings', { input: 'Hello' }]
    ] as const) {
      const refused = await post(path, { model: GPT, ...asked })
      const text = await refused.text()
      assert.is(refused.status, status, text)
      assert.match(error.parse(JSON.parse(text)).error.message, says)
      assert.not.match(text, KEYS.openai)
    }
  }
  assert.not.match(JSON.stringify(setting.hub.log), KEYS.openai)
})

test('a provider that does not answer in time is told of with 504', async () => {
  const impatient = await aHubWithModels(undefined, { timeoutSeconds: 1 })
  afterwards(() => impatient.close())
  impatient.openai.answer(hang)
  const caller = await impatient.person()
  for (const [path, asked] of [
    ['/v1/chat/completions', { messages: HELLO }],
    ['/v1/embeddings', { input: 'Hello' }]
  ] as const) {
    const { status, text } = await impatient.post(caller, path, { model: GPT, ...asked })
    assert.equal([status, /did not answer in time/.test(text)], [504, true])
  }
})

test('a stream that breaks off ends the connection, and what came is counted', async () => {
  setting.openai.answer(eventStream(openai.chunks({ text: 'Good day' }).slice(0, 2), { ending: 'reset' }))
  const reply = await post('/v1/chat/completions', { model: GPT, messages: HELLO, stream: true })
  assert.is(await reply.text().catch(() => 'broken off'), 'broken off')
  const recorded = await setting.newest()
  assert.equal([recorded?.outcome, recorded?.estimated], ['failed', true])
})

test('a stream of 40 MB, with an image of 2 MB in one event, is passed on to its end', async () => {
  const piece = (text: string) => openai.chunk([{ index: 0, delta: { content: text }, finish_reason: null }], null)
  const long = Array.from({ length: 76 }, () => piece('x'.repeat(500_000)))
  const image = piece('A'.repeat(2 * 1024 * 1024))
  setting.openai.answer(eventStream([...long, image, ...openai.chunks({ text: 'End', usage: [12, 3] })]))
  const reply = await post('/v1/chat/completions', { model: GPT, messages: HELLO, stream: true })
  assert.match((await reply.text()).slice(-1000), /"End"/)
  const { outcome, promptTokens, completionTokens } = (await setting.newest()) ?? {}
  assert.equal([outcome, promptTokens, completionTokens], ['completed', 12, 3])
})

test('vectors that end early, are no JSON or hold the key end the connection, and what was sent is counted', async () => {
  const many = '0.5,'.repeat(100_000)
  const [head, half] = ['{"object":"list","data":[', KEYS.openai.slice(0, 9)]
  for (const spoilt of [
    [`${head}${many}`],
    [`${head}${many}0]`, ']}'],
    // In pieces that come one by one.
    [`${head}${many}"${half}`, `${KEYS.openai.slice(9)}",${many}0]}`]
  ]) {
    setting.openai.answer(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      for (const piece of spoilt) {
        response.write(piece)
        await sleep(20)
      }
      response.end()
    })
    const reply = await post('/v1/embeddings', { model: GPT, input: 'Hello' })
    let told = ''
    const read = async () => {
      for await (const part of reply.body ?? []) told += Buffer.from(part).toString()
    }
    const isWhole = await read().then(
      () => true,
      () => false
    )
    assert.equal([isWhole, told.startsWith(head), told.includes(half)], [false, true, false])
    const { outcome, promptTokens, completionTokens, estimated } = (await setting.newest()) ?? {}
    assert.equal([outcome, Number(promptTokens) > 0, completionTokens, estimated], ['failed', true, 0, true])
  }
})

test('more than 500 images are refused before anybody is asked', async () => {
  setting.openai.answer(openai.completion({ text: 'x' }))
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const asked = (count: number) => {
    const messages = [{ role: 'user', content: Array.from({ length: count }, () => image) }]
    return post('/v1/chat/completions', { model: GPT, messages })
  }
  const refused = await asked(501)
  assert.is(refused.status, 400)
  assert.match(await refused.text(), /Send up to 500 images in a call/)
  assert.is(setting.openai.requests.length, 0)
  assert.is((await asked(500)).status, 200)
})

test('a model is asked in no interface that its provider does not have', async () => {
  assert.is((await post('/v1/embeddings', { model: CLAUDE, input: 'x' })).status, 400)
})

test('what the provider keeps of others is out of reach', async () => {
  for (const [path, body] of [
    ['/v1/responses', { model: GPT, input: 'x', previous_response_id: 'resp_1' }],
    ['/v1/responses', { model: GPT, input: 'x', background: true }],
    ['/v1/responses', { model: GPT, input: [{ type: 'input_file', file_id: 'file_1' }] }],
    ['/v1/messages', { model: CLAUDE, max_tokens: 5, messages: HELLO, container: 'c' }]
  ] as const) {
    const reply = await post(path, body)
    assert.is(reply.status, 400)
    assert.match(await reply.text(), /is not supported/)
  }
  // What a tool is called with may be named anything.
  setting.openai.answer(openai.completion({ text: 'x' }))
  const tools = [
    { type: 'function', function: { name: 'f', parameters: { properties: { file_id: { type: 'string' } } } } }
  ]
  assert.is((await post('/v1/chat/completions', { model: GPT, messages: HELLO, tools })).status, 200)
})

test.run()

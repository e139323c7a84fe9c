import OpenAI from 'openai'
import * as assert from 'uvu/assert'
import { KeyRing } from '../../../src/llm/gateway/keyRing.js'
import type { TestHub } from '../../http/support.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, hang, json, type Respond, reset, type Upstream } from '../fakes/upstream.js'
import { endpointSuite, HELLO, personOf, recordedBy } from './setting.js'

/** The section of the file, with these keys of the first endpoint. */
function configured(local: string, other: string, apiKeys = ['key-one', 'key-two']) {
  const settings = { timeoutSeconds: 3, maxRetries: 0 }
  const endpoints = [
    { id: 'local', name: 'Local models', interface: 'openai', baseUrl: local, apiKeys, ...settings },
    { id: 'other', name: 'The other', interface: 'anthropic', baseUrl: other, ...settings }
  ]
  const catalog = [
    { id: 'small', label: 'Small', provider: 'local', model: 'vendor/small:7b', fallbacks: ['large'] },
    { id: 'large', label: 'Large', provider: 'other', price: { input: 1, output: 2 } },
    { id: 'alone', label: 'Alone', provider: 'local' }
  ]
  return { endpoints, catalog }
}

let hub: TestHub
let [local, other]: readonly Upstream[] = []
let client: OpenAI
const NAME = 'endpoints of the configuration, their keys, and models that stand in for others'
const test = endpointSuite(NAME, configured, async (made) => {
  ;({ hub, local, other } = made)
  client = new OpenAI({ apiKey: await personOf(hub), baseURL: `${hub.url}/v1`, maxRetries: 0 })
})

const ask = (model: string) => client.chat.completions.create({ model, messages: HELLO })
/** A step of a desktop's chat. */
const chat = (path = '/llm/chat/step', more: object = {}) => {
  const body = { model: 'small', messages: HELLO, systemPrompt: '', tools: [], ...more }
  return hub.send({ method: 'POST', path, token: String(client.apiKey), body })
}
const newest = async () => (await recordedBy(hub)).at(-1)

test('a model is asked at its endpoint, by the name that it has there, by a desktop’s chat too', async () => {
  local?.answer(openai.completion({ text: 'Good day' }))
  assert.is((await ask('small')).choices[0]?.message.content, 'Good day')
  assert.is(local?.requests[0]?.body.model, 'vendor/small:7b')
  const { model, provider, attempts } = (await newest()) ?? {}
  assert.equal([model, provider, attempts], ['small', 'local', undefined])
  const reply = await chat()
  assert.is(reply.status, 200, reply.text)
  assert.is(local?.requests[1]?.body.model, 'vendor/small:7b')
})

test('desktops, which read no list that names any other provider, are told the one whose interface an endpoint speaks', async () => {
  const models = [
    { id: 'small', label: 'Small', provider: 'openai' },
    { id: 'large', label: 'Large', provider: 'claude' },
    { id: 'alone', label: 'Alone', provider: 'openai' }
  ]
  const listed = { models, capabilities: { openai: false } }
  for (const [path, token] of [
    ['/llm/models', String(client.apiKey)],
    ['/admin/llm/models', hub.admin.token]
  ] as const)
    assert.equal((await hub.send({ method: 'GET', path, token })).body, listed)
})

test('a key that is a word may stand in an answer', async () => {
  local?.answer(openai.completion({ text: 'key-one is a word, and so is key-two' }))
  assert.match((await ask('alone')).choices[0]?.message.content ?? '', /key-one is a word/)
})

test('one without keys is sent none', async () => {
  other?.answer(anthropic.message({ text: 'Good day' }))
  assert.is((await ask('large')).choices[0]?.message.content, 'Good day')
  assert.is((await chat('/llm/chat/step', { model: 'large' })).status, 200)
  for (const { headers } of other?.requests ?? [])
    assert.equal([headers['x-api-key'], headers.authorization], [undefined, undefined])
})

test('of one without keys a chat is told what it says, whatever words are in it', async () => {
  other?.answer(json(400, { error: { message: 'tool_choice must be none or auto' } }))
  const { status, text } = await chat('/llm/chat/step', { model: 'large' })
  assert.is(status, 502)
  assert.match(text, /The other rejected the request: tool_choice must be none or auto\./)
})

/** Sends headers, and nothing behind them. */
const silentBody: Respond = (response) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
const failures: readonly (readonly [what: string, respond: Respond])[] = [
  ['has too much to do', json(429, { error: { message: 'slow down' } }, { 'retry-after': '60' })],
  ['fails', json(503, { error: { message: 'down' } })],
  ['closes the connection', reset],
  ['does not begin to answer', hang],
  ['sends nothing behind its headers', silentBody]
]

for (const [what, respond] of failures) {
  test(`where a provider ${what}, the next model stands in, for programs and desktops, plain and streamed`, async () => {
    const provided = (answer: Respond) => {
      local?.answer(respond)
      other?.answer(answer)
    }
    const whole = anthropic.message({ text: 'Good day' })
    const pieces = eventStream(anthropic.events({ text: 'Good day' }))
    provided(whole)
    assert.is((await ask('small')).choices[0]?.message.content, 'Good day')
    const { model, provider, attempts = 0 } = (await newest()) ?? {}
    assert.equal([model, provider], ['large', 'other'])
    assert.ok(attempts >= 2 && attempts <= 3, String(attempts))
    provided(pieces)
    let said = ''
    const stream = await client.chat.completions.create({ model: 'small', messages: HELLO, stream: true })
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? ''
    assert.is(said, 'Good day')

    // A chat takes headers for the beginning of an answer.
    if (respond === silentBody) return
    provided(whole)
    const reply = await chat()
    assert.is(reply.status, 200, reply.text)
    assert.match(reply.text, /Good day/)
    assert.is(other?.requests[0]?.body.model, 'large')
    const ofChat = await newest()
    assert.equal([ofChat?.model, ofChat?.provider, ofChat?.attempts], ['large', 'other', 2])
    provided(pieces)
    assert.match((await chat('/llm/chat/stream', { turnId: 't', stepIndex: 0, stream: true })).text, /Good day/)
  })
}

test('who has no word for what is asked does not stand in: that is no fault of the call', async () => {
  local?.answer(json(503, { error: { message: 'down' } }))
  other?.answer(anthropic.message({ text: 'Good day' }))
  const refused = await client.chat.completions
    .create({ model: 'small', messages: HELLO, response_format: { type: 'json_object' } })
    .catch((error: unknown) => error)
  assert.match(String(refused), /^Error: 503 /)
  assert.is(other?.requests.length, 0)
})

test('one without a stand-in that sends nothing behind its headers has not answered in time', async () => {
  local?.answer(silentBody)
  for (const stream of [false, true]) {
    const refused = client.chat.completions.create({ model: 'alone', messages: HELLO, stream })
    assert.match(String(await refused.catch((error: unknown) => error)), /504 .* did not answer in time/)
  }
})

test('what is wrong with the call itself is asked of nobody else', async () => {
  local?.answer(json(400, { error: { message: 'temperature is too high' } }))
  other?.answer(anthropic.message({ text: 'Good day' }))
  const refused = await ask('small').catch((error: unknown) => error)
  assert.match(String(refused), /temperature is too high/)
  assert.is((await chat()).status, 502)
  assert.is(other?.requests.length, 0)
})

test('an answer that has begun is not begun anew elsewhere, for a desktop’s chat neither', async () => {
  local?.answer(eventStream(openai.chunks({ text: 'Good day' }).slice(0, 2), { ending: 'reset' }))
  other?.answer(eventStream(anthropic.events({ text: 'Good night' })))
  const { text } = await chat('/llm/chat/stream', { turnId: 't', stepIndex: 0, stream: true })
  assert.match(text, /turn\.error/)
  const stream = await client.chat.completions.create({ model: 'small', messages: HELLO, stream: true })
  const read = async () => {
    for await (const _ of stream);
  }
  assert.ok((await read().catch((error: unknown) => error)) instanceof Error)
  assert.is(other?.requests.length, 0)
})

test('keys take turns, and one that is refused is passed over', async () => {
  const seen: (string | undefined)[] = []
  local?.answer(async (response, request) => {
    seen.push(request.headers.authorization)
    const isRefused = request.headers.authorization === 'Bearer key-one'
    const respond = isRefused ? json(401, { error: { message: 'no' } }) : openai.completion({ text: 'x' })
    await respond(response, request)
  })
  const body = { model: 'alone', messages: HELLO, systemPrompt: '', tools: [] }
  const step = { method: 'POST', path: '/llm/chat/step', token: String(client.apiKey), body }
  for (let i = 0; i < 5; i++) {
    // Chats of a desktop take the same turns.
    if (i % 2 === 0) assert.is((await hub.send(step)).status, 200)
    else assert.is((await ask('alone')).choices[0]?.message.content, 'x')
  }
  assert.ok(seen.filter((one) => one === 'Bearer key-one').length <= 1, JSON.stringify(seen))
})

test('of keys that are passed over the one is taken that is so for the shortest time', () => {
  let now = 0
  const keys = ['a', 'b', 'c']
  const ring = new KeyRing(() => now)
  assert.equal(
    [1, 2, 3, 4].map(() => ring.next(keys)),
    ['a', 'b', 'c', 'a']
  )
  ring.failed('a', 429, 1000)
  ring.failed('b', 429, 500)
  ring.failed('c', 401, null)
  assert.is(ring.next(keys), 'b')
  now = 500
  assert.is(ring.next(keys), 'b')
  assert.is(ring.next([]), '')
})

test('a reload takes keys over for the next call, and a call that is under way goes on with the one that it has', async () => {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const chunks = openai.chunks({ text: 'Good day' })
  local?.answer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunks[0])
    await held
    response.end(chunks.slice(1).join(''))
  })
  const stream = await client.chat.completions.create({ model: 'alone', messages: HELLO, stream: true })
  hub.reconfigure({ llm: { providers: {}, ...configured(local?.url ?? '', other?.url ?? '', ['key-new']) } })
  const reload = { method: 'POST', path: '/admin/config/reload', token: hub.admin.token }
  assert.is((await hub.send(reload)).status, 200)
  goOn()
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  assert.is(text, 'Good day')
  local?.answer(openai.completion({ text: 'Good day' }))
  await ask('alone')
  await ask('alone')
  const keys = local?.requests.map(({ headers }) => headers.authorization)
  assert.equal(keys, ['Bearer key-new', 'Bearer key-new'])
})

test.run()

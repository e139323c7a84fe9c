import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { type Random, randomOf } from '../../faults/random.js'
import { until } from '../../http/support.js'
import { isFull } from '../../support/full.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import type { Respond } from '../fakes/upstream.js'
import { KEYS } from '../support.js'
import { CLAUDE, GPT, modelSuite, type Setting } from './setting.js'

const CALLS = isFull ? 20_000 : 600
const AT_ONCE = 16
const SEED = 20261126
const ANY_STATUS = [200, 200, 200, 201, 204, 301, 302, 400, 401, 402, 403, 404, 413, 422, 429, 500, 502, 503, 529]
const TYPES = [
  'application/json',
  'text/event-stream',
  'text/html',
  'image/png',
  'application/json; charset=utf-16',
  ''
]

let setting: Setting
const test = modelSuite(`calls of models by hostile programs, answered by hostile providers (seed ${SEED})`, (made) => {
  setting = made
})

/** What nobody expects of JSON. */
function anything(random: Random, key = '', depth = 0): unknown {
  const made = [
    () => null,
    () => random.below(2) === 0,
    () => random.pick([0, -1, 1e308, -0.5, 2 ** 53, random.below(1000)]),
    () =>
      random.pick(['', 'x', '\u0000', '🙂', 'a'.repeat(5000), key, 'data:image/png;base64,AA==', '__proto__', 'text']),
    () => Array.from({ length: random.below(4) }, () => anything(random, key, depth + 1)),
    () =>
      Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [name(random), anything(random, key, depth + 1)])
      )
  ]
  return random.pick(depth > 3 ? made.slice(0, 4) : made)()
}

const name = (random: Random) =>
  random.pick([
    ...[
      'model',
      'messages',
      'content',
      'role',
      'type',
      'text',
      'usage',
      'choices',
      'message',
      'delta',
      'tool_calls',
      'index',
      'id'
    ],
    ...[
      'function',
      'arguments',
      'input',
      'tools',
      'max_tokens',
      'n',
      'stream',
      'error',
      'prompt_tokens',
      'output_tokens',
      'source'
    ]
  ])

/** The same with something in it that is otherwise. */
function spoilt(random: Random, value: unknown, key = ''): unknown {
  if (random.below(4) === 0) return anything(random, key)
  if (Array.isArray(value)) return value.map((one) => (random.below(3) === 0 ? spoilt(random, one, key) : one))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    random.below(3) === 0 ? spoilt(random, one, key) : one
  ])
  return { ...Object.fromEntries(entries), ...(random.below(3) === 0 && { [name(random)]: anything(random, key) }) }
}

/** Bytes of an answer that are right, or cut, or spoilt. */
function bytesOf(random: Random, key: string): Buffer {
  const answer = { text: 'Good day', calls: [{ id: 'c1', name: 'f', arguments: '{"a":1}' }] }
  const streams = [openai.chunks(answer), anthropic.events(answer)]
  const events = random
    .pick(streams)
    .map((event) => (random.below(8) === 0 ? `data: ${JSON.stringify(anything(random, key))}\n\n` : event))
  const whole = random.pick([
    JSON.stringify(anything(random, key)),
    JSON.stringify({
      choices: [{ message: spoilt(random, { role: 'assistant', content: 'x' }, key) }],
      usage: anything(random, key)
    }),
    JSON.stringify({
      type: 'message',
      content: spoilt(random, [{ type: 'text', text: 'x' }], key),
      usage: anything(random, key)
    }),
    '['.repeat(random.below(3000)),
    `{"error":{"message":"no, not with ${key}"}}`,
    events.join(''),
    events.join('').replaceAll('\n', random.pick(['\r\n', '\r', '\n\n'])),
    `data: ${'x'.repeat(random.pick([10, 100_000, 1_200_000]))}`
  ])
  const bytes = Buffer.from(whole)
  const spoil = random.below(6)
  if (spoil === 0) return bytes.subarray(0, random.below(bytes.length + 1))
  if (spoil === 1) bytes[random.below(bytes.length || 1)] = random.below(256)
  return bytes
}

function answerOf(random: Random, key: string): Respond {
  const [status, type, body] = [random.pick(ANY_STATUS), random.pick(TYPES), bytesOf(random, key)]
  const isZipped = random.below(6) === 0
  const headers = {
    ...(type !== '' && { 'content-type': type }),
    ...(isZipped && { 'content-encoding': random.pick(['gzip', 'br', 'deflate']) }),
    ...(random.below(8) === 0 && { 'retry-after': random.pick(['0', '-1', 'soon', '1e9']) }),
    ...(random.below(8) === 0 && { location: `http://127.0.0.1:1/${key}` }),
    ...(random.below(8) === 0 && { 'x-large': 'x'.repeat(random.pick([100, 20_000])) }),
    ...(random.below(8) === 0 && { 'content-length': String(body.length + random.pick([-1, 1, 1000])) })
  }
  const isCut = random.below(8) === 0
  return (response) => {
    try {
      response.writeHead(status, headers)
    } catch {
      return void response.socket?.destroy()
    }
    response.write(isZipped && random.below(2) === 0 ? gzipSync(body) : body)
    if (isCut) response.socket?.resetAndDestroy()
    else response.end()
  }
}

const PATHS = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings', '/v1/messages/count_tokens']

function callOf(random: Random) {
  const model = random.pick([GPT, CLAUDE])
  const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
  const plain = { model, messages: [message], input: 'Hello', max_tokens: 50, stream: random.below(2) === 0 }
  const body = random.below(3) > 0 ? plain : { ...Object(spoilt(random, plain)), model }
  return { path: random.pick(PATHS), text: random.below(30) === 0 ? '{"model":' : JSON.stringify(body) }
}

test(
  `of ${CALLS} none is answered with another 5xx than 502, 503 and 504, no key is told, and nothing stays reserved`,
  async () => {
    const random = randomOf(SEED)
    const tokens = [await setting.person(), await setting.person({ llmMonthlyTokenLimit: 10_000_000 })]
    const statuses = new Map<number, number>()
    // Whoever asks next gets the next of them.
    setting.openai.answer((response, request) => answerOf(random, KEYS.openai)(response, request))
    setting.claude.answer((response, request) => answerOf(random, KEYS.claude)(response, request))
    let left = CALLS
    const ask = async () => {
      while (left-- > 0) {
        const { path, text } = callOf(random)
        const headers = { authorization: `Bearer ${random.pick(tokens)}`, 'content-type': 'application/json' }
        const reply = await fetch(setting.hub.url + path, { method: 'POST', headers, body: text })
        const said = await reply.text().catch(() => 'broken off')
        const { status } = reply
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        assert.ok(status < 500 || [502, 503, 504].includes(status), `${status} ${said} for ${path} ${text}`)
        for (const key of Object.values(KEYS)) {
          assert.not.ok(said.includes(key), `a key is told: ${said.slice(0, 500)}`)
          assert.not.ok(JSON.stringify([...reply.headers]).includes(key))
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, ask))
    assert.ok((statuses.get(200) ?? 0) > CALLS / 60, JSON.stringify([...statuses]))
    for (const key of Object.values(KEYS))
      assert.not.ok(JSON.stringify(setting.hub.log).includes(key), 'a key is logged')
    for (const token of tokens) await until(async () => ((await setting.held(token)) === 0 ? true : null))
  },
  { timeout_ms: 600_000 }
)

test.run()

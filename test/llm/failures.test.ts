import { inspect } from 'node:util'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { ProviderFailure } from '../../src/llm/provider.js'
import { NO_USAGE } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'
import * as anthropic from './fakes/anthropic.js'
import * as openai from './fakes/openai.js'
import { eventStream, hang, hangAfter, json, type Respond, raw, reset, startUpstream } from './fakes/upstream.js'
import { ask, type Fixture, fixturesOf, gather, KEYS, never, rejection, streamed } from './support.js'

const test = suite('providers that fail')

const LABELS = { openai: 'OpenAI', gemini: 'Gemini', claude: 'Anthropic' }
const HTML = '<!doctype html><html><body>Welcome to the router</body></html>'

const fixtures = fixturesOf(test)
const written: unknown[] = []
const original = { ...console }
test.before(() => {
  for (const method of ['log', 'info', 'debug', 'warn', 'error'] as const) {
    console[method] = (...args: readonly unknown[]) => void written.push(args)
  }
})
test.after(() => void Object.assign(console, original))
test.after.each(() => assert.equal(written.splice(0), []))

/** The failure of a call, streamed and not; both have to say the same. */
async function failuresOf(fixture: Fixture, answer: Respond, options = {}): Promise<readonly ProviderFailure[]> {
  const provider = fixture.with(options)
  fixture.upstream.answer(answer)
  const failures = [await failureOf(provider.complete(ask(), never)), await failureOf(gather(provider, ask(), never))]
  const asked = 'baseUrl' in options ? 0 : 2
  assert.is(fixture.upstream.requests.length, asked, 'the provider was asked, and its answer is what failed')
  failures.forEach(assertNoKey)
  return failures
}

async function failureOf(work: Promise<unknown>): Promise<ProviderFailure> {
  const error = await rejection(work)
  if (error instanceof ProviderFailure) return error
  throw error
}

/** Nothing of a key, however the error is printed. */
function assertNoKey(error: ProviderFailure): void {
  const logged: string[] = []
  pino({ base: null }, { write: (line: string) => void logged.push(line) }).error({ err: error }, 'failed')
  const everything = `${inspect(error, { depth: 20, showHidden: true })}${JSON.stringify(error)}${logged.join('')}`
  for (const key of Object.values(KEYS)) {
    for (let at = 0; at + 8 <= key.length; at += 1) assert.not(everything.includes(key.slice(at, at + 8)), everything)
  }
  assert.not(/bearer/i.test(everything), everything)
}

async function expectEverywhere(answer: (fixture: Fixture) => Respond, status: number, text: RegExp | string) {
  for (const fixture of fixtures) {
    for (const failure of await failuresOf(fixture, answer(fixture))) {
      const key = `llm.providers.${fixture.name}.apiKey`
      if (text instanceof RegExp) assert.match(failure.message, text, failure.message)
      else assert.is(failure.message, `${LABELS[fixture.name]} ${text.replace('KEY', key)}`)
      assert.is(failure.status, status, `${fixture.name}: ${failure.message}`)
    }
  }
}

const later = 'Try again in a moment.'
const statuses: readonly (readonly [number, number, string])[] = [
  [400, 502, 'rejected the request: The prompt is too long.'],
  [402, 503, 'has no credit left for the hub. An administrator has to check the account of KEY.'],
  [403, 502, 'denied the hub access: The prompt is too long. An administrator has to check the rights of KEY.'],
  [404, 502, 'does not know the model "a-model" at the configured address: The prompt is too long.'],
  [422, 502, 'rejected the request: The prompt is too long.'],
  [413, 502, 'found the conversation too large. Start a new one, or send less.'],
  [429, 503, `is limiting the hub's requests. ${later}`],
  [500, 503, `has trouble answering (status 500). ${later}`],
  [504, 504, 'did not answer in time. Try again, or with a shorter conversation.'],
  [529, 503, `has trouble answering (status 529). ${later}`]
]
test('each status becomes one of the hub with a text that helps', async () => {
  for (const [upstream, status, text] of statuses)
    await expectEverywhere(({ error }) => error(upstream, 'The prompt\nis too  long.'), status, text)
})

test('a rejected key is told as such, and the key is not', async () => {
  for (const fixture of fixtures) {
    for (const { status, message } of await failuresOf(fixture, hang, { apiKey: `${KEYS[fixture.name]}-but-wrong` })) {
      assert.is(status, 502)
      const key = `llm.providers.${fixture.name}.apiKey`
      assert.is(message, `${LABELS[fixture.name]} rejected the hub's API key. An administrator has to check ${key}.`)
    }
  }
})

test('missing credit that comes as a limit, and a redirect, are for the administrator', async () => {
  await expectEverywhere(() => openai.error(429, 'x', 'insufficient_quota'), 503, /has no credit left/)
  const redirect = raw(307, '', { location: 'http://127.0.0.1:1/' })
  await expectEverywhere(() => redirect, 502, /answered with a redirect\. .*baseUrl/)
})

test('what a provider says is left out where it holds the key or a header', async () => {
  for (const fixture of fixtures) {
    const key = KEYS[fixture.name]
    for (const told of [
      `You sent ${key}!`,
      `Key ${key.slice(0, 12)}***`,
      'Authorization: Bearer x',
      'x-api-key is bad'
    ]) {
      for (const { message } of await failuresOf(fixture, fixture.error(400, told))) {
        assert.is(message, `${LABELS[fixture.name]} rejected the request (status 400).`)
      }
    }
    for (const { message } of await failuresOf(fixture, fixture.error(400, 'long '.repeat(200)))) {
      assert.ok(message.length < 350)
    }
  }
})

test('an error that is a page or no JSON is told without its body', async () => {
  const type = { 'content-type': 'application/json' }
  const rejected = 'rejected the request (status 400).'
  await expectEverywhere(() => raw(400, HTML, { 'content-type': 'text/html' }), 502, rejected)
  await expectEverywhere(() => raw(400, '[]', type), 502, rejected)
  await expectEverywhere(() => raw(400, '['.repeat(1000), type), 502, rejected)
  await expectEverywhere(() => raw(500, '{"error":', type), 503, `has trouble answering (status 500). ${later}`)
})

test('a provider that cannot be reached is told with the reason of the system', async () => {
  const gone = await startUpstream()
  await gone.close()
  for (const fixture of fixtures) {
    for (const failure of await failuresOf(fixture, hang, { baseUrl: gone.url })) {
      assert.is(failure.message, `${LABELS[fixture.name]} could not be reached (ECONNREFUSED). ${later}`)
      assert.equal([failure.status, failure.usage], [502, NO_USAGE])
    }
  }
})

test('a reset connection is a failure, before the answer and within it', async () => {
  await expectEverywhere(() => reset, 502, /could not be reached \(\w+\)/)
  const cut: Respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"choices":')
    setTimeout(() => response.socket?.resetAndDestroy(), 20)
  }
  for (const fixture of fixtures) {
    fixture.upstream.answer(cut)
    const { message, usage } = await failureOf(fixture.provider.complete(ask(), never))
    assert.is(message, `${LABELS[fixture.name]} closed the connection before its answer was complete. ${later}`)
    assert.ok(usage.promptTokens > 0, 'it may bill what it was sent')
  }
})

test('a provider that hangs is given up in time, before the answer and within it', async () => {
  const inTime = 'did not answer in time. Try again, or with a shorter conversation.'
  await Promise.all(
    fixtures.map(async (fixture) => {
      const provider = fixture.with({ timeoutSeconds: 1 })
      const [begun = '', ...rest] = fixture.pieces({ text: 'Hello to everybody in town' })
      for (const [answer, call] of [
        [hang, () => provider.complete(ask(), never)],
        [hangAfter({ 'content-type': 'application/json' }, '{"choices":'), () => provider.complete(ask(), never)],
        [hang, () => gather(provider, ask(), never)],
        [eventStream([begun, rest[0] ?? ''], { ending: 'hang' }), () => gather(provider, ask(), never)],
        [streamed(fixture, { text: 'Hello' }, { ending: 'hang' }), () => gather(provider, ask(), never)]
      ] as const) {
        fixture.upstream.answer(answer)
        const error = await failureOf(call())
        assert.equal([error.status, error.message], [504, `${LABELS[fixture.name]} ${inTime}`])
        assert.is(error.usage.estimated, true)
        assert.is(fixture.upstream.requests.length, 1)
        await fixture.upstream.requests[0]?.abandoned
      }
    })
  )
})

test('an answer that is no answer is a failure: a page, broken JSON, nothing, something else', async () => {
  const type = { 'content-type': 'application/json' }
  const bodies: readonly Respond[] = [
    raw(200, HTML, { 'content-type': 'text/html' }),
    raw(200, '{"choices":[{', type),
    raw(200, '', type),
    raw(204, '', {}),
    json(200, {}),
    json(200, []),
    json(200, null),
    json(200, { choices: [], content: 'x' }),
    json(200, { choices: [{ message: { content: [1] } }], type: 'message', content: 7 })
  ]
  for (const body of bodies)
    await expectEverywhere(() => body, 502, /^\w+ sent (something that is not|an empty|an answer that is not)/)
})

test('empty choices are told as an empty answer', async () => {
  for (const { name, provider, upstream } of fixtures.filter(({ name }) => name !== 'claude')) {
    upstream.answer(json(200, { choices: [], usage: openai.counted([3, 0]) }))
    const whole = await failureOf(provider.complete(ask(), never))
    upstream.answer(eventStream([openai.chunk([], null), 'data: [DONE]\n\n']))
    const pieces = await failureOf(gather(provider, ask(), never))
    for (const { message } of [whole, pieces]) assert.is(message, `${LABELS[name]} sent an empty answer. Try again.`)
  }
})

test('a stream that ends or breaks too early is a failure, and what came is counted', async () => {
  for (const fixture of fixtures) {
    const events = fixture.pieces({ text: 'A long answer that does not come to its end.' })
    for (const ending of ['end', 'reset'] as const) {
      for (const kept of [1, 4]) {
        fixture.upstream.answer(eventStream(events.slice(0, kept), { ending }))
        const error = await failureOf(gather(fixture.provider, ask(), never))
        const text = ending === 'end' ? /ended its answer before it was complete/ : /closed the connection/
        assert.match(error.message, text)
        assert.is(error.status, 502)
        assert.equal([error.usage.estimated, error.usage.promptTokens > 0], [true, true])
      }
    }
  }
})

test('a stream that is cut within an event, or holds no JSON, is a failure', async () => {
  for (const fixture of fixtures) {
    const [first = '', second = ''] = fixture.pieces({ text: 'Hello to everybody' })
    for (const [broken, text] of [
      [second.slice(0, second.length / 2), /ended its answer before it was complete/],
      ['event: content_block_delta\ndata: {"a"\n\n', /sent an answer that is not valid JSON/],
      ['event: message_start\ndata: 7\n\n', /sent something that is not a (chat completion|message)/]
    ] as const) {
      fixture.upstream.answer(eventStream([first, broken]))
      const error = await failureOf(gather(fixture.provider, ask(), never))
      assert.match(error.message, text)
    }
  }
})

test('an error within a stream says what it is', async () => {
  const inStream = (type: string, message: string) =>
    [`event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`] as const
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ['overloaded_error', 503, /has trouble answering\. /],
    ['rate_limit_error', 503, /is limiting the hub's requests\. /],
    ['invalid_request_error', 502, /broke off its answer: Too much\.$/]
  ]
  for (const fixture of fixtures) {
    for (const [type, status, text] of cases) {
      const begun = fixture.pieces({ text: 'Hello to everybody in town' }).slice(0, 4)
      fixture.upstream.answer(eventStream([...begun, ...inStream(type, 'Too much.')]))
      const error = await failureOf(gather(fixture.provider, ask(), never))
      assert.match(error.message, text)
      assert.is(error.status, status)
      assert.is(error.usage.estimated, true)
    }
  }
})

test('what Anthropic has counted before a stream broke is not estimated again', async () => {
  const claude = fixtures.find(({ name }) => name === 'claude')
  if (!claude) throw new Error('There is no Anthropic.')
  const events = anthropic.events({ text: 'x'.repeat(400), usage: [12_345, 100] })
  claude.upstream.answer(eventStream(events.slice(0, -2)))
  assert.equal((await failureOf(gather(claude.provider, ask(), never))).usage, {
    promptTokens: 12_345,
    completionTokens: 100,
    totalTokens: 12_445,
    estimated: true
  })
})

test.run()

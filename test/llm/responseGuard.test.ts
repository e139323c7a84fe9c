import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { bodyGuard, eventGuard } from '../../src/llm/responseGuard.js'
import { suite } from '../support/suite.js'
import { chunk } from './fakes/openai.js'
import { eventStream, raw } from './fakes/upstream.js'
import { ask, type Fixture, fixturesOf, gather, never, rejection, streamed } from './support.js'

const test = suite('what providers send, before it is decoded')

const fixtures = fixturesOf(test)

class TooLarge extends Error {}
const isTooLarge = (error: unknown) => error instanceof TooLarge
const limits = { body_bytes: 100_000, stream_bytes: 100_000, event_bytes: 1000, tooLarge: () => new TooLarge() }
const EVENTS = { 'content-type': 'text/event-stream' }

/** What comes through the guard, piece by piece, when the bytes arrive in chunks of these sizes. */
function through(text: string, sizes: readonly number[], guard = eventGuard(limits)): readonly string[] {
  const bytes = Buffer.from(text)
  const pieces: Uint8Array[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const end = start + (sizes[turn % sizes.length] ?? 1)
    pieces.push(...guard.take(bytes.subarray(start, end)))
    start = end
  }
  return [...pieces, ...guard.rest()].map((piece) => Buffer.from(piece).toString())
}

test('however a stream arrives, whole events come out, all of them, with one kind of line break', () => {
  const line = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !/[\r\n[\]{},"]/.test(text))
  const event = fc.array(line, { minLength: 1, maxLength: 4 })
  const breaks = fc.constantFrom('\n', '\r\n', '\r')
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), breaks, fc.nat(3), sizes, (events, lineBreak, blank, chunks) => {
      const sent = events.map((lines) => lines.join(lineBreak) + lineBreak.repeat(2 + blank)).join('')
      const pieces = through(sent, chunks)
      for (const piece of pieces) assert.ok(piece.endsWith('\n\n'), JSON.stringify(piece))
      assert.is(pieces.join(''), events.map((lines) => `${lines.join('\n')}\n\n`).join(''))
    })
  )
})

test('pieces are small, and the end of a stream that breaks off is passed on', () => {
  const pieces = through(`${'data: 1\n\n'.repeat(5000)}data: 2`, [65_536])
  assert.ok(pieces.every(({ length }) => length <= 10_000))
  assert.is(pieces.at(-1), 'data: 2')
})

test('an event may have so many bytes, however many lines, and not one more', () => {
  assert.is(through(`${'x'.repeat(998)}\n\n`, [7]).join('').length, 1000)
  for (const text of [`${'x'.repeat(999)}\n\n`, ':x\n'.repeat(400), 'x\r'.repeat(501)]) {
    assert.throws(() => through(text, [7]), isTooLarge)
  }
})

test('a body has a bound, whether it is a stream or not', () => {
  for (const guard of [eventGuard(limits), bodyGuard(limits)]) {
    assert.throws(() => through('data: 1\n\n'.repeat(12_000), [5000], guard), isTooLarge)
  }
})

test('JSON that is nested too deeply is not handed on', () => {
  const text = '['.repeat(LIMITS.jsonDepth.max)
  assert.is(through(text, [1000], bodyGuard(limits)).join(''), text)
  assert.throws(() => through(`${text}[`, [1000], bodyGuard(limits)), isTooLarge)
})

test('no other line of an event hides what its data is', () => {
  const deep = '['.repeat(LIMITS.jsonDepth.max)
  const backslash = String.fromCharCode(92)
  const hidden = [
    `: "${backslash}\ndata: ${deep}[\n\n`,
    `: ${']'.repeat(500)}\ndata: ${deep}[\n\n`,
    `data: ${deep}\n: ${']'.repeat(500)}\ndata: [\n\n`
  ]
  for (const event of hidden) assert.throws(() => through(event, [7]), isTooLarge)
  // Nobody parses a comment, and no parser goes on behind a bracket that closes nothing.
  const shown = [`: "${backslash}\n: ${deep}[\ndata: ${deep}\n\n`, `data: ]]]]${deep}[\n\n`]
  for (const event of shown) assert.is(through(event, [7]).join(''), event)
})

test('each event is measured on its own', () => {
  const event = `data: [${'[],'.repeat(100)}[\n\n`
  assert.is(through(event.repeat(100), [5000]).join(''), event.repeat(100))
})

test('a line without an end is given up after a megabyte, whichever provider sends it', async () => {
  for (const { provider, upstream } of fixtures) {
    upstream.answer(raw(200, `data: ${'x'.repeat(2 * 1024 * 1024)}`, EVENTS))
    const error = await rejection(gather(provider, ask(), never))
    assert.match((error as Error).message, /^\w+ sent an answer that is too large\.$/)
  }
})

test('a streamed answer is measured event by event, whatever the answer says that it is', async () => {
  for (const fixture of fixtures) {
    const pieces = fixture.pieces({ text: 'A few words. '.repeat(6000) }).join('')
    const values = pieces.match(/[,{[]/g)?.length ?? 0
    assert.ok(values > LIMITS.jsonValues.max, `${values} values`)
    for (const type of ['text/plain', 'TEXT/EVENT-STREAM']) {
      fixture.upstream.answer(raw(200, pieces, { 'content-type': type }))
      const { text } = await gather(fixture.provider, ask(), never)
      assert.is(text.length, 13 * 6000)
    }
  }
})

test('an answer with more calls of tools than any model needs is refused, whole or in pieces', async () => {
  const calls = Array.from({ length: LIMITS.answerParts.max + 1 }, (_, at) => ({
    id: `c${at}`,
    name: 'x',
    arguments: '{}'
  }))
  for (const fixture of fixtures) {
    fixture.upstream.answer(fixture.whole({ calls }), streamed(fixture, { calls }))
    const whole = () => fixture.provider.complete(ask(), never)
    const pieces = () => gather(fixture.provider, ask(), never)
    for (const call of [whole, pieces]) {
      assert.match(((await rejection(call())) as Error).message, /an answer with more than 1000 parts/)
    }
  }
  const { upstream, provider } = fixtures[0] as Fixture
  const tool_calls = calls.map(({ id, name }, index) => ({ index, id, function: { name, arguments: '{}' } }))
  upstream.answer(eventStream([chunk([{ index: 0, delta: { tool_calls } }], null)]))
  const error = await rejection(gather(provider, ask(), never))
  assert.match((error as Error).message, /an answer with more than 1000 parts/)
})

test('a streamed answer that grows without end is given up', async () => {
  const { upstream, provider } = fixtures[0] as Fixture
  const piece = chunk([{ index: 0, delta: { content: 'x'.repeat(500_000) } }], null)
  upstream.answer(eventStream(Array.from({ length: 8 }, () => piece)))
  const error = await rejection(gather(provider, ask(), never))
  assert.match((error as Error).message, /an answer that is too large/)
})

test.run()

import * as assert from 'uvu/assert'
import { z } from 'zod'
import { begin, codecOf, event, renaming } from '../../commands/event.js'
import { decoded, encoded } from '../../src/log/codec.js'
import type { ReplayEvent } from '../../src/log/event.js'
import { suite } from '../support/suite.js'

const test = suite('upcasting of events')

const width = z.object({ width: z.number() })
/** Version 1 had a size in text, version 2 called it a number, version 3 a width; version 4 has a height beside it. */
const codec = codecOf({
  BoxMade: begin(
    z.object({ width: z.number(), height: z.number(), label: z.string().optional() }),
    (data) => z.object({ size: z.coerce.number() }).parse(data),
    renaming({ size: 'width' }),
    (data) => ({ ...width.parse(data), height: width.parse(data).width })
  ),
  BoxOpened: event(z.object({ by: z.string().default('nobody') }))
})
const stored = (type: string, schema: number, text: string | null): ReplayEvent => ({
  position: 3,
  stream: 'box-b',
  version: 1,
  type,
  schema,
  at: '2026-01-01T00:00:00.000Z',
  actorId: 'ada',
  tokenId: null,
  payload: { text }
})

test('data of every older version comes out as that of the newest, by every step in between', () => {
  const newest = { width: 7, height: 7 }
  assert.equal(codec.decode('BoxMade', 1, '{"size":"7"}'), newest)
  assert.equal(codec.decode('BoxMade', 2, '{"size":7}'), newest)
  assert.equal(codec.decode('BoxMade', 3, '{"width":7}'), newest)
  assert.equal(codec.decode('BoxMade', 4, '{"height":7,"width":7}'), newest)
})

test('each version is read by its own steps: a field of an older one means nothing in a newer one', () => {
  assert.throws(() => codec.decode('BoxMade', 3, '{"size":7}'))
  assert.throws(() => codec.decode('BoxMade', 4, '{"width":7}'))
})

test('new events are written in the newest version, without a step', () => {
  assert.is(codec.schemaOf('BoxMade'), 4)
  assert.is(codec.schemaOf('BoxOpened'), 1)
  const { schema, text } = encoded({ type: 'BoxMade', data: { width: 1, height: 2, label: undefined } }, codec)
  assert.is(schema, 4)
  assert.is(text, '{"height":2,"width":1}')
  assert.equal(codec.decode('BoxMade', schema, text), { width: 1, height: 2 })
})

test('what comes out of the steps is checked, and missing fields get their defaults', () => {
  assert.throws(() => codec.decode('BoxMade', 1, '{"size":"wide"}'), /expected number/)
  assert.throws(() => codec.decode('BoxMade', 4, '{"height":"high","width":1}'), /expected number/)
  assert.equal(codec.decode('BoxOpened', 1, '{}'), { by: 'nobody' })
})

test('a version or a type from a newer hub is refused, and the message names it', () => {
  assert.throws(() => codec.decode('BoxMade', 5, '{}'), /BoxMade has schema 5, newer than this version knows/)
  assert.throws(() => codec.decode('BoxSold', 1, '{}'), /BoxSold is unknown to this version/)
  assert.throws(() => codec.schemaOf('constructor'), /constructor is unknown/)
  assert.is(codec.knows('BoxSold'), false)
  assert.is(codec.knows('constructor'), false)
  assert.is(codec.knows('BoxOpened'), true)
  assert.is(codec.begins('BoxMade'), true)
  assert.is(codec.begins('BoxOpened'), false)
})

test('an event of the log is decoded by the version that it says, and an erased one by none', () => {
  const { type, data, subject, position } = decoded(stored('BoxMade', 2, '{"size":7}'), codec)
  assert.equal(
    { type, data, subject, position },
    { type: 'BoxMade', data: { width: 7, height: 7 }, subject: 'b', position: 3 }
  )
  assert.equal(decoded(stored('BoxMade', 2, null), codec).data, null)
  assert.is(decoded(stored('BoxSold', 9, null), codec).type, 'Erased')
})

test('a renaming keeps every other field: what was absent stays absent, what was null stays null', () => {
  const upcast = renaming({ leaves: 'from', left: 'rest' })
  assert.equal(upcast({ id: 1, leaves: null }), { id: 1, from: null })
  assert.equal(upcast({ id: 1 }), { id: 1 })
  assert.equal(upcast({ id: 1, left: { left: 2 } }), { id: 1, rest: { left: 2 } })
  assert.throws(() => upcast('text'))
})

test('a renaming does not change what it is given', () => {
  const data = { leaves: 'a' }
  renaming({ leaves: 'from' })(data)
  assert.equal(data, { leaves: 'a' })
})

test.run()

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { codec, eventDefinitions, STREAM_KINDS } from '../../commands/index.js'
import { tableOf } from '../../commands/snapshots.js'
import { effectOf, project, projectors } from '../../projections/index.js'
import { decoded, decodedAs, encoded } from '../../src/log/codec.js'
import { stepsOf } from '../../src/records/history/streams.js'
import type { ColumnKind, RowOp, TableSpec } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'

/**
 * Golden files: `<Type>.<schema>.json` is a list of payloads as a hub has written them in that schema version, each with the
 * data that it is decoded to. They are never changed: a later build must read them all. Where the data of one has to come out
 * in another way, that is for the file's `data` to say, in the commit that makes it so.
 */
const folder = fileURLToPath(new URL('../../../test/golden/', import.meta.url))
const forms = z.array(z.object({ payload: z.string(), data: z.unknown() })).min(1)

const test = suite('golden files of events')

const types = Object.keys(eventDefinitions)
const written = types.flatMap((type) =>
  Array.from({ length: codec.schemaOf(type) }, (_, i) => ({ type, schema: i + 1, file: `${type}.${i + 1}.json` }))
)

test('every type of event has one for every schema version that there was', () => {
  const missing = written.filter(({ file }) => !existsSync(`${folder}${file}`)).map(({ file }) => file)
  assert.equal(
    missing,
    [],
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing in test/golden.
Write a list of {"payload", "data"} to each: "payload" is the payload's text as \`hub log export\` has it, of a hub in which
such an event has happened, one for every form that it can have; "data" is what it is decoded to.
The files of older versions stay as they are, but for "data" where a new upcast changes it.`
  )
})

test('there is none of a type or a version that this hub cannot read', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const known = new Set(written.map(({ file }) => file))
  assert.equal(
    files.filter((name) => !known.has(name)),
    []
  )
})

for (const { type, schema, file } of written) {
  if (!existsSync(`${folder}${file}`)) continue
  test(`${type} ${schema} is read as it was meant, and every projector takes it`, () => {
    for (const { payload, data } of formsIn(file)) {
      const event = decoded({ ...envelope, type, schema, payload: { text: payload } }, codec)
      assert.equal(event.data, data, payload)
      for (const { handlers, table } of projectors)
        for (const op of handlers[type]?.(event) ?? []) assert.equal(flawsOf(op, table), [], payload)
    }
  })
}

test('what is said to change one row of a table changes no other of it', () => {
  const ofOneRow = written.filter(({ type }) => effectOf(type).oneRowOf)
  assert.ok(ofOneRow.length >= 15)
  for (const { type, schema, file } of ofOneRow)
    for (const { payload } of formsIn(file)) {
      const event = decoded({ ...envelope, type, schema, payload: { text: payload } }, codec)
      const ops = project(event).filter(({ table }) => table === effectOf(type).oneRowOf)
      const touched = ops.map((op) => (op.op === 'put' ? op.row.id : 'id' in op ? op.id : op.op))
      assert.equal(touched, [event.subject], type)
    }
})

test('what changes the row of a stream is known as a step of its past', () => {
  const missing: string[] = []
  for (const type of types)
    for (const { payload } of formsIn(`${type}.${codec.schemaOf(type)}.json`)) {
      const event = decoded({ ...envelope, type, schema: codec.schemaOf(type), payload: { text: payload } }, codec)
      const changed = project(event).filter(
        (op) => ('id' in op ? op.id : op.op === 'put' && op.row.id) === event.subject
      )
      const kinds = STREAM_KINDS.filter((kind) => changed.some(({ table }) => table === tableOf(`${kind}-id`)))
      for (const kind of kinds) {
        const { makes, changes, ends } = stepsOf(`${kind}-id`) ?? { makes: [], changes: [], ends: [] }
        if (![...makes, ...changes.flat(), ...ends].includes(type)) missing.push(`${type} of ${kind}`)
      }
    }
  // What other streams do to a row, and the orders that a collection's stream holds, is laid over it.
  const laidOver = ['UserDeleted of notification', 'FoldersReordered of collection', 'ItemsReordered of collection']
  assert.equal([...new Set(missing)], laidOver)
})

test('a new event is projected to what its text, read back from the log, is projected to', () => {
  for (const type of types) {
    const schema = codec.schemaOf(type)
    for (const { data } of formsIn(`${type}.${schema}.json`)) {
      const { text, parsed } = encoded({ type, data: backwards(data) }, codec)
      const stored = { ...envelope, type, schema, payload: { text } }
      const [live, replayed] = [decodedAs(stored, parsed, codec), decoded(stored, codec)]
      assert.is(JSON.stringify(live), JSON.stringify(replayed), text)
      assert.is(JSON.stringify(project(live)), JSON.stringify(project(replayed)), text)
    }
  }
})

for (const type of types) {
  const file = `${type}.${codec.schemaOf(type)}.json`
  if (!existsSync(`${folder}${file}`)) continue
  test(`a new ${type} is written in a form of its golden file, which shows every field`, () => {
    const newest = formsIn(file).filter(({ payload, data }) => encoded({ type, data }, codec).text === payload)
    assert.ok(newest.length > 0, `No payload of ${file} is what a new event is written as.`)
    const shown = new Set(newest.flatMap(({ data }) => [...pathsIn(data)]))
    const schema = z.json().parse(z.toJSONSchema(eventDefinitions[type]?.data ?? z.never()))
    const missing = [...fieldsOf(schema)].filter((path) => !shown.has(path) && isReached(path, shown))
    assert.equal(missing, [], `${file} has no payload with these fields: add one.`)
  })
}

const envelope = {
  position: 7,
  stream: 'kind-id',
  version: 2,
  at: '2026-01-01T00:00:00.000Z',
  actorId: 'ada',
  tokenId: null
}

function formsIn(file: string): z.infer<typeof forms> {
  return forms.parse(JSON.parse(readFileSync(`${folder}${file}`, 'utf8')))
}

/** What of a row change does not fit its table. */
function flawsOf(op: RowOp, table: TableSpec): readonly string[] {
  if (op.table !== table) return [`It changes ${op.table.name}.`]
  if (op.op !== 'put' && op.op !== 'patch') return []
  const fixed: Readonly<Record<string, ColumnKind>> = {
    id: 'id',
    version: 'integer',
    revision: 'integer',
    body: 'text'
  }
  const columns = { ...fixed, ...table.columns }
  const values: Readonly<Record<string, unknown>> = op.op === 'put' ? op.row : op.set
  const wanted = op.op === 'put' ? Object.keys(columns) : []
  return [...new Set([...Object.keys(values), ...wanted])].filter((name) => {
    const kind = columns[name]
    return kind === undefined || !holds(kind, values[name])
  })
}

function holds(kind: ColumnKind, value: unknown): boolean {
  if (value === null) return kind.endsWith('?')
  if (kind.startsWith('integer')) return Number.isSafeInteger(value)
  return typeof value === (kind === 'flag' ? 'boolean' : 'string')
}

/** The path of every field in some data; items of a list share theirs, `*`. */
function* pathsIn(data: unknown, at = ''): Generator<string> {
  yield at
  if (Array.isArray(data)) for (const one of data) yield* pathsIn(one, `${at}/*`)
  else if (typeof data === 'object' && data !== null)
    for (const [name, value] of Object.entries(data)) if (value !== undefined) yield* pathsIn(value, `${at}/${name}`)
}

const described = z.object({
  properties: z.record(z.string(), z.json()).default({}),
  items: z.json().optional()
})

/** The path of every field that a JSON Schema names. */
function* fieldsOf(schema: unknown, at = ''): Generator<string> {
  const known = described.safeParse(schema)
  if (!known.success) return
  const { properties, items } = known.data
  for (const [name, inner] of Object.entries(properties)) {
    yield `${at}/${name}`
    yield* fieldsOf(inner, `${at}/${name}`)
  }
  if (items !== undefined) yield* fieldsOf(items, `${at}/*`)
}

/** False inside a list that is always empty where the event is written. */
function isReached(path: string, shown: ReadonlySet<string>): boolean {
  const list = path.lastIndexOf('/*')
  return list < 0 || shown.has(path.slice(0, list + 2))
}

/** The same data whose keys have come in another order. */
function backwards(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(backwards)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data)
      .toReversed()
      .map(([key, value]) => [key, backwards(value)])
  )
}

test.run()

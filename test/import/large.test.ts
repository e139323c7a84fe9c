import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { USUAL_BOUNDS } from '../../src/config/importBounds.js'
import { endsEarly } from '../../src/records/export/bru.js'
import { containerOf } from '../../src/records/export/container.js'
import { freeName } from '../../src/records/export/files.js'
import { treeOf } from '../../src/records/export/tree.js'
import { type CollectionTree, type Item, newNotes } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import { document } from '../../src/records/import/parts.js'
import { planOf } from '../../src/records/import/plan.js'
import { recordsOf } from '../../src/records/import/records.js'
import { suite } from '../support/suite.js'
import { readCollection } from './read.js'

const test = suite('files of many things take as long as they are')

/** Runs what is to take the processor for less than this. */
function within<T>(most_ms: number, work: () => T): T {
  const began = process.cpuUsage()
  const done = work()
  const { user } = process.cpuUsage(began)
  assert.ok(user < most_ms * 1000, `${user / 1000} ms of the processor`)
  return done
}

const MANY = 10_000
const many = <T>(one: (i: number) => T): readonly T[] => Array.from({ length: MANY }, (_, i) => one(i))
const bounds = { ...USUAL_BOUNDS, maxItems: 1_000_000, maxContent: 1_000_000_000, maxValues: 10_000_000 }
const har = {
  log: {
    pages: [{ id: 'p', title: 'P' }],
    entries: many(() => ({ pageref: 'p', request: { method: 'POST', url: 'https://x.test/graphql' } }))
  }
}

test('requests of one name have ids of their own', () => {
  const tree = readImport(Buffer.from(JSON.stringify(har)), { bounds }).tree as CollectionTree
  const records = within(2000, () => [...recordsOf('source', tree, new Map())])
  assert.is(new Set(records.map(({ id }) => id)).size, MANY + 1)
})

test('others have their turn while it is compared with what is there', async () => {
  const tree = readImport(Buffer.from(JSON.stringify(har)), { bounds }).tree as CollectionTree
  const records = [...recordsOf('source', tree, new Map())]
  let turns = 0
  const others = setInterval(() => turns++)
  const options = { overwrite: false, prune: false }
  const { changes } = await planOf({ name: tree.name, ...tree.settings }, records, null, options, { userId: 'me' })
  clearInterval(others)
  assert.is(changes.length, MANY + 1)
  assert.ok(turns > 0)
})

test('requests of one name have files of their own', () => {
  const taken: Parameters<typeof freeName>[1] = new Map()
  const names = within(1000, () => many(() => freeName('one', taken)))
  assert.is(new Set(names).size, MANY)
  assert.equal([freeName('one 3', taken), freeName('One', taken)], ['one 3 2', `One ${MANY + 1}`])
})

test('requests of one name have examples of their own', () => {
  const text = '## A\n\n```http\nHTTP/1.1 200\n\nx\n```\n'
  const [request] = readCollection(Buffer.from(JSON.stringify({ log: { entries: har.log.entries.slice(0, 1) } }))).tree
    .items
  if (!request) throw new Error('There is no request.')
  const items: readonly Item[] = [...many(() => request), ...many(() => document('POST /graphql examples.md', text))]
  const { requests, documents } = within(2000, () => containerOf(items))
  assert.equal([requests.every(({ examples }) => examples.length === 1), documents.length], [true, 0])
})

test('folders beside each other are in their order', () => {
  const folders = many((i) =>
    JSON.stringify({ id: `f${i}`, name: `${i}`, sortOrder: MANY - i, parentFolderId: i % 2 ? `f${i - 1}` : null })
  )
  const collection = JSON.stringify({
    ...{ id: 'c', name: 'C', marker: null, variables: [], headers: [], preRequestScript: '', postRequestScript: '' },
    auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
  })
  const { items } = within(2000, () => treeOf({ collection, folders, requests: [], documents: [] }))
  assert.is(items.length, MANY / 2)
  assert.is(items[0]?.kind === 'folder' && items[0].name, `${MANY - 2}`)
})

test('operations of one tag, and requests of one page, are in one folder', () => {
  const paths = Object.fromEntries(many((i) => [`/${i}`, { get: { tags: ['t'] } }]))
  const file = Buffer.from(JSON.stringify({ openapi: '3.1.0', info: { title: 'T' }, paths }))
  const page = Buffer.from(JSON.stringify(har))
  for (const one of [file, page]) {
    const tree = within(3000, () => readImport(one, { bounds }).tree)
    assert.equal(
      tree?.items.map((item) => item.kind === 'folder' && item.items.length),
      [MANY]
    )
  }
})

test('blocks and texts of several lines in a file of Bruno are gone through once', () => {
  const rows = many((i) => `  k${i}: '''\n    v\n  '''`).join('\n')
  const blocks = many(() => 'headers {\n  a: b\n}').join('\n')
  const bru = `get {\n  url: https://x.test\n}\nparams:query {\n${rows}\n}\n`
  for (const file of [bru, `get {\n  url: https://x.test\n}\n${blocks}\n`])
    within(3000, () => {
      try {
        readImport(zipSync({ 'bruno.json': strToU8('{}'), 'a.bru': strToU8(file) }), { bounds })
      } catch {
        // There are too many rows for a request.
      }
    })
})

test('samples of schemas that lead to each other stay samples', () => {
  const refs = (from: number) =>
    Array.from({ length: 20 }, (_, i) => [`p${i}`, { $ref: `#/components/schemas/S${(from * 7 + i) % 400}` }])
  const schemas = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`S${i}`, { type: 'object', properties: Object.fromEntries(refs(i)) }])
  )
  const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } }
  const paths = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`/${i}`, { post: { requestBody } }]))
  const file = Buffer.from(JSON.stringify({ openapi: '3.1.0', info: { title: 'T' }, components: { schemas }, paths }))
  const tree = within(3000, () => readImport(file, { bounds }).tree)
  const longest = tree?.items.reduce(
    (most, item) => Math.max(most, item.kind === 'request' ? item.content.body.length : 0),
    0
  )
  assert.ok(longest !== undefined && longest < 30_000, `${longest} characters`)
})

test('a value of many blank lines is written in one pass', () => {
  const value = '\n'.repeat(200_000)
  assert.not(within(1000, () => endsEarly([{ value }])))
})

test('what is told of a file names places in short, however long the names in it are', () => {
  const notes = newNotes()
  notes.add('x'.repeat(1_000_000), 'Something.')
  assert.ok(JSON.stringify(notes.list()).length < 2000)
})

test.run()

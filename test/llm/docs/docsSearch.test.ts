import { chmod, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DocsSearch, type DocsSearchOptions } from '../../../src/llm/docs/docsSearch.js'
import { openAiProvider } from '../../../src/llm/openai.js'
import type { Embedder } from '../../../src/llm/provider.js'
import { suite } from '../../support/suite.js'
import * as openai from '../fakes/openai.js'
import { json } from '../fakes/upstream.js'
import { KEYS } from '../support.js'
import { type TestChunk, testChunk, writeIndexFile } from './indexFile.js'
import { vector } from './vectors.js'

const test = suite('search_docs')

const never = new AbortController().signal
const UNAVAILABLE = 'Documentation search index is not available. Ask the administrator of this hub for one.'
/** For a thread that reads a file on a busy machine. */
const PATIENCE_MS = 30_000

let directory = ''
let docs: DocsSearch | undefined
let now = 0
let logged: string[] = []

test.before.each(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hub-docs-'))
  logged = []
  now = 0
})

test.after.each(async () => {
  await docs?.close()
  await rm(directory, { recursive: true })
})

/** Everything is looked for with the first axis. */
const embed: Embedder['embed'] = async () => vector(1)

function searchOf(
  path: string | undefined,
  options: Partial<DocsSearchOptions> = {},
  by: Embedder['embed'] | null = embed
) {
  const record = (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`)
  const log = { info: record, warn: record }
  const usual = { log, usualPaths: [], now: () => now, verdict_ms: PATIENCE_MS }
  docs = new DocsSearch({ searchIndexPath: path, embed: by }, { ...usual, ...options })
  return docs
}

async function indexOf(...chunks: readonly Partial<TestChunk>[]): Promise<string> {
  const path = join(directory, 'index.json')
  await place(path, chunks)
  return path
}

/** Puts an index in its place at once, as a deployment would. */
async function place(path: string, chunks: readonly Partial<TestChunk>[]): Promise<void> {
  await writeIndexFile(`${path}.new`, chunks.length, (row) => testChunk(row, { embedding: vector(1), ...chunks[row] }))
  await rename(`${path}.new`, path)
}

async function search(args: unknown, signal = never) {
  const result = await docs?.tool.call(args, signal)
  return { ok: result?.ok, found: JSON.parse(result?.text ?? '') }
}

async function titles(args: object = { query: 'how?' }): Promise<readonly string[]> {
  return (await search(args)).found.map(({ title }: TestChunk) => title)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a hit is told with its title, place, score and snippet', async () => {
  searchOf(await indexOf({ embedding: vector(3, 4), content: 'long '.repeat(200) }))
  assert.is(await docs?.available(), true)
  assert.equal(await search({ query: 'how?' }), {
    ok: true,
    found: [
      {
        title: 'Page 0',
        heading: 'Heading 0',
        url: 'https://docs.example/page-0',
        source: 'site',
        path: 'docs/page-0.md',
        score: 0.6,
        snippet: `${'long '.repeat(120)}...`
      }
    ]
  })
})

test('the best come first, and what scores under a half does not come', async () => {
  searchOf(
    await indexOf(
      { title: 'half', embedding: vector(1, 1, 1, 1) },
      { title: 'under half', embedding: vector(1, 1, 1, 1, 0.02) },
      { title: 'best', embedding: vector(2) },
      { title: 'opposite', embedding: vector(-1) },
      { title: 'good', embedding: vector(1, 1) }
    )
  )
  assert.equal(await titles(), ['best', 'good', 'half'])
})

test('of equal hits the first in the index comes first', async () => {
  searchOf(await indexOf({ title: 'a' }, { title: 'b' }, { title: 'c' }))
  assert.equal(await titles({ query: 'how?', limit: 2 }), ['a', 'b'])
})

for (const [limit, expected] of [
  [undefined, 5],
  [3, 3],
  [3.9, 3],
  [0, 1],
  [-7, 1],
  [11, 10],
  [1e9, 10],
  ['3', 5],
  [null, 5]
] as const) {
  test(`a limit of ${limit} gives ${expected} hits`, async () => {
    searchOf(await indexOf(...Array.from({ length: 12 }, () => ({}))))
    assert.is((await titles({ query: 'how?', limit })).length, expected)
  })
}

test('the source may be chosen, and nonsense chooses none', async () => {
  const sources = ['site', 'sdk', 'site', 'other']
  searchOf(await indexOf(...sources.map((source, row) => ({ source, title: `${source} ${row}` }))))
  assert.equal(await titles({ query: 'how?', source: 'sdk' }), ['sdk 1'])
  assert.equal(await titles({ query: 'how?', source: 'site' }), ['site 0', 'site 2'])
  assert.is((await titles({ query: 'how?', source: 'moon' })).length, 4)
})

for (const args of [{}, { query: '' }, { query: '  ' }, { query: 7 }, null, 'how?', []]) {
  test(`${JSON.stringify(args)} is not a query`, async () => {
    searchOf(await indexOf({}))
    assert.equal(await search(args), { ok: false, found: { error: 'query is required.' } })
  })
}

test('the query is what is embedded, within bounds', async () => {
  const embedded: string[] = []
  searchOf(await indexOf({}), {}, async (text) => {
    embedded.push(text)
    return vector(1)
  })
  await search({ query: '  how?  ' })
  await search({ query: 'x'.repeat(100_000) })
  assert.equal(embedded, ['how?', 'x'.repeat(8000)])
})

for (const embedding of [[1, 0], vector(Number.NaN), []]) {
  test(`an embedding of ${embedding.length} numbers, the first ${embedding[0]}, is refused`, async () => {
    searchOf(await indexOf({}), {}, async () => embedding)
    assert.equal(await search({ query: 'how?' }), {
      ok: false,
      found: { error: 'Unexpected embedding size from OpenAI.' }
    })
  })
}

test('an embedding of another size, as OpenAI has sent it, is refused as just that', async () => {
  const upstream = await openai.startOpenAi(KEYS.openai)
  upstream.answer(json(200, { data: [{ embedding: [1, 0] }] }))
  const config = { apiKey: KEYS.openai, baseUrl: upstream.url, timeoutSeconds: 5, maxRetries: 0 }
  searchOf(await indexOf({}), {}, openAiProvider('openai', config).embed)
  const result = await search({ query: 'how?' }).finally(() => upstream.close())
  assert.equal(result, { ok: false, found: { error: 'Unexpected embedding size from OpenAI.' } })
})

test('an embedding that fails is told without its reasons', async () => {
  searchOf(await indexOf({}), {}, async () => {
    throw new Error('secret key refused')
  })
  const { ok, found } = await search({ query: 'how?' })
  assert.equal([ok, found], [false, { error: 'The documentation could not be searched. Try again later.' }])
  assert.match(logged.at(-1) ?? '', /secret key refused/)
})

test('an abort rejects', async () => {
  const controller = new AbortController()
  searchOf(await indexOf({}), {}, async () => {
    controller.abort(new Error('gone'))
    return vector(1)
  })
  const failure = await search({ query: 'how?' }, controller.signal).then(
    () => null,
    (error: Error) => error.message
  )
  assert.is(failure, 'gone')
})

test('without a key for embeddings there is no search', async () => {
  searchOf(await indexOf({}), {}, null)
  assert.is(await docs?.available(), false)
  assert.equal(await search({ query: 'how?' }), { ok: false, found: { error: UNAVAILABLE } })
  docs?.reload({ searchIndexPath: join(directory, 'index.json'), embed })
  assert.is(await docs?.available(), true)
})

test('a file that is not there is found as soon as it is', async () => {
  const path = join(directory, 'index.json')
  searchOf(path)
  assert.is(await docs?.available(), false)
  assert.equal((await search({ query: 'how?' })).found, { error: UNAVAILABLE })
  await place(path, [{ title: 'there' }])
  assert.is(await docs?.available(), true)
  assert.equal(await titles(), ['there'])
})

test('a directory is no file', async () => {
  searchOf(directory)
  assert.is(await docs?.available(), false)
})

test('the configured place comes before the usual ones, which come in their order', async () => {
  const [configured = '', first = '', second = ''] = ['c', 'f', 's'].map((name) => join(directory, name))
  await place(second, [{ title: 'second' }])
  searchOf(configured, { usualPaths: [first, second] })
  assert.equal(await titles(), ['second'])
  await place(first, [{ title: 'first' }])
  await until(async () => (await titles())[0] === 'first')
  await place(configured, [{ title: 'configured' }])
  await until(async () => (await titles())[0] === 'configured')
})

test('a file that is replaced is read anew, and the old one serves meanwhile', async () => {
  const path = await indexOf({ title: 'old' })
  searchOf(path)
  assert.equal(await titles(), ['old'])
  await place(path, [{ title: 'new' }, { title: 'newer' }])
  const seen = new Set<string>()
  await until(async () => {
    assert.is(await docs?.available(), true)
    const now = (await titles()).join()
    seen.add(now)
    return now === 'new,newer'
  })
  assert.equal([...seen].toSorted(), ['new,newer', 'old'])
})

test('another path is looked at after a reload', async () => {
  searchOf(await indexOf({ title: 'one' }))
  assert.equal(await titles(), ['one'])
  const other = join(directory, 'other.json')
  await place(other, [{ title: 'two' }])
  docs?.reload({ searchIndexPath: other, embed })
  await until(async () => (await titles())[0] === 'two')
})

test('a file that is taken away takes its answers along', async () => {
  const path = await indexOf({})
  searchOf(path)
  assert.is((await titles()).length, 1)
  await rm(path)
  assert.is(await docs?.available(), false)
  assert.equal((await search({ query: 'how?' })).found, { error: UNAVAILABLE })
})

test('a broken file is not available, until it is mended', async () => {
  const path = join(directory, 'index.json')
  await writeFile(path, '{"broken":')
  searchOf(path)
  assert.equal((await search({ query: 'how?' })).found, { error: UNAVAILABLE })
  assert.is(await docs?.available(), false)
  assert.match(logged.join(), /No documentation index .*The end too early/)
  await place(path, [{ title: 'mended' }])
  assert.is(await docs?.available(), true)
  assert.equal(await titles(), ['mended'])
})

for (const [what, content] of [
  ['is no JSON', 'nothing of that kind'],
  ['is JSON of another kind', '[]'],
  ['is an object of another kind', '{}'],
  ['breaks in the middle', '{"index":{"vectorIndexes":{"embedding":{"size":1536,"vectors":[[1,]]}}}}'],
  ['is cut off', '{"index":{"vectorIndexes":'],
  ['is empty', '']
] as const) {
  test(`a file that ${what} is not available the first time that it is asked for`, async () => {
    const path = join(directory, 'index.json')
    await writeFile(path, content)
    searchOf(path)
    assert.is(await docs?.available(), false)
  })
}

test('a file that is not to be read is not available', async () => {
  const path = await indexOf({})
  await chmod(path, 0o000)
  searchOf(path)
  // An administrator of the machine may read everything.
  assert.is(await docs?.available(), process.getuid?.() === 0)
})

test('while a large file is being read, its beginning and its end tell whether it may be an index', async () => {
  const path = await indexOf({})
  searchOf(path, { verdict_ms: 0 })
  assert.is(await docs?.available(), true)
  await docs?.close()
  await truncate(path, 5000)
  searchOf(path, { verdict_ms: 0 })
  assert.is(await docs?.available(), false)
})

test('a file that is cut off in place does not take away the index that was read', async () => {
  const path = await indexOf({ title: 'old' })
  searchOf(path)
  assert.equal(await titles(), ['old'])
  await truncate(path, 5000)
  assert.is(await docs?.available(), true)
  await until(async () => logged.some((line) => line.startsWith('No documentation index')))
  assert.equal(await titles(), ['old'])
})

test('a broken file is read again only after a while', async () => {
  const path = join(directory, 'index.json')
  await writeFile(path, '[]')
  searchOf(path)
  const failures = () => logged.filter((line) => line.startsWith('No documentation index')).length
  await search({ query: 'how?' })
  await search({ query: 'how?' })
  assert.is(failures(), 1)
  now = 60_000
  await search({ query: 'how?' })
  assert.is(failures(), 2)
})

test('searches that come while the index is being read wait for it, and it is read once', async () => {
  searchOf(await indexOf({ title: 'one' }))
  const found = await Promise.all([titles(), titles(), titles()])
  assert.equal(found, [['one'], ['one'], ['one']])
  assert.is(logged.filter((line) => line.startsWith('Documentation index read')).length, 1)
})

test('closing while the index is being read does not wait for it', async () => {
  searchOf(await indexOf({}), { verdict_ms: 0 })
  assert.is(await docs?.available(), true, 'it looks like an index')
  await docs?.close()
  assert.is(await docs?.available(), false)
  assert.equal(logged, [])
})

test.run()

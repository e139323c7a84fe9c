import { chmod, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DocsSearch, type DocsSearchOptions } from '../../../src/llm/docs/docsSearch.js'
import { openAiEmbed } from '../../../src/llm/openai.js'
import type { Embed } from '../../../src/llm/provider.js'
import { builtIn } from '../../../src/llm/targets.js'
import type { ToolArguments } from '../../../src/llm/tools.js'
import { temporaryDirectory } from '../../support/databases.js'
import { suite } from '../../support/suite.js'
import * as openai from '../fakes/openai.js'
import { json } from '../fakes/upstream.js'
import { until } from '../mcp/support.js'
import { KEYS, rejection } from '../support.js'
import { type TestChunk, testChunk, vector, writeIndexFile } from './indexFile.js'

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
  directory = (await temporaryDirectory()).path
  logged = []
  now = 0
})

test.after.each(() => docs?.close())

/** Everything is looked for with the first axis. */
const embed: Embed = async () => vector(1)

function searchOf(path: string | undefined, options: Partial<DocsSearchOptions> = {}, by: Embed | null = embed) {
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
  const rows = chunks.map((chunk, row) => testChunk(row, chunk))
  await writeIndexFile(`${path}.new`, rows)
  await rename(`${path}.new`, path)
}

async function search(args: ToolArguments, signal = never) {
  const result = await docs?.tool.call(args, signal)
  return { ok: result?.ok, found: JSON.parse(result?.text ?? '') }
}

async function titles(args: ToolArguments = { query: 'how?' }): Promise<readonly string[]> {
  return (await search(args)).found.map(({ title }: TestChunk) => title)
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

test('a limit is bounded, and five where it is none; of equal hits the first in the index come first', async () => {
  const rows = [...Array(12).keys()].map(String)
  searchOf(await indexOf(...rows.map((title, row) => ({ title, source: row === 7 ? 'sdk' : 'site' }))))
  const limits = [undefined, 3, 3.9, 0, -7, 11, 1e9, '3', null]
  const found = await Promise.all(limits.map((limit) => titles({ query: 'how?', limit })))
  assert.equal(
    found,
    [5, 3, 3, 1, 1, 10, 10, 5, 5].map((length) => rows.slice(0, length))
  )
  assert.equal(await titles({ query: 'how?', source: 'sdk' }), ['7'])
  assert.is((await titles({ query: 'how?', source: 'moon' })).length, 5)
})

test('what is no query is refused', async () => {
  searchOf(await indexOf({}))
  for (const args of [{}, { query: '' }, { query: '  ' }, { query: 7 }]) {
    assert.equal(await search(args), { ok: false, found: { error: 'query is required.' } })
  }
})

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

test('an embedding of another size, also as OpenAI has sent it, is refused as just that', async () => {
  const path = await indexOf({})
  const upstream = await openai.startOpenAi(KEYS.openai)
  upstream.answer(json(200, { data: [{ embedding: [1, 0] }] }))
  const config = { apiKey: KEYS.openai, baseUrl: upstream.url, timeoutSeconds: 5, maxRetries: 0 }
  const bad = [[], vector(Number.NaN)].map((embedding) => async () => embedding)
  for (const by of [openAiEmbed(builtIn('openai', config)), ...bad]) {
    await searchOf(path, {}, by).available()
    assert.equal(await search({ query: 'how?' }), {
      ok: false,
      found: { error: 'Unexpected embedding size from OpenAI.' }
    })
    await docs?.close()
  }
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
  assert.match(String(await rejection(search({ query: 'how?' }, controller.signal))), /gone/)
})

test('without a key for embeddings there is no search', async () => {
  searchOf(await indexOf({}), {}, null)
  assert.is(await docs?.available(), false)
  assert.equal(await search({ query: 'how?' }), { ok: false, found: { error: UNAVAILABLE } })
  docs?.reload({ searchIndexPath: join(directory, 'index.json'), embed })
  assert.is(await docs?.available(), true)
})

test('a file is found as soon as it is there, and taken away takes its answers along', async () => {
  const path = join(directory, 'index.json')
  searchOf(path)
  const isGone = async () => {
    assert.is(await docs?.available(), false)
    assert.equal((await search({ query: 'how?' })).found, { error: UNAVAILABLE })
  }
  await isGone()
  await place(path, [{ title: 'there' }])
  assert.is(await docs?.available(), true)
  assert.equal(await titles(), ['there'])
  await rm(path)
  await isGone()
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

test('a broken file is not available, is read again after a while, and when it is mended', async () => {
  const path = join(directory, 'index.json')
  await writeFile(path, '{"broken":')
  searchOf(path)
  const failures = () => logged.filter((line) => /^No documentation index .*JSON/.test(line)).length
  for (const [at, times] of [
    [0, 1],
    [59_999, 1],
    [60_000, 2]
  ] as const) {
    now = at
    assert.equal((await search({ query: 'how?' })).found, { error: UNAVAILABLE })
    assert.is(await docs?.available(), false)
    assert.is(failures(), times)
  }
  await place(path, [{ title: 'mended' }])
  assert.is(await docs?.available(), true)
  assert.equal(await titles(), ['mended'])
})

test('what cannot be an index is not available the first time that it is asked for', async () => {
  const path = join(directory, 'index.json')
  for (const content of ['nothing of that kind', '{}', '{"index":{"vectorIndexes":', '']) {
    await writeFile(path, content)
    assert.is(await searchOf(path).available(), false, content)
    await docs?.close()
  }
  assert.is(await searchOf(directory).available(), false, 'a directory')
  await chmod(path, 0o000)
  // An administrator of the machine may read everything, and it is empty.
  assert.is(await searchOf(path).available(), false)
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

test('searches that come while the index is being read wait for it, and it is read once', async () => {
  searchOf(await indexOf({ title: 'one' }))
  const found = await Promise.all([titles(), titles(), titles()])
  assert.equal(found, [['one'], ['one'], ['one']])
  assert.is(logged.filter((line) => line.startsWith('Documentation index read')).length, 1)
})

test('an index is offered while it takes long to read, and closing does not wait for it', async () => {
  searchOf(await indexOf({}), { verdict_ms: 0 })
  assert.is(await docs?.available(), true, 'it is being read')
  await docs?.close()
  assert.is(await docs?.available(), false)
  assert.equal(logged, [])
})

test.run()

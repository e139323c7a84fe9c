import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { z } from 'zod'
import { writeExport } from '../../src/records/export/formats.js'
import type { CollectionTree, Note } from '../../src/records/formats/model.js'
import { readCollection } from './read.js'
import { CURL, ORIGINAL } from './wireCases.js'

/**
 * Runs collections with the command line of Bruno, and holds what an export of the hub sends against what the original sends: a
 * directory of OpenCollection, and commands that curl itself runs. The package is too large for every run of the tests; it is
 * installed into a cache, without its scripts: `npm run wire`.
 */

const CLI = '@usebruno/cli@4.1.0'
const CACHE = join(tmpdir(), 'collections-hub-bruno')
const BRU = join(CACHE, 'node_modules/@usebruno/cli/bin/bru.js')
const FORMATS = ['opencollection', 'bruno'] as const

if (!existsSync(BRU)) {
  mkdirSync(CACHE, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', CACHE]
  execFileSync('npm', ['install', ...options, CLI], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** A request as it arrived. */
interface Arrived {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** What each client says of itself and of the connection. */
const OWN = new Set([
  'host',
  'connection',
  'user-agent',
  'accept-encoding',
  'content-length',
  'accept',
  'request-start-time'
])

const arrived = new Map<string, Arrived>()
const server = createServer(async (request, response) => {
  arrived.set(new URL(request.url ?? '', 'http://x').pathname, await arrivedOf(request))
  response.setHeader('content-type', 'application/json').end('{}')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = z.object({ port: z.number() }).parse(server.address())
const base = `http://127.0.0.1:${port}`

async function arrivedOf(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '' } = request
  const [, boundary] = /boundary=("?)(.*)\1/.exec(request.headers['content-type'] ?? '')?.slice(1) ?? []
  const plain = (text: string) => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'))
  const headers = Object.entries(request.headers).filter(([name]) => !OWN.has(name))
  const texts = headers.map(([name, value]) => [name, plain(String(value))] as const)
  return { method, url, headers: Object.fromEntries(texts), body: plain(Buffer.concat(chunks).toString()) }
}

/** What arrives while something runs, by its path. */
async function sentBy(run: () => Promise<void>): Promise<ReadonlyMap<string, Arrived>> {
  arrived.clear()
  await run()
  return new Map(arrived)
}

async function runs(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'ignore'] })
  await once(child, 'exit')
}

/** Runs a collection, whose files these are, from an empty directory. */
async function bruRuns(files: Readonly<Record<string, string>>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'collections-hub-wire-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  await runs(process.execPath, [BRU, 'run', '-r'], directory)
  rmSync(directory, { recursive: true })
}

function filesOf(tree: CollectionTree, format: (typeof FORMATS)[number]): Readonly<Record<string, string>> {
  const unpacked = unzipSync(writeExport(tree, format).bytes)
  return Object.fromEntries(Object.entries(unpacked).map(([path, bytes]) => [path, strFromU8(bytes)]))
}

const counts = { same: 0, told: 0, differs: 0 }

/** Holds what was sent against each other. What differs is told where a note of the import names the request. */
function hold(
  what: string,
  original: ReadonlyMap<string, Arrived>,
  ours: ReadonlyMap<string, Arrived>,
  notes: readonly Note[]
): void {
  for (const [path, sent] of original) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isTold = notes.some(({ places }) => places.some((one) => one.toLowerCase().endsWith(name)))
    const found = isDeepStrictEqual(ours.get(path), sent) ? 'same' : isTold ? 'told' : 'differs'
    counts[found]++
    process.stdout.write(`${found.padEnd(7)}  ${what}  ${path}\n`)
    if (found === 'differs') process.stdout.write(`  ${JSON.stringify(sent)}\n  ${JSON.stringify(ours.get(path))}\n`)
  }
}

const original = ORIGINAL(base)
const byBruno = await sentBy(() => bruRuns(original))
const archive = zipSync(Object.fromEntries(Object.entries(original).map(([path, text]) => [path, strToU8(text)])))
const lines = CURL(base)
const byCurl = await sentBy(async () => {
  for (const line of lines) await runs('sh', ['-c', line], tmpdir())
})
const ofBruno = readCollection(archive)
const ofCurl = readCollection(Buffer.from(lines.join('\n')))
for (const format of FORMATS) {
  const again = await sentBy(() => bruRuns(filesOf(ofBruno.tree, format)))
  hold(`Bruno to ${format}`, byBruno, again, ofBruno.notes)
  hold(`curl to ${format}`, byCurl, await sentBy(() => bruRuns(filesOf(ofCurl.tree, format))), ofCurl.notes)
}
server.close()
process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exitCode = counts.differs > 0 || byBruno.size === 0 || byCurl.size === 0 ? 1 : 0

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'
import { type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CLIENT = join(ROOT, 'clients/typescript')
let project: TemporaryDirectory

const { test, world } = hubSuite('the package of the typed client', sqlite)

/** What somebody writes with it. */
const PROGRAM = `
import { connectHub, HubRequestError, type Change, type FeedOptions } from '@collections-hub/client'

const after: FeedOptions['after'] = process.env.AFTER
const hub = connectHub({ url: process.env.HUB_URL ?? '', token: process.env.HUB_USER ?? '' })
const made = await hub.request('POST', '/collections', { body: { name: 'Packed' } })
const name: string = (await hub.request('GET', '/collections/{id}', { path: { id: made.body.id } })).body.name
// @ts-expect-error There is no such path.
await hub.request('GET', '/nothing').catch((error) => console.log(error instanceof HubRequestError && error.status))
const stop = new AbortController()
const seen: Change[] = []
try {
  for await (const change of hub.changes({ after, signal: stop.signal })) {
    seen.push(change)
    stop.abort()
  }
} catch (error) {
  console.log(name, seen.length, seen[0]?.id === made.body.id, error instanceof Error && error.name)
}
`

test.before(async () => {
  project = await temporaryDirectory()
  const { path } = project
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', path], { cwd: CLIENT })
  const [tarball = ''] = readdirSync(path)
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...offline, `./${tarball}`], { cwd: path })
})

/** Compiles files as a project does that has nothing but the package; the types of Node come from here. */
async function compile(files: Readonly<Record<string, string>>, module: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.path, name), text)
  const compilerOptions = {
    ...{ strict: true, target: 'es2022', lib: ['es2023', 'dom', 'dom.asynciterable'], outDir: 'out' },
    ...(module === 'nodenext' ? { module } : { module: 'esnext', moduleResolution: module }),
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }
  }
  writeFileSync(join(project.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  return run(join(ROOT, 'node_modules/.bin/tsc'), [], { cwd: project.path }).then(
    () => 'compiled',
    (error: { readonly stdout: string }) => error.stdout
  )
}

test('it is what a program needs and no more: modules, types, the licence, how it is used', () => {
  const installed = join(project.path, 'node_modules/@collections-hub/client')
  assert.equal(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal([dependencies, peerDependencies], [undefined, undefined])
  assert.equal(readFileSync(join(installed, 'LICENSE'), 'utf8'), readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  assert.equal(
    readdirSync(join(installed, 'dist')).filter((name) => !/\.(js|d\.ts)$/.test(name)),
    []
  )
})

test('its version is that of the hub, and the tarball has the name that its README says', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const name = `collections-hub-client-${version}.tgz`
  assert.ok(readdirSync(project.path).includes(name))
  assert.ok(readFileSync(join(CLIENT, 'README.md'), 'utf8').includes(`npm install ./${name}`))
})

test('installed without a network, a program compiles with its types and works with a hub', async () => {
  assert.is(await compile({ 'program.ts': PROGRAM }, 'nodenext'), 'compiled')
  const env = {
    ...process.env,
    ...{ HUB_URL: world.hub.url, HUB_USER: world.owner.token, AFTER: String(world.position()) }
  }
  const { stdout } = await run(process.execPath, [join(project.path, 'out/program.js')], { env })
  assert.is(stdout, '404\nPacked 1 true AbortError\n')
})

test('what its README shows compiles, for Node and for bundlers', async () => {
  const [, shown = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? []
  assert.ok(shown.includes('connectHub'))
  for (const module of ['nodenext', 'bundler']) assert.is(await compile({ 'shown.ts': shown }, module), 'compiled')
})

test.run()

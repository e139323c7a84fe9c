import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const test = suite('npm pack')
let directory: TemporaryDirectory
/** Where the package lies as npm installs it. */
let installed: string
let files: readonly string[]

test.before(async () => {
  directory = await temporaryDirectory()
  const place = join(directory.path, 'lib/node_modules')
  installed = join(place, 'collections-hub')
  mkdirSync(installed, { recursive: true })
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', directory.path], { cwd: ROOT })
  const tarball = join(directory.path, `collections-hub-${manifest.version}.tgz`)
  await run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1'])
  files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(installed, join(entry.parentPath, entry.name)))
    .toSorted()
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'))
})

test('it holds no tests, no source maps and nothing that only a build needs', () => {
  assert.equal(
    files.filter((file) =>
      /(^|\/)(test|bench)\/|\.test\.|\.map$|\.ts$|tsbuildinfo|^dist\/(?!bin\/|console\/)/.test(file)
    ),
    []
  )
})

test('it holds every page for people, the licence, and the files that they tell of', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  assert.ok(pages.includes('limits.md'))
  const wanted = [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'server.yaml.example',
    'firestore.indexes.json'
  ]
  for (const file of [...wanted, ...pages.map((page) => `docs/${page}`)]) assert.ok(files.includes(file), file)
})

test('every link from a page to a file leads to a file of the package', () => {
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    const text = readFileSync(join(installed, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      const path = posix.join(dirname(page), target)
      assert.ok(
        files.some((file) => file === path || file.startsWith(posix.join(path, '/'))),
        `${page} links to ${target}`
      )
    }
  }
})

test('what its modules import is in it, or a dependency that is installed with it', () => {
  const modules = files.filter((file) => file.endsWith('.js') && file.startsWith('dist/'))
  assert.ok(modules.length > 10)
  for (const file of modules) {
    const code = readFileSync(join(installed, file), 'utf8')
    for (const [, fixed, lazy] of code.matchAll(
      /^(?:import|export)\b[^'"=(;]*?['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm
    )) {
      const name = fixed ?? lazy ?? ''
      if (builtinModules.includes(name.replace(/^node:/, ''))) continue
      const found = name.startsWith('.')
        ? files.includes(posix.join(dirname(file), name))
        : Object.keys(manifest.dependencies).some((one) => name === one || name.startsWith(`${one}/`))
      assert.ok(found, `${file} imports ${name}`)
    }
  }
})

test('each of its threads begins with a file that is in it', () => {
  const threads = files.flatMap((file) => {
    const code = file.startsWith('dist/bin/') ? readFileSync(join(installed, file), 'utf8') : ''
    return [...code.matchAll(/new URL\("\.\/(\w+\.js)", import\.meta\.url\)/g)].map(([, name = '']) => name)
  })
  assert.ok(threads.includes('rebuildThread.js'), threads.join())
  assert.equal(
    threads.filter((name) => !files.includes(`dist/bin/${name}`)),
    []
  )
})

test('what is installed sets up a hub in an empty directory and serves', async () => {
  const home = await newHome([process.execPath, join(installed, manifest.bin.hub)])
  assert.equal(await home.hub('--version'), { code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  const port = await freePort()
  home.configure({ port })
  const server = await home.start(['start', '--init'], 'First collection')
  assert.is((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
  assert.is((await server.stop()).code, 0)
})

test.run()

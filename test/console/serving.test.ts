import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import zlib from 'node:zlib'
import * as assert from 'uvu/assert'
import { consoleIn } from '../../src/http/console/files.js'
import { LIMITS } from '../../src/limits.js'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'
import { type HubOptions, startHub } from '../http/support.js'
import type { World } from '../http/world.js'
import { browserTests } from '../support/browser.js'
import { temporaryDirectory } from '../support/databases.js'
import { browserSuite } from './support/browser.js'
import { STAND_IN } from './support/standIn.js'

let world: World
/** A suite of the hub that is asked. */
const suiteOf = (name: string, options?: HubOptions) => {
  const { test, world: own } = hubSuite(name, sqlite, options)
  test.before(() => {
    world = own
  })
  return test
}
const ask = (path: string, headers = {}, method = 'GET') => world.hub.send({ method, path, headers })

const PAGES = ['/', '/console', '/console/', '/console/assets/index-Stand1nB.js']
const FILES = ['index-Stand1nA.css', 'index-Stand1nB.js', 'mark-Stand1nC.svg'].map((name) => `/console/assets/${name}`)

const test = suiteOf('the console over HTTP')

test('a browser that opens the hub, or the console without a slash, is led to the console by a relative path', async () => {
  for (const path of ['/', '/?from=mail', '/console', '/console?x']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await ask(path, {}, method)
      assert.equal([status, text, headers.location], [302, '', 'console/'], `${method} ${path}`)
    }
  }
})

test('the page and its files are those of the build, each with its type', async () => {
  const types: Readonly<Record<string, string>> = {
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml'
  }
  const page = await ask('/console/')
  assert.is(page.headers['content-type'], 'text/html; charset=utf-8')
  const asked = Array.from(page.text.matchAll(/(?:src|href)="\.\/([^"]+)"/g), ([, path]) => `/console/${path}`)
  assert.equal(asked.toSorted(), FILES)
  for (const path of asked) {
    const { status, headers } = await ask(path)
    assert.equal([status, headers['content-type']], [200, types[path.split('.').at(-1) ?? '']], path)
  }
})

test('all of it comes under one policy, and so do refusals', async () => {
  for (const path of [...PAGES, '/console/assets/nothing-Stand1nX.js']) {
    const { headers } = await ask(path)
    assert.equal(
      String(headers['content-security-policy']).split('; '),
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types dompurify console'
      ],
      path
    )
    const others = {
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()'
    }
    for (const [name, value] of Object.entries(others)) assert.is(headers[name], value, `${path} ${name}`)
    assert.is(headers['set-cookie'], undefined)
  }
})

test('the page is asked for each time, and sent again only when it is another one; its files are kept for a year', async () => {
  const ways = [['/console/', 'no-cache'], ...FILES.map((path) => [path, 'public, max-age=31536000, immutable'])]
  for (const [path = '', cache] of ways) {
    const { headers } = await ask(path)
    assert.is(headers['cache-control'], cache)
    const known = await ask(path, { 'if-none-match': headers.etag })
    assert.equal([known.status, known.text, known.headers['cache-control']], [304, '', cache])
    assert.is((await ask(path, { 'if-none-match': '"another"' })).status, 200)
    const head = await ask(path, {}, 'HEAD')
    assert.equal(
      [head.status, head.text, head.headers.etag, head.headers['content-length']],
      [200, '', headers.etag, headers['content-length']]
    )
  }
})

test('other names, and paths out of the directory, are 404', async () => {
  for (const name of ['index.html', '..%2Findex.html', '%2e%2e', '..%5cindex.html', 'toString', '__proto__', 'a%00'])
    assert.is((await ask(`/console/assets/${name}`)).status, 404, name)
  for (const path of ['/console/index.html', '/console/assets', '/console/assets/', '/console/a'])
    assert.is((await ask(path)).status, 404, path)
})

test.run()

const directory = await temporaryDirectory()
const CSS = 'main { color: #14212f; }\n'.repeat(400)
const FONT = randomBytes(2048)

/** Puts a console into the directory, in place of the one that is there. */
async function build(files: Readonly<Record<string, string | Buffer>> = {}): Promise<void> {
  await rm(directory.path, { recursive: true, force: true })
  await mkdir(join(directory.path, 'assets'), { recursive: true })
  await writeFile(join(directory.path, 'index.html'), '<!doctype html><title>Built</title>')
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory.path, 'assets', name), content)
}

const built = suiteOf('a console that is built while the hub runs', { consoleDirectory: directory.path })

built('before it is built the page says what to do, and the hub serves all the same', async () => {
  const error =
    'The console is not built here. Run `npm run build` where the hub is installed, then load this page again.'
  for (const path of ['/console/', '/console/']) {
    const { status, body, headers } = await ask(path)
    assert.equal([status, body], [404, { error }])
    assert.is(headers['cache-control'], undefined)
  }
  assert.is((await ask('/console/assets/a-12345678.js')).status, 404)
  assert.equal([(await ask('/')).status, (await ask('/health')).status], [302, 200])
})

built(
  'once it is built it is there, with the files that the build has named by their content and no others',
  async () => {
    const secret = join(directory.path, 'secret-12345678.js')
    await build({ 'a-12345678.css': CSS, 'f-_2345-78.woff2': FONT, 'plain.js': '1', 'a-12345678.css.map': '{}' })
    await writeFile(secret, 'no')
    await symlink(secret, join(directory.path, 'assets/link-12345678.js'))
    await mkdir(join(directory.path, 'assets/folder-12345678.js'))
    assert.match((await ask('/console/')).text, 'Built')
    const names = await readdir(join(directory.path, 'assets'))
    assert.is(names.length, 6)
    const served = await Promise.all(names.map(async (name) => [name, (await ask(`/console/assets/${name}`)).status]))
    assert.equal(
      served.filter(([, status]) => status !== 404),
      [
        ['a-12345678.css', 200],
        ['f-_2345-78.woff2', 200]
      ].filter(([name]) => names.includes(String(name)))
    )
  }
)

const DECODE = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync }
for (const encoding of ['br', 'gzip'] as const) {
  built(
    `a file as ${encoding}: the same content under the same tag in fewer bytes, each time the same ones`,
    async () => {
      const path = '/console/assets/a-12345678.css'
      const plain = await ask(path)
      const packed = await ask(path, { 'accept-encoding': encoding })
      assert.equal([plain.headers['content-encoding'], packed.headers['content-encoding']], [undefined, encoding])
      assert.is(String(DECODE[encoding](packed.bytes)), CSS)
      assert.ok(packed.bytes.length * 10 < CSS.length)
      for (const { headers } of [plain, packed])
        assert.equal([headers.etag, headers.vary], [plain.headers.etag, 'Accept-Encoding'])
      const again = await ask(path, { 'accept-encoding': encoding })
      assert.ok(again.bytes.equals(packed.bytes))
      const head = await ask(path, { 'accept-encoding': encoding }, 'HEAD')
      assert.is(head.headers['content-length'], String(packed.bytes.length))
      const known = await ask(path, { 'accept-encoding': encoding, 'if-none-match': packed.headers.etag })
      assert.equal([known.status, known.headers.vary], [304, 'Accept-Encoding'])
    }
  )
}

built('a font is sent as it is', async () => {
  const { headers, bytes } = await ask('/console/assets/f-_2345-78.woff2', { 'accept-encoding': 'br, gzip' })
  assert.equal([headers['content-type'], headers['content-encoding']], ['font/woff2', undefined])
  assert.ok(bytes.equals(FONT))
})

built('it stays the one that it was until the hub is started again: page and files are of one build', async () => {
  await build({ 'b-12345678.css': 'other' })
  assert.is((await ask('/console/assets/a-12345678.css')).text, CSS)
  assert.is((await ask('/console/assets/b-12345678.css')).status, 404)
})

built('one with too many files, or too large, is not read into memory', async () => {
  const max = { files: LIMITS.consoleFiles.max, bytes: LIMITS.consoleBytes.max }
  await build(Object.fromEntries(Array.from({ length: max.files }, (_, i) => [`${i}-12345678.js`, ''])))
  const failure = () => consoleIn(directory.path)().then(() => 'It was read.', String)
  assert.is(await failure(), `Error: The console has more than ${max.files} files.`)
  await build({ 'a-12345678.js': '' })
  await truncate(join(directory.path, 'assets/a-12345678.js'), max.bytes)
  assert.is(await failure(), `Error: The console is larger than ${max.bytes} bytes.`)
})

built.after(() => directory.remove())
built.run()

const cors = { origins: ['https://app.example.com'], credentials: true }
const config = { server: { host: '127.0.0.1', port: 1, cors } }
const shared = suiteOf('the console of a hub that pages of other origins may read', { config })

shared('is not theirs', async () => {
  const told = async (path: string) => {
    const { headers } = await ask(path, { origin: 'https://app.example.com' })
    return Object.keys(headers).filter((name) => name.startsWith('access-control'))
  }
  for (const path of [...PAGES, ...FILES]) assert.equal(await told(path), [], path)
  assert.is((await told('/health')).length, 3)
})

shared.run()

const off = suiteOf('a hub without a console', { config: { console: 'off' } })

off('knows none of its paths', async () => {
  for (const path of PAGES) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, body, headers } = await ask(path, {}, method)
      const message = `Route ${method}:${path} not found`
      assert.equal([status, body], [404, { message, error: 'Not Found', statusCode: 404 }])
      assert.equal([headers.allow, headers['content-security-policy']], [undefined, undefined])
    }
  }
})

off('does not offer it to who is invited, nor describe it', async () => {
  const { text } = await ask('/join?name=Ada&role=user&exp=2099-01-01T00:00:00.000Z')
  assert.not.match(text, 'Open in the browser')
  assert.not.match((await ask('/openapi.json')).text, '/console')
})

off('has one when it is started again, and not by a reload', async () => {
  world.hub.reconfigure({ console: 'on' })
  assert.is((await world.by(world.admin).post('/admin/config/reload')).status, 200)
  assert.is((await ask('/console/')).status, 404)
  assert.not.match((await ask('/join?name=Ada&role=user&exp=2099-01-01T00:00:00.000Z')).text, 'Open in the browser')
})

off.run()

const { test: seen, run } = browserSuite('the console in a browser', undefined, { consoleDirectory: STAND_IN })

seen(
  'whoever opens the address of the hub is at the console, signed in where the tab has a token',
  async ({ open, hub }) => {
    const page = await open('/', { token: hub.admin.token })
    await page.getByText('Signed in as Administrator.').waitFor()
    assert.is(page.url(), `${hub.url}/console/`)
    const other = await open('/console?x#/search?q=refund')
    await other.getByText('Nobody is signed in.').waitFor()
    assert.is(other.url(), `${hub.url}/console/#/search?q=refund`)
  }
)

seen('its style is in force, and what a browser has it does not ask for again', async ({ open }) => {
  const page = await open('#/')
  assert.is(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(20, 33, 47)')
  await page.goto('about:blank')
  await page.goto('#/')
  await page.getByText('Nobody is signed in.').waitFor()
  const sent = (end: string) =>
    page.evaluate(`performance.getEntriesByType('resource').find(({ name }) => name.endsWith('${end}')).transferSize`)
  assert.equal([await sent('.css'), await sent('.js')], [0, 0])
})

run()

const prefixed = browserTests('the console behind a proxy that takes a path off', async () => {
  const hub = await startHub(sqlite)
  const proxy = createServer(({ method, url = '', headers }, response) => {
    const path = url.replace(/^\/team\/hub/, '')
    request(`${hub.url}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    }).end()
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : 0
  const close = async () => {
    proxy.close()
    proxy.closeAllConnections()
    await hub.close()
  }
  return { hub, url: `http://127.0.0.1:${port}/team/hub`, close }
})

prefixed.test('all of it is found: by redirects, files and requests', async ({ server, newPage }) => {
  const { page, requests } = await newPage()
  await page.addInitScript({ content: `sessionStorage.setItem('hub.token', '${server.hub.admin.token}')` })
  for (const path of ['/', '/console', '/console/']) {
    await page.goto(`${server.url}${path}`)
    await page.getByText('Signed in as Administrator.').waitFor()
    assert.is(page.url(), `${server.url}/console/`)
  }
  assert.ok(requests.length > 10)
  for (const one of requests) assert.match(one, `GET ${server.url}/`)
})

prefixed.run()

import * as assert from 'uvu/assert'
import { TAGS } from '../../src/http/openapi/tags.js'
import { ASSETS } from '../../src/http/routes/openapi.js'
import { type Chromium, findChromium, sharedChromium } from '../support/chromium.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'

const { test, world } = hubSuite('the page of the interface', sqlite)
const get = (path: string, headers = {}) => world.hub.send({ method: 'GET', path, headers })

test('it asks for its own files, which are all there are, and for the description', async () => {
  const { text } = await get('/docs')
  const asked = Array.from(text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g), ([, path = '']) => path)
  assert.equal(asked.toSorted(), [...ASSETS.map((name) => `docs/${name}`), 'openapi.json'].toSorted())
  for (const path of asked) assert.is((await get(`/${path}`)).status, 200, path)
})

test('nothing on it is inline or from elsewhere, and no other site may frame it', async () => {
  for (const path of ['/docs', ...ASSETS.map((name) => `/docs/${name}`)]) {
    const { headers } = await get(path)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, "default-src 'none'")
    assert.match(policy, "frame-ancestors 'none'")
    assert.not.match(policy, /unsafe|https?:|\*/)
    assert.is(headers['x-content-type-options'], 'nosniff')
  }
  assert.not.match((await get('/docs')).text, /<script>|<style|style=|onclick/)
})

test('its files are kept by a browser, and not sent twice', async () => {
  for (const name of ASSETS) {
    const { headers } = await get(`/docs/${name}`)
    assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
    const again = await get(`/docs/${name}`, { 'if-none-match': headers.etag })
    assert.equal([again.status, again.text], [304, ''])
  }
})

test('other files of the package, and paths out of it, are 404', async () => {
  for (const path of [
    'swagger-ui.js',
    'package.json',
    'index.html',
    '..%2Fpackage.json',
    '%2e%2e%2f%2e%2e',
    'toString'
  ])
    assert.is((await get(`/docs/${path}`)).status, 404, path)
})

const SLOW = { timeout_ms: 60_000 }
const browser: Chromium = findChromium()
const inBrowser =
  'a browser shows every group of operations, says what one does and takes, fits a phone, and asks for nothing elsewhere'
if ('missing' in browser) test.skip(inBrowser, browser.missing)
else {
  test(
    inBrowser,
    async () => {
      const { browser: running, giveBack } = await sharedChromium(browser.path)
      const context = await running.newContext({ viewport: { width: 375, height: 800 } })
      try {
        const page = await context.newPage()
        page.setDefaultTimeout(SLOW.timeout_ms)
        const faults: string[] = []
        page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
        page.on('pageerror', (error) => faults.push(error.message))
        page.on('request', (request) => request.url().startsWith(world.hub.url) || faults.push(request.url()))
        await page.goto(`${world.hub.url}/docs`)
        await page.waitForSelector('.opblock-tag')
        assert.is(await page.locator('.opblock-tag').count(), Object.keys(TAGS).length)
        await page.locator('.opblock-tag').first().click()
        const operation = page.locator('#operations-collections-createCollection')
        await operation.locator('.opblock-summary-control').click()
        await operation.getByText('What it is called.').first().waitFor()
        assert.match(await operation.innerText(), 'Needs a token of a user')
        assert.is(await page.evaluate('document.documentElement.scrollWidth'), 375)
        assert.equal(
          faults.filter((fault) => !fault.startsWith('data:')),
          []
        )
      } finally {
        await context.close()
        giveBack()
      }
    },
    SLOW
  )
}

test.run()

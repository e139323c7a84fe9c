import * as assert from 'uvu/assert'
import { browserSuite } from './browser.js'
import { in_ms, queryOf, SECRET } from './invites.js'

const { test, run } = browserSuite('an invitation in a browser')
const invitation = `/join?${queryOf()}#code=${SECRET}`
const deepLink = `harborclient://team-hub/join?${queryOf()}&code=${SECRET}`

test('shows until when an invitation counts, in the time of the place', async ({ open }) => {
  const exp = '2099-07-01T10:00:00.000Z'
  const { page } = await open(`/join?${queryOf({ exp })}#code=${SECRET}`)
  const expires = await page.locator('dd').nth(2).innerText()
  assert.match(expires, /^Wed,? 1 July 2099(,| at) 12:00 (CEST|GMT\+2)\s+in [\d,]+ days$/)
  assert.is(await page.locator('time').getAttribute('datetime'), exp)
})

test('the button leads to the client, with the query unchanged and the code', async ({ open }) => {
  const { page, navigations } = await open(invitation)
  assert.is(await page.locator('#open').getAttribute('href'), deepLink)
  assert.equal(navigations, [], 'it must not start the client by itself')
  await page.getByRole('link', { name: 'Open in HarborClient' }).click()
  assert.match(await page.locator('#said').innerText(), 'Opening HarborClient')
  assert.equal(navigations, [deepLink])
})

test('the query is passed on letter by letter', async ({ open }) => {
  const query = `x=%2f&name=A+b%20c&role=admin&exp=${in_ms(60_000)}&url=http://h/&name=&q=a;b&q=%C3%A9&&=&url=~*()!`
  const { page } = await open(`/join?${query}#code=${SECRET}`)
  assert.is(await page.locator('#open').getAttribute('href'), `harborclient://team-hub/join?${query}&code=${SECRET}`)
})

test('a code with letters that mean something in a URL reaches the client whole', async ({ open }) => {
  const { page } = await open(`/join?${queryOf()}#code=${encodeURIComponent('hbi_a&b=c d#e+f%')}`)
  const href = (await page.locator('#open').getAttribute('href')) ?? ''
  assert.is(new URL(href).searchParams.get('code'), 'hbi_a&b=c d#e+f%')
})

test('no request carries the code, whatever is done with the page', async ({ open, server }) => {
  const { page, requests } = await open(invitation, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('#copy').click()
  await page.getByText('Copied', { exact: true }).waitFor()
  await page.locator('#open').click()
  await page.reload()
  assert.is(await page.locator('#open').getAttribute('href'), deepLink, 'the fragment survives a reload')
  const sent = requests.filter((request) => !request.startsWith('GET harborclient:'))
  const address = `http://127.0.0.1:${server.port}/join?${queryOf()}`
  assert.equal(
    sent.map((request) => request.split(' ')[1]),
    [address, address]
  )
  for (const line of [...sent, ...server.requests, ...server.log]) assert.not.match(line, SECRET.slice(4, 20))
})

test('the console is offered too, and gets the code and the name of who is invited, which no request carries', async ({
  open,
  server
}) => {
  const name = 'Ada & Bob #1'
  const code = 'hbi_a&b=c d#e+f%0123456789'
  const { page, requests } = await open(`/join?${queryOf({ name })}#code=${encodeURIComponent(code)}`)
  await page.getByRole('link', { name: 'Open in the browser' }).click()
  await page.getByRole('heading', { name: 'A stand-in for the console' }).waitFor()
  const { pathname, search, hash } = new URL(page.url())
  assert.equal([pathname, search], ['/console/', ''])
  const [route, handed] = hash.split('?')
  assert.is(route, '#/join')
  assert.equal(
    [...new URLSearchParams(handed)],
    [
      ['code', code],
      ['name', name]
    ]
  )
  for (const line of [...requests, ...server.requests, ...server.log]) assert.not.match(line, /hbi_|0123456789/)
})

test('the link can be copied, which is seen and announced', async ({ open }) => {
  const { page } = await open(invitation, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.is(await page.getByRole('status').filter({ hasText: 'Copied to your clipboard.' }).count(), 1)
  assert.is(await page.evaluate('navigator.clipboard.readText()'), deepLink)
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
  assert.is(await page.locator('#said').innerText(), '')
})

test('on plain http the link can be copied too', async ({ open }) => {
  const { page } = await open(invitation, { host: 'hub.internal' })
  assert.is(await page.evaluate('isSecureContext'), false)
  await page.locator('#copy').click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.is(await page.locator('#manual').isVisible(), false)
  assert.is(await page.evaluate('document.activeElement.id'), 'copy')
  const other = await open('/join', { permissions: ['clipboard-read'] })
  assert.is(await other.page.evaluate('navigator.clipboard.readText()'), deepLink)
})

test('where nothing may copy, the link is there to be copied by hand', async ({ open }) => {
  const script = `document.execCommand = () => false`
  const { page } = await open(invitation, { host: 'hub.internal', script })
  await page.locator('#copy').click()
  await page.getByRole('status').filter({ hasText: 'Copy the link from the field.' }).waitFor()
  assert.is(await page.getByRole('textbox', { name: 'Link to copy' }).inputValue(), deepLink)
  assert.is(await page.evaluate('getSelection().toString()'), deepLink)
})

run()

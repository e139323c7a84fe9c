import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { type Client, connectClient } from '../client.js'
import { in_ms, queryOf } from './invites.js'
import { type JoinServer, startJoinServer } from './server.js'

const test = suite('GET /join')
let server: JoinServer
let client: Client

test.before(async () => {
  server = await startJoinServer()
  client = connectClient(server.port)
})
test.after(async () => {
  client?.close()
  await server?.close()
})

const get = (query: string, method = 'GET') => client.send({ method, path: `/join${query}` })

for (const [what, query] of [
  ['an invitation', `?${queryOf()}`],
  ['an expired invitation', `?${queryOf({ exp: in_ms(-1) })}`],
  ['an incomplete link', '?name=Ada'],
  ['no query', ''],
  ['an empty query', '?'],
  ['a query that cannot be decoded', '?name=%zz&role=%E0%A4%A'],
  ['parameters that come twice', `?${queryOf()}&name=a&name=b&role[]=c`]
] as const) {
  test(`${what}: 200 with a page, without database and throttle store, and its headers`, async () => {
    const { status, headers, text } = await get(query)
    assert.is(status, 200)
    assert.match(text, /^<!doctype html>/)
    assert.is(headers['content-type'], 'text/html; charset=utf-8')
    assert.is(headers['cache-control'], 'no-store')
    assert.is(headers['referrer-policy'], 'no-referrer')
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['x-frame-options'], 'DENY')
    assert.is(headers['set-cookie'], undefined)
  })
}

test('the policy allows the script and the style that are served, and nothing else', async () => {
  const { headers, text } = await get(`?${queryOf()}`)
  const hash = (tag: string) => {
    const content = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(text)?.[1]
    if (content === undefined) throw new Error(`There is no ${tag}`)
    return `sha256-${createHash('sha256').update(content).digest('base64')}`
  }
  assert.equal(String(headers['content-security-policy']).split('; '), [
    "default-src 'none'",
    `script-src '${hash('script')}'`,
    `style-src '${hash('style')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ])
  assert.not.match(text, / (style|on\w+)=/)
})

test.run()

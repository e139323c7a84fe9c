import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { readCollection, whats } from './read.js'

const test = suite('recordings of browsers')

const har = (...entries: readonly object[]) => Buffer.from(JSON.stringify({ log: { version: '1.2', entries } }))
const sent = (postData: object) => ({
  request: { method: 'POST', url: 'https://x.test/a', headers: [], postData }
})
const bodyIn = (file: Uint8Array) => {
  const [item] = readCollection(file).tree.items
  if (item?.kind !== 'request') throw new Error('There is no request in it.')
  return JSON.parse(item.content.body)
}

const mimeType = 'application/x-www-form-urlencoded'
const row = (value: string) => [{ key: 'mail', value, enabled: true }]

test('a form is what was sent, whether its fields are encoded beside it, as by Chrome, or not', () => {
  for (const value of ['a%40x.test+b', 'a@x.test b'])
    assert.equal(
      bodyIn(har(sent({ mimeType, text: 'mail=a%40x.test+b', params: [{ name: 'mail', value }] }))),
      row('a@x.test b')
    )
})

test('a form that is not encoded as UTF-8 is sent as it was', () => {
  const [item] = readCollection(har(sent({ mimeType, text: 'mail=%FF' }))).tree.items
  assert.ok(item?.kind === 'request')
  const { body, bodyType, headers } = item.content
  assert.equal(
    [body, bodyType, headers],
    ['mail=%FF', 'text', [{ key: 'Content-Type', value: mimeType, enabled: true }]]
  )
})

test('a form of which there are fields alone is these', () =>
  assert.equal(bodyIn(har(sent({ mimeType, params: [{ name: 'mail', value: 'a@x.test' }] }))), row('a@x.test')))

test('what is no request of HTTP is left out, and named without what is in it', () => {
  const at = (url: string) => ({ request: { method: 'GET', url, headers: [] } })
  const { tree, notes } = readCollection(
    har(at('wss://x.test/a?key=secret'), at('data:text/plain,hi'), at('https://x.test/b'))
  )
  assert.equal(
    tree.items.map((item) => item.kind === 'request' && item.content.url),
    ['https://x.test/b']
  )
  assert.equal(
    notes.map(({ what, places }) => [what, places]),
    [
      [
        'Requests of other protocols than HTTP are not carried over.',
        ['A recorded request (wss:)', 'A recorded request (data:)']
      ]
    ]
  )
})

test('cookies that a recorded answer sets are in no document, and told', () => {
  const headers = [
    { name: 'Set-Cookie', value: 'session=s3cret' },
    { name: 'X-Kept', value: 'yes' }
  ]
  const response = { status: 200, statusText: 'OK', headers, content: { text: 'hi' } }
  const { tree, notes } = readCollection(har({ request: { method: 'GET', url: 'https://x.test/b' }, response }))
  assert.match(JSON.stringify(tree), 'X-Kept: yes')
  assert.not.match(JSON.stringify(tree), 's3cret')
  assert.equal(whats({ notes }), ['Cookies that a recorded answer sets are not carried over.'])
})

test('a recording in an archive is one of its parts', () => {
  const { parts } = readImport(zipSync({ 'page.har': strToU8(har(sent({})).toString()) }))
  assert.equal(
    parts.map(({ id, format }) => [id, format]),
    [['page.har', 'har']]
  )
})

test.run()

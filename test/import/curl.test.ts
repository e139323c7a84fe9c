import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { type CollectionRead, readCollection, requestsIn, whats } from './read.js'

const test = suite('lines that call curl')

const read = (text: string): CollectionRead => readCollection(Buffer.from(text), 'curl')
const said = (all: CollectionRead) => requestsIn(all.tree).map(({ method, url, body }) => [method, url, body])

test('what is told of a call repeats none of its secrets', () => {
  const { notes } = read(`curl -u me:secret https://me:secret@x.test/a?key=secret -T file
curl -H 'Authorization: Bearer secret' https://x.test/b -d @file
curl -X BREW -b session=secret https://x.test/c`)
  assert.not.match(JSON.stringify(notes), 'secret')
  assert.equal(
    notes.flatMap(({ places }) => places),
    ['curl /a', 'curl /b', 'curl /c']
  )
})

test('a file that is sent by itself is told, and sent by PUT', () => {
  const all = read('curl -T photo.png https://x.test/a\ncurl --upload-file photo.png https://x.test/b -X POST')
  assert.equal(said(all), [
    ['PUT', 'https://x.test/a', ''],
    ['POST', 'https://x.test/b', '']
  ])
  assert.equal(whats(all), ['A body that is a file is not carried over.'])
})

test('the name of a file is no body', () => {
  const all = read(`curl https://x.test/a --json @body.json
curl https://x.test/b --data-urlencode text@notes.txt`)
  assert.equal(said(all), [
    ['POST', 'https://x.test/a', ''],
    ['POST', 'https://x.test/b', '']
  ])
  assert.is(all.notes[0]?.count, 2)
})

test('the type of a field of a form is no part of its value', () => {
  const all = read(`curl https://x.test/a -F 'json={"a":1};type=application/json' --form-string 'b=c;type=d'`)
  const [request] = requestsIn(all.tree)
  assert.equal(
    JSON.parse(request?.body ?? '').map(({ value }: { readonly value: string }) => value),
    ['{"a":1}', 'c;type=d']
  )
  assert.equal(whats(all), ['The type of a single field of a form is not carried over.'])
})

test('the value of an option is not the URL', () => {
  const all = read(
    `curl --aws-sigv4 aws:amz:eu:es --cert-type PEM --noproxy '*' --connect-to a:1:b:2 -K file https://x.test/a`
  )
  assert.equal(said(all), [['GET', 'https://x.test/a', '']])
  assert.equal(whats(all), ['Authentication by "aws-sigv4" is not carried over: there is basic and bearer.'])
})

test('no option of curl that takes a value has it taken for the URL, and what it adds to the query is there', () => {
  const all = read(`curl --proto '=https' --tlsv1.2 -sSf https://x.test/a -H 'A: b'
curl --etag-save e.txt --hsts h.txt https://x.test/b
curl --url-query 'q=a b' --url-query '+c=%20d' https://x.test/c?x=1`)
  assert.equal(said(all), [
    ['GET', 'https://x.test/a', ''],
    ['GET', 'https://x.test/b', ''],
    ['GET', 'https://x.test/c?x=1&q=a%20b&c=%20d', '']
  ])
  assert.equal(all.notes, [])
})

test('calls with --next between them are requests of their own', () => {
  const [first, second, ...more] = said(read('curl https://x.test/a -d x=1 --next https://x.test/b -X DELETE'))
  assert.equal(
    [first?.slice(0, 2), second, more],
    [['POST', 'https://x.test/a'], ['DELETE', 'https://x.test/b', ''], []]
  )
})

test('a header may be empty, and one that is not to be sent is none', () => {
  const [request] = requestsIn(read(`curl https://x.test/a -H 'X-Empty;' -H 'Host:' -H 'Accept:'`).tree)
  assert.equal(request?.headers, [{ key: 'X-Empty', value: '', enabled: true }])
})

test('a form that is none, or is not encoded as UTF-8, is sent as it is written', () => {
  const form = `-H 'Content-Type: application/x-www-form-urlencoded'`
  const all = read(`curl https://x.test/a -d 'a=%FF'
curl https://x.test/b ${form} -d 'a=100%'
curl https://x.test/c ${form} -d '{"a":"=1"}'
curl https://x.test/d -d '?a=%C3%A9+1'`)
  const type = [{ key: 'Content-Type', value: 'application/x-www-form-urlencoded', enabled: true }]
  assert.equal(
    requestsIn(all.tree).map(({ body, bodyType, headers }) => [body, bodyType, headers]),
    [
      ['a=%FF', 'text', type],
      ['a=100%', 'text', type],
      ['{"a":"=1"}', 'text', type],
      ['[{"key":"?a","value":"é 1","enabled":true}]', 'urlencoded', []]
    ]
  )
})

test('bytes by their numbers are the text that they encode, and characters where they encode none, as browsers write', () => {
  const all = read(String.raw`curl https://x.test/a -d $'\303\251 \xc3\xa9 \0471\12'
curl https://x.test/b -d $'\xe9 \u00e9'`)
  assert.equal(
    requestsIn(all.tree).map(({ body }) => body),
    ["é é '1\n", 'é é']
  )
})

test('a user who authenticates otherwise than by basic is told', () =>
  assert.equal(whats(read('curl --digest -u me:p https://x.test/a')), [
    'Authentication by "digest" is not carried over: there is basic and bearer.'
  ]))

test('what browsers copy for the command line of Windows is read', () => {
  const all = read(`curl ^"https://x.test/a?b=1^&c=^%^20d^" ^\r
  -H ^"accept: */*^" ^\r
  -H ^"x-quoted: ^\\^"q^\\^"^" ^\r
  --data-raw ^"^{^\\^"a^\\^":^\\^"b^\\^"^}^"\r
curl "https://x.test/old" ^\r
  -H "accept: */*" ^\r
  --compressed\r
`)
  const [first, second] = requestsIn(all.tree)
  assert.equal(
    [first?.method, first?.url, first?.body, first?.headers.map(({ value }) => value)],
    ['POST', 'https://x.test/a?b=1&c=%20d', '{"a":"b"}', ['*/*', '"q"']]
  )
  assert.equal([second?.url, second?.headers.length], ['https://x.test/old', 1])
})

test.run()

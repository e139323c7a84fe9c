import { stringify } from 'yaml'

/** What is sent, on purpose with all that may go wrong on the way: texts that look like something else, and are to stay as they are. */

const http = (name: string, seq: number, details: object, more: object = {}) =>
  stringify({ info: { name, type: 'http', seq }, http: { method: 'GET', auth: 'inherit', ...details }, ...more })

/** A directory of OpenCollection, as Bruno writes it: every path of a request is its own. */
export const ORIGINAL = (base: string): Readonly<Record<string, string>> => ({
  'opencollection.yml': stringify({
    opencollection: '1.0.0',
    info: { name: 'Wire' },
    request: {
      headers: [
        { name: 'X-All', value: 'of all' },
        { name: 'X-Off', value: 'no', disabled: true }
      ],
      auth: { type: 'bearer', token: '{{token}}' },
      variables: [
        { name: 'base', value: base },
        { name: 'token', value: 'abc.def' },
        { name: 'word', value: 'a value' }
      ]
    }
  }),
  'query.yml': http('Query', 1, {
    url: '{{base}}/query?a=1&b=two%20words&empty=&c={{word}}',
    params: [
      { name: 'a', value: '1', type: 'query' },
      { name: 'b', value: 'two%20words', type: 'query' },
      { name: 'empty', value: '', type: 'query' },
      { name: 'c', value: '{{word}}', type: 'query' },
      { name: 'off', value: '1', type: 'query', disabled: true }
    ],
    headers: [
      { name: 'X-One', value: '{{word}}' },
      { name: 'X-Two', value: 'a: b' },
      { name: 'X-Disabled', value: 'no', disabled: true }
    ]
  }),
  'basic.yml': http('Basic', 2, { url: '{{base}}/basic', auth: { type: 'basic', username: 'u', password: 'p: w' } }),
  'bearer.yml': http('Bearer', 3, { url: '{{base}}/bearer', auth: { type: 'bearer', token: 'own' } }),
  'key.yml': http('Key', 4, {
    url: '{{base}}/key',
    headers: [{ name: 'Authorization', value: 'Own scheme' }],
    auth: { type: 'apikey', key: 'X-Key', value: '{{word}}', placement: 'header' }
  }),
  'json.yml': http('Json', 5, {
    method: 'POST',
    url: '{{base}}/json',
    body: { type: 'json', data: '{\n  "a": "{{word}}",\n  "b": [1, 2.50, "\\u00e9"]\n}' }
  }),
  'text.yml': http('Text', 6, {
    method: 'PUT',
    url: '{{base}}/text',
    body: { type: 'text', data: 'one\n  two\n\nthree' }
  }),
  'xml.yml': http('Xml', 7, { method: 'POST', url: '{{base}}/xml', body: { type: 'xml', data: '<a b="c">é</a>' } }),
  'form.yml': http('Form', 8, {
    method: 'POST',
    url: '{{base}}/form',
    body: {
      type: 'form-urlencoded',
      data: [
        { name: 'a', value: 'one two' },
        { name: 'b', value: '{{word}}&=' },
        { name: 'off', value: '1', disabled: true }
      ]
    }
  }),
  'multipart.yml': http('Multipart', 9, {
    method: 'POST',
    url: '{{base}}/multipart',
    body: {
      type: 'multipart-form',
      data: [
        { name: 'a', type: 'text', value: 'one two' },
        { name: 'off', type: 'text', value: '1', disabled: true }
      ]
    }
  }),
  ...Object.fromEntries(
    ['DELETE', 'PATCH', 'HEAD', 'OPTIONS'].map((method, i) => [
      `${method}.yml`,
      http(method, 10 + i, { method, url: `{{base}}/method/${method.toLowerCase()}` })
    ])
  ),
  'script.yml': http(
    'Script',
    14,
    { url: '{{base}}/script', headers: [{ name: 'X-Set', value: '{{made}}' }] },
    { runtime: { scripts: [{ type: 'before-request', code: "bru.setVar('made', 'by script')" }] } }
  ),
  'ask.yml': stringify({
    info: { name: 'Ask', type: 'graphql', seq: 15 },
    graphql: {
      ...{ method: 'POST', url: '{{base}}/graphql', auth: 'inherit' },
      body: { query: '{ a }', variables: '{"b": 1}' }
    }
  }),
  'folder/folder.yml': stringify({
    info: { name: 'Folder', type: 'folder', seq: 1 },
    request: { auth: { type: 'basic', username: 'of', password: 'folder' } }
  }),
  'folder/inherits.yml': http('Inherits', 1, { url: '{{base}}/folder/inherits' })
})

/** Commands that curl runs, each of a path of its own. */
export const CURL = (base: string): readonly string[] => [
  `curl '${base}/curl/get?a=1&b=%7Bx%7D' -H 'X-One: a b'`,
  `curl -X DELETE '${base}/curl/delete'`,
  `curl '${base}/curl/json' -H 'Content-Type: application/json' -d '{"a": "b c"}'`,
  `curl '${base}/curl/form' -d 'a=1' -d 'b=two'`,
  `curl '${base}/curl/text' -X PUT -H 'Content-Type: text/plain' --data-raw 'one & two'`,
  `curl -u 'user:pass word' '${base}/curl/basic'`,
  `curl '${base}/curl/bearer' -H 'Authorization: Bearer t.o.k'`,
  `curl '${base}/curl/multipart' -F 'a=one two' -F 'b=3'`
]

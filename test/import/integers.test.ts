import * as assert from 'uvu/assert'
import { writeExport } from '../../src/records/export/formats.js'
import { suite } from '../support/suite.js'
import { type CollectionRead, readCollection, requestsIn } from './read.js'

const test = suite('integers that are larger than numbers can tell apart')

const BIG = '12345678901234567890'
const read = (text: string): CollectionRead => readCollection(Buffer.from(text))
const requestIn = ({ tree }: CollectionRead) => requestsIn(tree)[0]
const valuesIn = ({ tree }: CollectionRead) => tree.settings.variables.map(({ value }) => value)

const postman = (values: readonly string[]) =>
  `{"info":{"name":"\\"${BIG}","_postman_id":"p"},"item":[],"variable":[${values.map((one) => `{"key":"k","value":${one}}`)}]}`

test('are kept by a file in JSON, and everything beside them as it is', () => {
  const others = [`"\\\\\\"${BIG}"`, '0.12345678901234567890', '1e400', '9007199254740991', `-${BIG}`]
  const imported = read(postman([BIG, `{"a":[${BIG},"${BIG}"]}`, ...others]))
  assert.equal(valuesIn(imported), [
    BIG,
    `{"a":[${BIG},"${BIG}"]}`,
    `\\"${BIG}`,
    '0.12345678901234568',
    'Infinity',
    '9007199254740991',
    `-${BIG}`
  ])
  assert.is(imported.tree.name, `"${BIG}`)
})

test('are kept by a file in YAML', () => {
  const data = `{ big: ${BIG}, small: 7, deep: { list: [${BIG}] } }`
  const imported = read(
    `type: collection.insomnia.rest/5.0\nname: N\ncollection: []\nenvironments:\n  name: B\n  data: ${data}\n`
  )
  assert.equal(valuesIn(imported), [BIG, '7', `[${BIG}]`])
})

test('are kept in bodies: of examples, which an export keeps too, and of variables of GraphQL', () => {
  const example = `{"id":${BIG},"text":"${BIG}"}`
  const body = `{"content":{"application/json":{"example":${example}}}}`
  const document = `{"openapi":"3.1.0","info":{"title":"T"},"paths":{"/a":{"post":{"requestBody":${body}}}}}`
  const imported = read(document)
  const meant = `{\n  "id": ${BIG},\n  "text": "${BIG}"\n}`
  assert.is(requestIn(imported)?.body, meant)
  assert.is(requestIn(read(Buffer.from(writeExport(imported.tree, 'openapi').bytes).toString()))?.body, meant)
  const graphql = JSON.stringify({ query: '{ a }', variables: `{"id":${BIG}}` })
  const asked = `{"url":"https://x.test","method":"POST","body":{"mode":"graphql","graphql":${graphql}}}`
  const sent = requestIn(read(`{"info":{"name":"N","_postman_id":"p"},"item":[{"name":"Q","request":${asked}}]}`))
  assert.is(sent?.body, `{"query":"{ a }","variables":{"id":${BIG}}}`)
})

test.run()

import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { USUAL_BOUNDS } from '../../src/config/importBounds.js'
import type { EnvironmentOfFile } from '../../src/records/formats/model.js'
import { parentsFirst } from '../../src/records/import/environments/parentsFirst.js'
import { readImport } from '../../src/records/import/formats.js'
import type { ImportFormat } from '../../src/records/import/imported.js'
import { suite } from '../support/suite.js'
import { valuesOf } from './read.js'

const test = suite('environments in files of other tools')

const read = (content: unknown, format?: ImportFormat) =>
  readImport(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), { format })
/** What an environment says, variable by variable. */
const said = ({ name, variables, parent }: EnvironmentOfFile) => [
  parent === null ? name : `${name} below ${parent}`,
  ...valuesOf(variables)
]

const staging = {
  id: 'e1',
  name: 'Staging',
  values: [
    { key: 'host', value: 'https://staging.test', type: 'default', enabled: true },
    { key: 'token', value: 't', type: 'secret', enabled: true },
    { key: 'old', value: 1, enabled: false }
  ],
  _postman_variable_scope: 'environment'
}

test('Postman: an environment alone, as a file, and as its interface answers with it', () => {
  for (const content of [staging, { environment: staging }]) {
    const { format, tree, environments } = read(content)
    assert.equal([format, tree], ['postman', null])
    assert.equal(environments.map(said), [['Staging', 'host=https://staging.test', 'token*=t', '~old=1']])
    assert.is(environments[0]?.sourceId, 'e1')
  }
})

test('Postman: globals are an environment', () => {
  const globals = { id: 'g', values: [{ key: 'a', value: '1' }], _postman_variable_scope: 'globals' }
  assert.equal(read(globals).environments.map(said), [['Globals', 'a=1']])
})

test('Postman: a variable of a collection that is a secret is kept from others', () => {
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  const variable = [{ key: 'key', value: 'k', type: 'secret' }]
  const { tree } = read({ info: { name: 'C', schema }, variable, item: [] })
  assert.equal(valuesOf(tree?.settings.variables ?? []), ['key*=k'])
})

const base = { _id: 'env_1', _type: 'environment', parentId: 'wrk_1', name: 'Base Environment', data: { host: 'h' } }
const sub = {
  ...{ _id: 'env_2', _type: 'environment', parentId: 'env_1', name: 'Mine', isPrivate: true },
  data: { user: { name: '{{ _.host }}' } }
}
const workspace = { _id: 'wrk_1', _type: 'workspace', name: 'API' }

test('Insomnia 4: environments of a collection add to its variables, which the base environment is', () => {
  const request = { _id: 'req_1', _type: 'request', parentId: 'wrk_1', name: 'R', url: 'https://x.test', method: 'GET' }
  const { tree, environments, notes } = read({ _type: 'export', resources: [workspace, base, sub, request] })
  assert.equal(valuesOf(tree?.settings.variables ?? []), ['host=h'])
  assert.equal(environments.map(said), [['Mine', 'user.name*={{host}}']])
  assert.equal(notes, [])
})

test('Insomnia 4: an export of environments alone keeps what adds to what', () => {
  const { format, tree, environments } = read({ _type: 'export', resources: [workspace, sub, base] })
  assert.equal([format, tree], ['insomnia', null])
  assert.equal(environments.map(said), [
    ['Base Environment', 'host=h'],
    ['Mine below env_1', 'user.name*={{host}}']
  ])
})

test('Insomnia 5: a global environment, whose empty base is left out, and those of a collection', () => {
  const file = (data: string) => `type: environment.insomnia.rest/5.0
name: Team
environments:
  name: Base Environment
  meta: {id: env_b}
  data: ${data}
  subEnvironments:
    - {name: Dev, meta: {id: env_d}, data: {host: d}}
`
  assert.equal(read(file('{a: 1}')).environments.map(said), [
    ['Team', 'a=1'],
    ['Dev below env_b', 'host=d']
  ])
  assert.equal(read(file('{}')).environments.map(said), [['Dev', 'host=d']])
  const collection = file('{a: 1}').replace('environment.insomnia', 'collection.insomnia')
  const { tree, environments } = read(collection)
  assert.equal([tree?.settings.variables.map(({ key }) => key), environments.map(said)], [['a'], [['Dev', 'host=d']]])
})

const BRU = `vars {
  host: https://prod.test
  @description('why: because')
  ~off: 1
}
vars:secret [
  token,
  ~old
]
`

test('Bruno: environments of a folder and of an export, whose secrets have no values', () => {
  const files = {
    'api/bruno.json': '{"name":"API"}',
    'api/environments/Prod.bru': BRU,
    'api/environments/Local.bru': 'vars {\n  host: http://localhost\n}\n'
  }
  const archive = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
  const prod = ['Prod', 'host=https://prod.test', '~off=1', 'token*=', '~old*=']
  assert.equal(readImport(archive).environments.map(said), [prod, ['Local', 'host=http://localhost']])
  const variables = [
    { name: 'host', value: 'h', enabled: true, secret: false },
    { name: 'key', value: '', enabled: true, secret: true }
  ]
  const exported = { name: 'API', version: '1', items: [], environments: [{ name: 'Prod', variables }] }
  assert.equal(read(exported).environments.map(said), [['Prod', 'host=h', 'key*=']])
})

test('Bruno: environments alone, of a file of their own, as JSON or as they stand in a folder', () => {
  const info = { type: 'bruno-environment' }
  const one = { name: 'One', variables: [{ name: 'a', value: '1', enabled: true }] }
  for (const content of [{ ...one, info }, [{ ...one, info }], { info, environments: [one] }])
    assert.equal(read(content).environments.map(said), [['One', 'a=1']])
  assert.equal(read(BRU).environments.map(said), [
    ['Environment', 'host=https://prod.test', '~off=1', 'token*=', '~old*=']
  ])
})

test('of environments that a file calls the same the first is carried over, and the others are told', () => {
  const files = Object.fromEntries(
    ['a', 'b'].map((folder) => [`${folder}/Local.bru`, strToU8(`vars {\n  host: ${folder}\n}\n`)])
  )
  const { environments, notes } = readImport(zipSync(files))
  assert.equal(environments.map(said), [['Local', 'host=a']])
  const what = 'Of environments of the same name the first is carried over.'
  assert.equal(notes, [{ what, count: 1, places: ['Local'] }])
})

test('environments are told apart, and named by what adds to them, as they are called here: without the blanks around', () => {
  const environment = (name: string, more: object = {}) => ({ name, variables: [], ...more })
  const environments = [environment('Base '), environment('Layer', { extends: 'Base ' }), environment('Base')]
  const file = { opencollection: '1.0.0', info: { name: 'C' }, config: { environments }, items: [] }
  const { environments: found, notes } = read(file)
  assert.equal(found.map(said), [['Base'], ['Layer below Base']])
  assert.equal(
    notes.map(({ what }) => what),
    ['Of environments of the same name the first is carried over.']
  )
})

test('a name that is none becomes one, and a list that is too long is refused', () => {
  assert.is(read({ ...staging, name: '' }).environments[0]?.name, 'Environment')
  const values = Array.from({ length: 40_001 }, (_, i) => ({ key: `k${i}`, value: '' }))
  assert.throws(() => read({ ...staging, values }), /more than 40000 entries/)
})

const asked = { _id: 'req_1', _type: 'request', parentId: 'wrk_1', name: 'R', method: 'GET', url: 'https://x.test' }

test('Insomnia: a secret of the base environment is kept from others', () => {
  const kvPairData = [{ name: 'key', value: 'k', type: 'secret', enabled: true }]
  const data = { host: 'h', key: 'k' }
  const four = { _type: 'export', resources: [workspace, { ...base, data, kvPairData }, asked] }
  const five = {
    type: 'collection.insomnia.rest/5.0',
    name: 'API',
    collection: [],
    environments: { name: 'Base', data, kvPairData }
  }
  for (const content of [four, five])
    assert.equal(valuesOf(read(content).tree?.settings.variables ?? []), ['host=h', 'key*=k'])
})

test('Insomnia: variables whose names are no words are named as they are', () => {
  const data = { 'api-key': 'k', url: `{{ _['api-key'] }}/{{_["b.c"]}}` }
  const { tree } = read({ _type: 'export', resources: [workspace, { ...base, data }, asked] })
  assert.is(tree?.settings.variables[1]?.value, '{{api-key}}/{{b.c}}')
})

test('environments that add to each other in a long row are planned', async () => {
  const most = 20_000
  const environments = Array.from({ length: most }, (_, i) => ({ name: `${i}`, extends: `${i + 1}`, variables: [] }))
  const { environments: found } = readImport(
    Buffer.from(JSON.stringify({ opencollection: '1.0.0', info: { name: 'C' }, items: [], config: { environments } })),
    { bounds: { ...USUAL_BOUNDS, maxItems: most } }
  )
  const sorted = parentsFirst(found)
  assert.equal([sorted.length, sorted[0]?.name, sorted.at(-1)?.name], [most, `${most - 1}`, '0'])
})

test('Postman: an environment of which a variable has no name is one all the same', () => {
  const values = [{ value: 'x' }, { key: 'a', value: '1' }]
  assert.equal(read({ name: 'E', values, _postman_variable_scope: 'environment' }).environments.map(said), [
    ['E', '=x', 'a=1']
  ])
})

test.run()

import * as assert from 'uvu/assert'
import { isReference } from '../../../clients/console/src/model/secrets.js'
import { type Shared, textsSent } from '../../../clients/console/src/model/sent.js'
import {
  meaningOf,
  namesIn,
  namesWithin,
  takingApart,
  variablesOf
} from '../../../clients/console/src/model/variables.js'
import type { Schemas } from '../../../clients/typescript/src/index.js'
import { suite } from '../../support/suite.js'

const test = suite('what the variables of a request stand for')
const NO_AUTH = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } } as const

const request = (given: Partial<Schemas['SavedRequest']>) =>
  // What is sent depends on nothing else of a saved request.
  ({
    ...{ method: 'POST', url: '', headers: [], params: [], auth: NO_AUTH, body: '', bodyType: 'none' },
    ...given
  }) as unknown as Schemas['SavedRequest']

const row = (key: string, value: string, enabled = true) => ({ key, value, enabled })
const set = (values: Readonly<Record<string, string>>) =>
  variablesOf([
    {
      name: 'Staging',
      variables: Object.entries(values).map(([key, value]) => ({
        ...{ key, value, defaultValue: '', share: true, enabled: true }
      }))
    }
  ])
const namesOf = (given: Partial<Schemas['SavedRequest']>, shared: Shared | null) =>
  namesIn(textsSent(request(given), shared))

test('what a collection adds to a request counts as its own texts do, and not where the request has its own', () => {
  const bearer = { ...NO_AUTH, type: 'bearer', bearer: { token: '{{session}}' } } as const
  const shared = { headers: [row('X-Team', '{{team}}'), row('X-Off', '{{off}}', false)], auth: bearer }
  assert.equal(namesOf({ url: '{{base}}/a' }, shared), ['base', 'team', 'session'])
  const basic = { ...NO_AUTH, type: 'basic', basic: { username: '{{user}}', password: '{{pass}}' } } as const
  assert.equal(namesOf({ headers: [row('x-team', 'mine')], auth: basic }, shared), ['user', 'pass'])
})

test('of a request counts what is sent of it: its parameters, and its body where it has one', () => {
  const body = JSON.stringify([row('{{field}}', '{{ value }}'), row('off', '{{off}}', false)])
  const params = [row('q', '{{query}}'), row('off', '{{off}}', false)]
  assert.equal(namesOf({ params, body, bodyType: 'urlencoded' }, null), ['query', 'field', 'value'])
  assert.equal(namesOf({ body: '{{left}}', bodyType: 'none' }, null), [])
  assert.equal(namesOf({ body: '{"a": {{n}}}', bodyType: 'json' }, null), ['n'])
})

test('a name within what another variable stands for counts, however deep, and each once', () => {
  const variables = set({ base: 'https://{{host}}', host: '{{region}}.api.test', self: '{{self}}{{base}}' })
  assert.equal(namesWithin(['{{base}} {{self}}'], variables), ['base', 'self', 'host', 'region'])
})

test('what a variable stands for is told with what it refers to, but for secrets and what nothing sets', () => {
  const variables = set({ base: 'https://{{host}}/{{apiKey}}/{{none}}', host: 'api.test', apiKey: 'k-1', empty: '' })
  assert.is(meaningOf('base', variables), 'https://api.test/{{apiKey}}/{{none}} (Staging)')
  assert.is(meaningOf('apiKey', variables), 'Secret (Staging)')
  assert.is(meaningOf('empty', variables), 'Empty (Staging)')
  assert.is(meaningOf('none', variables), 'Nothing sets this variable.')
})

test('a reference that is never closed is looked through once', () => {
  const unclosed = `{{a${' '.repeat(1_000_000)}`
  assert.equal(namesIn([unclosed, '{{ b }}', '{{ c d }}', '{{ }}', '{{}}']), ['b', 'c d'])
})

test('what is nothing but references is told from what only begins so, however many there are', () => {
  for (const value of ['{{a}}', ' Bearer {{a}} ', 'basic {{a}}{{b}} Bearer{{c}}']) assert.ok(isReference(value), value)
  const many = '{{a}} '.repeat(100_000)
  assert.ok(isReference(many))
  for (const value of ['', 'Bearer', '{{a}} b', `${many}b`, `{{a}}${' '.repeat(100_000)}b`])
    assert.not.ok(isReference(value))
})

test('what stands for itself many times is told up to a bound', () => {
  const many = (name: string) => `{{${name}}}`.repeat(100)
  assert.ok(meaningOf('a', set({ a: many('b'), b: many('a') })).length < 10_000)
})

test('a text is taken apart in the pieces in which it is drawn, and a reference may stand in several', () => {
  const take = takingApart('{"n": {{ n }}}')
  assert.equal(take(5), [{ text: '{"n":' }])
  assert.equal(take(3), [{ text: ' ' }, { text: '{{', name: 'n' }])
  assert.equal(take(100), [{ text: ' n }}', name: 'n' }, { text: '}' }])
  assert.equal(take(1), [])
})

test.run()

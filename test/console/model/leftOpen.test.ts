import * as assert from 'uvu/assert'
import { leftOpenText } from '../../../clients/console/src/model/leftOpen.js'
import type { Sent } from '../../../clients/console/src/model/sent.js'
import { variablesOf } from '../../../clients/console/src/model/variables.js'
import { suite } from '../../support/suite.js'

const test = suite('what is left open in a copied request')

const variable = (key: string, value: string, share = true) => ({
  ...{ key, value, defaultValue: '', share, enabled: true }
})
const variables = variablesOf([
  {
    name: 'Staging',
    variables: [
      variable('apiKey', 'k'),
      variable('own', 'm', false),
      variable('none', ''),
      variable('self', '{{self}}')
    ]
  }
])
const NOTHING: Sent = { method: 'GET', url: 'https://h/v1', headers: [], basic: null, body: null }
const said = (given: Partial<Sent>, withSecrets = false) =>
  leftOpenText({ ...NOTHING, ...given }, { variables, withSecrets })

test('each reference is named once with its reason, wherever it stands', () => {
  const sent: Partial<Sent> = {
    url: 'https://h/{{a}}/:line/:none?q={{ a }}',
    headers: [{ name: 'X-Key', value: '{{apiKey}} {{$uuid}}' }],
    basic: { user: '{{own}}', password: '{{self}}' },
    body: { is: 'text', text: '{"x": "{{b}}"}' }
  }
  const open = ':line (nothing sets it), :none (empty), {{a}} (nothing sets it)'
  const rest = '{{self}} (it stands for itself), {{b}} (nothing sets it).'
  const uuid = '{{$uuid}} (made anew for each request)'
  assert.is(said(sent), `Not filled in: ${open}, {{apiKey}} (secret), ${uuid}, {{own}} (secret), ${rest}`)
})

test('fields of forms count too', () => {
  const fields = [{ name: '{{a}}', value: '{{b}}' }]
  const text = 'Not filled in: {{a}} (nothing sets it), {{b}} (nothing sets it).'
  assert.is(said({ body: { is: 'urlencoded', fields } }), text)
  assert.is(said({ body: { is: 'multipart', parts: fields.map((one) => ({ ...one, isFile: false })) } }), text)
})

test('of many only the first are named, and where all is filled in nothing is said', () => {
  const text = Array.from({ length: 14 }, (_, i) => `{{v${i}}}`).join('')
  assert.match(said({ body: { is: 'text', text } }) ?? '', /\{\{v11\}\} \(nothing sets it\), and 2 more\.$/)
  assert.is(said({ body: { is: 'text', text: '{"a": {"b": {}}}' } }), null)
})

test.run()

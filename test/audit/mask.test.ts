import * as assert from 'uvu/assert'
import { MASK, maskedIn } from '../../src/audit/mask.js'
import { suite } from '../support/suite.js'

const test = suite('secrets in what the audit log and agents show')

test('the environment of a run command is masked, and its names are not', () => {
  const runCommandEnv = [{ key: 'API_KEY', value: 's3cret', enabled: true }]
  assert.equal(maskedIn({ runCommandEnv }), { runCommandEnv: [{ key: 'API_KEY', value: MASK, enabled: true }] })
})

test('what an auth block of any shape holds under the name of a secret is masked', () => {
  const secrets = { clientSecret: 's', accessToken: 't', api_key: 'k', PASSWORD: 'p' }
  const others = { clientId: 'id', scope: 'read', accessTokenUrl: 'https://issuer', secret: '' }
  const shown = Object.fromEntries(Object.keys(secrets).map((name) => [name, MASK]))
  assert.equal(maskedIn({ auth: { oauth2: { ...secrets, ...others } } }), { auth: { oauth2: { ...shown, ...others } } })
  assert.equal(maskedIn({ auth: { type: 'x', secret: 's' } }), { auth: { type: 'x', secret: MASK } })
  assert.equal(maskedIn({ token: 'a word of its own' }), { token: 'a word of its own' })
})

test.run()

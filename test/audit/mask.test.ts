import * as assert from 'uvu/assert'
import { MASK, masked, maskedIn, shown } from '../../src/trust/audit/mask.js'
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
  assert.equal(maskedIn({ auth: { password: 1234, port: 80 } }), { auth: { password: MASK, port: 80 } })
  assert.equal(maskedIn({ token: 'a word of its own' }), { token: 'a word of its own' })
})

test('all that an auth block holds below the name of a secret is masked, but for what says how it is sent', () => {
  const auth = (value: string, access: string) => ({
    type: 'apikey',
    apikey: { in: 'header', name: 'X-Sesame', value },
    oauth2: { token: { type: 'bearer', tokenUrl: 'https://issuer', pair: [{ access }, access] }, scope: 'read' },
    bearer: [
      { name: 'token', value },
      { name: 'in', value: 'header' }
    ]
  })
  assert.equal(maskedIn({ auth: auth('s3cret', 'open') }), { auth: auth(MASK, MASK) })
  for (const path of ['/auth/apikey/value', '/auth/token/value', '/auth/bearer/0/value'])
    assert.equal(shown({ path, from: 'old', to: '' }, [masked], 'livePage'), { path, from: MASK, to: '' }, path)
  for (const path of ['/auth/apikey/in', '/auth/oauth2/tokenUrl', '/auth/basic/username', '/authors/token/value'])
    assert.equal(shown({ path, from: 'old' }, [masked], 'livePage'), { path, from: 'old' }, path)
})

test('the value of a header that usually holds a secret is masked, and references to variables in it are not', () => {
  const header = (key: string, value: string) => ({ key, value, enabled: true })
  const plain = [header('Accept', 'text/plain'), header('Authorization', 'Bearer {{token}}'), header('Cookie', '')]
  const secret = ['authorization', 'Proxy-Authorization', 'X-Api-Key', 'Cookie', 'Private-Token']
  const headers = [...plain, ...secret.map((key) => header(key, 'Bearer sesame'))]
  const expected = [...plain, ...secret.map((key) => header(key, MASK))]
  assert.equal(maskedIn({ requests: [{ headers }] }), { requests: [{ headers: expected }] })
  assert.equal(maskedIn({ headers: [{ name: 'Authorization', value: 'Basic eA==' }] }), {
    headers: [{ name: 'Authorization', value: MASK }]
  })
  assert.equal(maskedIn({ headers: { Accept: 'a', Authorization: 'b' } }), {
    headers: { Accept: 'a', Authorization: MASK }
  })
})

test('the value of a header whose name a change does not tell is masked', () => {
  const change = { path: '/headers/0/value', from: 'Bearer old', to: 'Bearer {{token}}' }
  assert.equal(shown(change, [masked], 'request'), { ...change, from: MASK })
  const whole = { path: '/headers/0', to: { key: 'Authorization', value: 'Bearer new', enabled: true } }
  assert.equal(shown(whole, [masked], 'request'), { ...whole, to: { ...whole.to, value: MASK } })
  const others = { path: '/headers', from: [], to: [{ key: 'Accept', value: 'text/plain', enabled: true }] }
  assert.equal(shown(others, [masked], 'request'), others)
})

test('of the address that a webhook leads to its host is shown alone, and every other address as it is', () => {
  const url = 'https://example.com/hooks/sesame?key=open'
  const change = { path: '/url', from: 'https://example.com/', to: url }
  assert.equal(shown(change, [masked], 'webhook'), { ...change, to: `https://example.com/${MASK}` })
  assert.equal(shown(change, [masked], 'request'), change)
  assert.equal(shown({ path: '/url', to: 'no address' }, [masked], 'webhook'), { path: '/url', to: MASK })
})

test('what holds a reference beside a secret is masked', () => {
  const held = (value: string) => maskedIn({ headers: [{ key: 'Cookie', value, enabled: true }] })
  for (const value of ['Bearer sesame{{token}}', '{{token}} sesame', 'sesame {{token}}'])
    assert.equal(held(value), held(MASK), value)
})

test('a name of digits alone is looked through once', () => {
  const held = (value: string) => ({ auth: { ['0'.repeat(1_000_000)]: [{ name: 'token', value }] } })
  assert.equal(maskedIn(held('sesame')), held(MASK))
})

test('a name of any length is looked through once', () => {
  const key = 'token'.repeat(100_000)
  const held = (value: string) => ({
    headers: [
      { key, value: { nested: 'x' } },
      { key, value }
    ],
    auth: { headers: { [key]: { nested: value } } }
  })
  assert.equal(maskedIn(held('sesame')), held(MASK))
})

test.run()

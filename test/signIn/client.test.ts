import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { aHubWithProvider, assertRefused } from './setting.js'

const test = suite('what the hub proves itself to a provider with')

const ways: readonly (readonly [what: string, methods: readonly string[] | undefined, isBasic: boolean])[] = [
  ['that does not say what it takes', undefined, true],
  ['that takes either', ['client_secret_post', 'client_secret_basic'], true],
  ['that takes it in the form alone', ['client_secret_post', 'private_key_jwt'], false]
]

test('a provider gets the secret in the header, or in the form where it takes it there alone', async () => {
  const setting = await aHubWithProvider({}, () => ways.map((_, i) => ({ id: `fresh-${i}` })))
  for (const [i, [what, methods, isBasic]] of ways.entries()) {
    setting.provider.says = { metadata: { token_endpoint_auth_methods_supported: methods } }
    const back = await setting.browser().signIn(`fresh-${i}`)
    assert.is(back.status, 302, await back.text())
    assert.is(setting.provider.wasBasic, isBasic, `one ${what}`)
  }
})

test('a provider that does not take the secret signs nobody in, and the secret is told nowhere', async () => {
  const setting = await aHubWithProvider({ clientSecret: 'secret-that-is-wrong' })
  setting.provider.issued.add('secret-that-is-wrong')
  const refusal = { status: 502, says: /Whoever runs the hub finds why in its log/ }
  await assertRefused(setting, refusal, (browser) => browser.signIn())
  assert.ok(setting.hub.log.some(({ why }) => why === 'The provider says invalid_client.'))
})

test.run()

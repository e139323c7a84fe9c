import { createSecretKey } from 'node:crypto'
import { exportSPKI, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { CLIENT_SECRET, type Saying } from './fakeProvider.js'
import { aHubWithProvider, assertRefused, type Setting } from './setting.js'

/** ID tokens, and what else says who somebody is: each row is one that is wrong, and lets nobody in. */
const test = suite('what a provider says of somebody, wrong')
let setting: Setting

// It claims to sign in every way that there is, so that the hub's own list is what refuses.
const METADATA = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] }

test.before(async () => {
  setting = await aHubWithProvider()
  setting.provider.says = { metadata: METADATA }
})

const now = () => Math.floor(Date.now() / 1000)
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function byAnotherKey(payload: JWTPayload, { kid = '' }: JWK): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256')
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
}

async function byPublicKey(payload: JWTPayload, own: JWK): Promise<string> {
  const key = await importJWK(own, 'RS256', { extractable: true })
  if (key instanceof Uint8Array) throw new Error('The key of the provider is none of RSA.')
  const secret = createSecretKey(Buffer.from(await exportSPKI(key)))
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: own.kid ?? '' }).sign(secret)
}

const byClientSecret = (payload: JWTPayload, { kid = '' }: JWK) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid }).sign(createSecretKey(Buffer.from(CLIENT_SECRET)))
const byNobody = async (payload: JWTPayload) => `${part({ alg: 'none' })}.${part(payload)}.`
const byNobodyButNamed = async (payload: JWTPayload, { kid }: JWK) => `${part({ alg: 'none', kid })}.${part(payload)}.`

const NOT_ACCEPTED = { status: 502, says: /The provider answered something that the hub does not accept/ }

const wrong: readonly (readonly [name: string, says: () => Saying])[] = [
  ['by another issuer', () => ({ claims: { iss: 'https://other.example.com' } })],
  ['by no issuer', () => ({ claims: { iss: undefined } })],
  ['for another client', () => ({ claims: { aud: 'other' } })],
  ['for nobody', () => ({ claims: { aud: undefined } })],
  ['for other clients', () => ({ claims: { aud: ['other', 'another'], azp: 'hub' } })],
  ['for several clients, without the one that asked', () => ({ claims: { aud: ['hub', 'other'] } })],
  ['for several clients, of which another one asked', () => ({ claims: { aud: ['hub', 'other'], azp: 'other' } })],
  ['for a client that did not ask', () => ({ claims: { azp: 'other' } })],
  ['with another nonce', () => ({ claims: { nonce: 'other' } })],
  ['without a nonce', () => ({ claims: { nonce: undefined } })],
  ['signed by another key of the same name', () => ({ sign: byAnotherKey })],
  ['signed by nobody', () => ({ sign: byNobody })],
  ['signed by nobody, in the name of a key', () => ({ sign: byNobodyButNamed })],
  ['signed with the public key as a secret', () => ({ sign: byPublicKey })],
  ['signed with the secret of the client', () => ({ sign: byClientSecret })],
  ['that is no token', () => ({ sign: async () => 'garbage-in-place-of-a-token' })],
  ['that is three parts of nothing', () => ({ sign: async () => 'garbage.garbage.garbage' })],
  ['that is over', () => ({ claims: { iat: now() - 300, exp: now() - 31 } })],
  ['without an end', () => ({ claims: { exp: undefined } })],
  ['that begins later', () => ({ claims: { nbf: now() + 60 } })],
  ['that is signed later', () => ({ claims: { iat: now() + 60 } })],
  ['that does not say when it was signed', () => ({ claims: { iat: undefined } })],
  ['that was signed long ago', () => ({ claims: { iat: now() - 3600 } })],
  ['of nobody', () => ({ claims: { sub: undefined } })],
  ['of an empty subject', () => ({ claims: { sub: '' } })],
  ['of a subject that is a number', () => ({ claims: { sub: 7 } })],
  [
    'of a subject that is longer than one may be',
    () => ({ claims: { sub: 'a'.repeat(256) }, userInfo: { sub: 'a'.repeat(256) } })
  ]
]

for (const [name, says] of wrong)
  test(`an ID token ${name} lets nobody in`, async () => {
    setting.provider.says = { metadata: METADATA, ...says() }
    await assertRefused(setting, NOT_ACCEPTED, (browser) => browser.signIn())
  })

test('user info of another subject lets nobody in', async () => {
  setting.provider.says = { userInfo: { sub: 'eve' } }
  await assertRefused(setting, NOT_ACCEPTED, (browser) => browser.signIn())
})

test('user info that names no subject lets nobody in', async () => {
  setting.provider.says = { userInfo: { sub: undefined } }
  await assertRefused(setting, NOT_ACCEPTED, (browser) => browser.signIn())
})

const right: readonly (readonly [name: string, says: () => Saying])[] = [
  ['that was over half a minute ago by less than clocks may be apart', () => ({ claims: { exp: now() - 20 } })],
  ['that begins within what clocks may be apart', () => ({ claims: { nbf: now() + 20, iat: now() + 20 } })],
  ['for several clients, of which the hub asked', () => ({ claims: { aud: ['hub', 'other'], azp: 'hub' } })],
  [
    'of a subject as long as one may be',
    () => ({ claims: { sub: 'b'.repeat(255) }, userInfo: { sub: 'b'.repeat(255), name: 'B' } })
  ]
]

for (const [name, says] of right)
  test(`an ID token ${name} lets somebody in`, async () => {
    setting.provider.says = says()
    const browser = setting.browser()
    const back = await browser.signIn()
    assert.is(back.status, 302, await back.text())
    assert.is((await browser.ask('GET', '/auth/session')).status, 200)
  })

for (const [how, name] of [
  ['a new name', undefined],
  ['the old name', 'the-same']
] as const)
  test(`a provider that signs with a new key under ${how} is believed at once`, async () => {
    setting.provider.says = {}
    await setting.provider.rotate(name)
    assert.is((await setting.browser().signIn()).status, 302)
    await setting.provider.rotate(name)
    const asked = setting.provider.asked.get('/keys') ?? 0
    const back = await setting.browser().signIn()
    assert.is(back.status, 302, await back.text())
    assert.is(setting.provider.asked.get('/keys'), asked + 1)
  })

test.run()

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { complaints, parse } from './parsing.js'

const test = suite('config of sign-in')

const company = { id: 'company', name: 'Company', issuer: 'https://id.example.com', clientId: 'hub' }
const signIn = (...providers: readonly object[]) =>
  parse({ signIn: `signIn: ${JSON.stringify({ providers })}` }).config.signIn
const refusals = (...providers: readonly object[]) => complaints(() => signIn(...providers))

test('a provider, a name and an issuer are enough, and nobody is let in whom nobody has bound', () => {
  const [provider] = signIn(company)?.providers ?? []
  assert.equal([provider?.firstSignIn, provider?.scopes], ['refuse', ['openid', 'profile', 'email']])
  assert.is(signIn(company)?.sessionHours, 12)
})

test('an issuer is what the provider calls itself, over TLS', () => {
  for (const issuer of [
    'https://id.example.com/.well-known/openid-configuration',
    'https://id.example.com/?tenant=one',
    'https://id.example.com/#here',
    'https://ada:secret@id.example.com',
    'http://id.example.com',
    'javascript:alert(1)',
    'id.example.com'
  ])
    assert.is(refusals({ ...company, issuer }).length, 1, issuer)
  for (const issuer of ['https://id.example.com/realms/one', 'http://127.0.0.1:8080'])
    assert.is(signIn({ ...company, issuer })?.providers[0]?.issuer, issuer)
})

test('a flag is what a variable says too, which is always a text', () => {
  assert.is(signIn({ ...company, externalIdIsSubject: 'true' })?.providers[0]?.externalIdIsSubject, true)
})

test('what could mean two things, or nothing, is a mistake', () => {
  for (const wrong of [
    { id: 'Company' },
    { id: '../company' },
    { id: 'a'.repeat(33) },
    { scopes: ['profile'] },
    { firstSignIn: 'administrator' },
    { allowPrivateAddresses: ['localhost'] },
    { clientSecretFile: 'what-is-not-there' },
    { allowedDomain: ['example.com'] }
  ])
    assert.is(refusals({ ...company, ...wrong }).length, 1, JSON.stringify(wrong))
  assert.is(refusals(company, company).length, 1)
  assert.is(refusals().length, 1)
})

test('a secret comes from a file, without the white space around it, and an empty file is a mistake', async () => {
  const { path } = await temporaryDirectory()
  const clientSecretFile = join(path, 'secret')
  writeFileSync(clientSecretFile, ' hunter2 \n')
  assert.is(signIn({ ...company, clientSecretFile })?.providers[0]?.clientSecret, 'hunter2')
  writeFileSync(clientSecretFile, '\n')
  assert.equal(refusals({ ...company, clientSecretFile }), [
    `signIn.providers[0].clientSecretFile: The file ${clientSecretFile} is empty.`
  ])
})

test.run()

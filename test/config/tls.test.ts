import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseConfig } from '../../src/config/load.js'
import { configText } from '../../src/config/print.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { needing, tlsSetting } from '../tls/setting.js'
import { assertRefused, complaints, valid } from './parsing.js'

const test = suite('config of TLS')
const withCertificates = await needing(test, ['openssl'])

const postgres = { driver: 'postgres', host: 'h', port: 1, user: 'u', password: 'p', database: 'd' }
const parsed = (tls: unknown, directory = '/etc/hub', env: Record<string, string> = {}, db: object = postgres) => {
  const text = `${valid.server}\n${valid.redis}\ndb: ${JSON.stringify({ ...db, tls })}`
  return parseConfig(text, 'server.yaml', directory, env).config
}
const tlsOf = (...given: Parameters<typeof parsed>) => {
  const { db } = parsed(...given)
  return 'tls' in db ? JSON.parse(JSON.stringify(db.tls ?? null)) : null
}

test('true verifies with the usual certificates, false and nothing encrypt nothing', () => {
  assert.equal(tlsOf(true), { rejectUnauthorized: true })
  assert.equal(tlsOf('true'), { rejectUnauthorized: true })
  assert.equal(tlsOf({}), { rejectUnauthorized: true })
  assert.equal(tlsOf({ rejectUnauthorized: false, servername: 'x' }), { rejectUnauthorized: false, servername: 'x' })
  for (const off of [false, 'false', null, undefined]) assert.is(tlsOf(off), null)
})

test('anything else is refused, with the nearest key', () => {
  assertRefused(
    () => parsed('yes'),
    ['db.tls: Must be true, false, or a mapping with ca, cert, key, servername or rejectUnauthorized.']
  )
  assertRefused(
    () => parsed({ rejectUnauthorised: false }),
    ['db.tls.rejectUnauthorised: Unknown key. Did you mean rejectUnauthorized?']
  )
  assertRefused(() => parsed({ ca: 'none.pem' }), ['db.tls.ca: The file /etc/hub/none.pem cannot be read (ENOENT).'])
})

test('MySQL is verified by a name', () => {
  const mysql = { ...postgres, driver: 'mysql', host: '10.0.0.1' }
  assertRefused(
    () => parsed(true, '/etc/hub', {}, mysql),
    [
      'db.tls: Must have a servername, the name in the certificate, where a host is an address: MySQL is not verified by one.'
    ]
  )
  assert.ok(tlsOf({ servername: 'db' }, '/etc/hub', {}, mysql))
  assert.ok(tlsOf({ rejectUnauthorized: false }, '/etc/hub', {}, mysql))
})

withCertificates('certificates and keys are PEM texts, or files of them, also by way of the environment', async () => {
  const { path } = await temporaryDirectory()
  const { tls, client, stranger } = await tlsSetting()
  const texts = { ca: tls.ca, ...client }
  const whole = { ...texts, rejectUnauthorized: true }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(path, name), text ?? '')
  assert.equal(tlsOf(texts), whole)
  assert.equal(tlsOf({ ca: 'ca', cert: join(path, 'cert'), key: './key' }, path), whole)
  const env = { HUB_DB_TLS_CA: 'ca', HUB_DB_TLS_CERT_FILE: 'cert', HUB_DB_TLS_KEY_FILE: 'key' }
  assert.equal(tlsOf({}, path, env), whole)
  assertRefused(() => parsed({ cert: 'cert' }, path), ['db.tls.key: cert and key go together: give both.'])
  const [mismatch] = complaints(() => parsed({ cert: client.cert, key: stranger.key }))
  assert.match(mismatch ?? '', /^db\.tls: These certificates or this key cannot be used: .*key values mismatch/)
  writeFileSync(join(path, 'ca'), 'hunter2')
  assertRefused(() => parsed({ ca: 'ca' }, path), [`db.tls.ca: The file ${join(path, 'ca')} holds no PEM text.`])
  assert.not.match(configText(parsed(texts)), 'PRIVATE KEY')
})

test.run()

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { LiveHub } from '../../src/app/live.js'
import { migrateDatabase } from '../../src/app/start.js'
import { parseConfig } from '../../src/config/load.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('a reload of the configuration')

/** A hub with a database of its own, and more in its configuration each time that it is read. */
async function opened(more: () => object) {
  const { path } = await temporaryDirectory()
  const load = () => {
    const [server, db, redis] = [
      { host: '127.0.0.1', port: 1 },
      { driver: 'sqlite', path: 'hub.sqlite' },
      { driver: 'memory' }
    ]
    return parseConfig(JSON.stringify({ server, db, redis, ...more() }), 'server.yaml', path, {})
  }
  await migrateDatabase(load().config)
  return { path, live: await LiveHub.open(load, () => pino({ level: 'silent' })) }
}

/** Has the log of a ledger go back, and resolves once it is asked whether that is accepted, with what answers that. */
function askedWhether(ledger: Ledger): Promise<(accepted: boolean) => void> {
  return new Promise((resolve) => {
    const mayBeginAnew = () => new Promise<boolean>((answer) => resolve(answer))
    Object.defineProperty(ledger, 'mayBeginAnew', { value: mayBeginAnew })
    Object.defineProperty(ledger.readModel, 'wentBack', { value: new Error('It went back.') })
  })
}

test('that cannot open the log with another key keeps the keys of before, and takes the rest', async () => {
  let audit: object = { sealKeyFile: 'key', formerSealKeyFiles: [] }
  const { path, live } = await opened(() => ({ audit }))
  writeFileSync(join(path, 'other'), Buffer.alloc(32))
  audit = { sealKeyFile: 'other', formerSealKeyFiles: ['former'], retentionDays: 30 }
  const { sections, others = [] } = await live.reload()
  assert.equal([sections[0]?.section, sections[0]?.status], ['db', 'failed'])
  assert.equal(others, [{ section: 'audit', status: 'failed', error: sections[0]?.error }])
  const { sealKeyFile, formerSealKeyFiles, retentionDays } = live.hub.config.audit
  assert.equal([sealKeyFile, formerSealKeyFiles, retentionDays], [join(path, 'key'), [], 30])
  await live.close()
})

test('that cannot use the key of webhooks says so as long as that is so, and keeps the one of before', async () => {
  let webhooks: object | undefined = { keyFile: 'key' }
  const { path, live } = await opened(() => ({ webhooks }))
  const before = live.hub.webhooks
  writeFileSync(join(path, 'no-folder'), '')
  webhooks = { keyFile: 'no-folder/key' }
  for (let times = 0; times < 2; times++) {
    const { others = [] } = await live.reload()
    assert.equal([others[0]?.section, others[0]?.status], ['webhooks', 'failed'])
    assert.match(others[0]?.error ?? '', /^The key of webhooks cannot be read or made: /)
    assert.is(live.hub.webhooks, before)
  }
  webhooks = { keyFile: 'key' }
  assert.is((await live.reload()).others, undefined)
  await live.close()
})

const PROVIDER = { id: 'company', name: 'Company', issuer: 'https://id.example.com', clientId: 'hub' }

test('that names a key of sign-in or of programs which cannot be used says so, and keeps the sections of before', async () => {
  let more: object = { signIn: { keyFile: 'key', providers: [PROVIDER] }, authorization: { keyFile: 'key' } }
  const { path, live } = await opened(() => more)
  writeFileSync(join(path, 'short'), 'short')
  more = { signIn: { keyFile: 'short', sessionHours: 1, providers: [PROVIDER] }, authorization: { keyFile: 'short' } }
  const { others = [] } = await live.reload()
  const error = `${join(path, 'short')} must hold 32 bytes, and it holds 5.`
  assert.equal(others, [
    { section: 'signIn', status: 'failed', error: `The key of sign-ins ${error}` },
    { section: 'authorization', status: 'failed', error: `The key of programs that ask for tokens ${error}` }
  ])
  const { config, signIn } = live.hub
  assert.equal([config.signIn?.sessionHours, signIn?.config.sessionHours], [12, 12])
  assert.is(config.authorization?.keyFile, join(path, 'key'))
  await live.close()
})

test('that names another folder for how far the log has come has it told there from then on', async () => {
  let audit = { headDirectory: 'one' }
  const { path, live } = await opened(() => ({ audit }))
  audit = { headDirectory: 'two' }
  await live.reload()
  await live.hub.ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  assert.is(readdirSync(join(path, 'two')).length, 1)
  await live.close()
})

test('holds though a log that went back is accepted and opened anew at the same time', async () => {
  let webhooks: object | undefined
  const { path, live } = await opened(() => ({ webhooks }))
  const { ledger } = live.hub
  const accept = await askedWhether(ledger)
  webhooks = { keyFile: 'key' }
  await live.reload()
  accept(true)
  while (live.hub.ledger === ledger) await sleep(5)
  assert.is(live.hub.webhooks?.settings.keyFile, join(path, 'key'))
  await live.close()
})

test('and an acceptance of a log that went back open nothing once the hub closes', async () => {
  const { live } = await opened(() => ({}))
  const { ledger } = live.hub
  const accept = await askedWhether(ledger)
  const closed = live.close()
  accept(true)
  await closed
  assert.is((await live.reload()).fatalError, 'The hub is stopping.')
  assert.is(live.hub.ledger, ledger)
})

test.run()

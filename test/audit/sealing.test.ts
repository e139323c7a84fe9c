import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { openReadyLedger } from '../../src/app/hub.js'
import { loadConfig } from '../../src/config/load.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { linesIn, writeLines } from '../backup/place.js'
import { firstSecret, type Home, newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { intrude, moveHead } from './intruder.js'

const test = suite('a chain that is sealed with a key')
const report = z.object({
  position: z.number(),
  sealed: z.object({ keyId: z.string(), from: z.number() }).nullable(),
  bad: z.object({ position: z.number(), reason: z.string() }).nullable()
})

let home: Home
const ledgers: Ledger[] = []
test.before.each(async () => {
  home = await newHome()
})
test.after.each(async () => {
  for (const ledger of ledgers.splice(0)) await ledger.close()
})

const configure = (audit: object) => {
  home.configure({})
  const path = join(home.path, 'server.yaml')
  writeFileSync(path, `${readFileSync(path, 'utf8')}audit: ${JSON.stringify(audit)}\n`)
}
const file = (name: string) => join(home.path, name)
const opened = async () => {
  const ledger = await openReadyLedger(loadConfig(file('server.yaml'), {}).config)
  ledgers.push(ledger)
  return ledger
}
const makeUser = (name: string) => home.here('user', 'create', '--name', name, '--role', 'admin')
/** A hub with one account. */
const begun = async (audit: object) => {
  configure(audit)
  await home.here('migrate')
  await makeUser('ada')
}
const says = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await home.here(...args)
  return { code, text: stdout + stderr }
}
const verified = async () => report.parse(JSON.parse((await home.here('audit', 'verify', '--json')).stdout))
const collection = (id: string) => ({ type: 'CreateCollection' as const, id, name: id })
const editor = { ...systemOrigin, isEditor: true as const }
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

test('the first start with the name of a file makes the key, for its owner alone, and seals from there on', async () => {
  await begun({})
  configure({ sealKeyFile: 'keys/seal' })
  await makeUser('bob')
  const key = file('keys/seal')
  assert.equal([statSync(key).size, statSync(key).mode & 0o777], [32, 0o600])
  const { bad, sealed } = await verified()
  assert.is(bad, null)
  assert.is(sealed?.from, 4)
  const { text } = await says('audit', 'verify')
  assert.match(text, new RegExp(`sealed with the key ${sealed?.keyId} from position 4 on`))
  assert.match((await says('audit', 'list', '--type', 'ChainSealed')).text, /^3 /)
})

test('of hubs that start together one makes the key, and all of them use it', async () => {
  await begun({})
  configure({ sealKeyFile: 'seal' })
  const outcomes = await Promise.all(
    ['b', 'c', 'd'].map((name) => home.hub('user', 'create', '--name', name, '--role', 'admin'))
  )
  assert.equal(
    outcomes.map(({ code, stderr }) => [code, stderr]),
    Array(3).fill([0, ''])
  )
  assert.equal([(await verified()).bad, (await verified()).position], [null, 9])
})

test('without the key, or with another one, nothing is opened, and it is said which key is needed', async () => {
  await begun({ sealKeyFile: 'seal' })
  const { sealed, position } = await verified()
  configure({})
  const without = await makeUser('bob')
  assert.is(without.code, 1)
  assert.is(without.stderr, `The log is sealed with the key ${sealed?.keyId}. Name its file as audit.sealKeyFile.\n`)
  assert.match(
    (await says('audit', 'verify')).text,
    new RegExp(`Position 2: From here on .* key ${sealed?.keyId}, whose`)
  )
  writeFileSync(file('other'), Buffer.alloc(32, 1))
  configure({ sealKeyFile: 'other' })
  assert.match(
    (await makeUser('bob')).stderr,
    new RegExp(`sealed with the key ${sealed?.keyId}, and audit.sealKeyFile is`)
  )
  writeFileSync(file('short'), 'short')
  configure({ sealKeyFile: 'short' })
  assert.match((await makeUser('bob')).stderr, /must hold 32 bytes, and it holds 5\./)
  configure({ sealKeyFile: 'missing' })
  assert.match((await makeUser('bob')).stderr, /cannot be read: .*missing \(ENOENT\)/)
  assert.not.ok(existsSync(file('missing')), 'no key is made for a log that has one')
  configure({ sealKeyFile: 'seal' })
  assert.equal((await verified()).position, position)
})

test('a log that is not sealed, and a key that was there before, go together only when an operator says so', async () => {
  await begun({})
  writeFileSync(file('seal'), Buffer.alloc(32, 1), { mode: 0o600 })
  configure({ sealKeyFile: 'seal' })
  assert.match((await makeUser('bob')).stderr, /not sealed with the key in .*seal\. If nobody .* run `hub audit seal`/)
  assert.match((await says('audit', 'verify')).text, /^Position 3: The log does not end sealed with the key/)
  assert.match((await says('audit', 'seal')).text, /^From position 4 on the log is sealed with the key/)
  assert.match((await says('audit', 'seal')).text, /^The log is sealed with the key [0-9a-f]{16}\.\n$/)
  assert.is((await makeUser('bob')).code, 0)
  assert.is((await verified()).bad, null)
})

test('a key is changed by an event, former keys verify what they have sealed, and sealing ends by an event', async () => {
  await begun({ sealKeyFile: 'one' })
  const changed = await says('audit', 'seal', '--new-key-file', file('two'))
  assert.match(
    changed.text,
    /^From position 5 on the log is sealed with the key [0-9a-f]{16}\.\nName .*two as audit\.seal/
  )
  assert.match((await makeUser('bob')).stderr, /is sealed with the key/)
  configure({ sealKeyFile: 'two' })
  assert.is((await makeUser('bob')).code, 0)
  assert.match((await says('audit', 'verify')).text, /^Position 2: From here on the chain is sealed with the key/)
  configure({ sealKeyFile: 'two', formerSealKeyFiles: ['one'] })
  assert.equal([(await verified()).bad, (await verified()).sealed?.from], [null, 5])
  assert.match((await says('audit', 'seal', '--off')).text, /sealed with no key\.\nRemove audit\.sealKeyFile/)
  configure({ formerSealKeyFiles: ['one', 'two'] })
  assert.is((await makeUser('eve')).code, 0)
  assert.equal([(await verified()).bad, (await verified()).sealed], [null, null])
})

test('a hub that runs while the key is changed writes nothing with the former one', async () => {
  configure({ sealKeyFile: 'one' })
  await home.here('migrate')
  const ledger = await opened()
  await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  await ledger.run(collection('a'), editor)
  await home.here('audit', 'seal', '--new-key-file', file('two'))
  const { position } = await ledger.storage.head().catch(() => ({ position: -1 }))
  assert.is(position, -1)
  assert.match(
    await refusal(ledger.run(collection('b'), editor)),
    /is sealed with the key .*, and not with .* any more/
  )
  assert.match(await refusal(ledger.readModel.current()), /any more/)
  configure({ sealKeyFile: 'two', formerSealKeyFiles: ['one'] })
  const next = await opened()
  await next.run(collection('b'), editor)
  assert.is((await verified()).bad, null)
})

test('a server takes over the changed key when its configuration is read again, and answers 503 until then', async () => {
  configure({ sealKeyFile: 'one' })
  const port = await freePort()
  const path = file('server.yaml')
  const listening = () => writeFileSync(path, readFileSync(path, 'utf8').replace('port: 1}', `port: ${port}}`))
  listening()
  const server = await home.start(['start', '--init'], 'HUB_ADMIN=hbk_')
  const headers = { authorization: `Bearer ${firstSecret(server)}` }
  const status = async () => (await fetch(`http://127.0.0.1:${port}/auth/session`, { headers })).status
  assert.is(await status(), 200)
  assert.is((await home.here('audit', 'seal', '--new-key-file', file('two'))).code, 0)
  assert.is(await status(), 503)
  configure({ sealKeyFile: 'two', formerSealKeyFiles: ['one'] })
  listening()
  process.kill(server.pid, 'SIGHUP')
  while ((await status()) !== 200) await sleep(20)
  assert.is((await server.stop()).code, 0)
  assert.is((await verified()).bad, null)
})

test('a hub that runs without a key writes nothing once the log is sealed', async () => {
  configure({})
  await home.here('migrate')
  const ledger = await opened()
  await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  configure({ sealKeyFile: 'one' })
  await home.here('user', 'list')
  assert.match(await refusal(ledger.run(collection('b'), editor)), /is sealed with the key .*\. Name its file/)
  assert.is((await verified()).bad, null)
})

test('a hub goes on from no end that somebody else has made, and what they did is found later too', async () => {
  configure({ sealKeyFile: 'one' })
  await home.here('migrate')
  const ledger = await opened()
  await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  for (const id of ['a', 'b', 'c']) await ledger.run(collection(id), editor)
  const intruder = await intrude({ driver: 'sqlite', path: file('data/hub.sqlite'), prefix: 'hub_' })
  await intruder.run('DELETE FROM hub_log WHERE position > 3')
  await moveHead(intruder)
  await intruder.close()
  const cut = /^The end of the log, position 3, is not sealed with the key/
  assert.match(await refusal(ledger.readModel.current()), cut)
  assert.match(await refusal(ledger.run(collection('d'), editor)), cut)
  assert.match((await makeUser('bob')).stderr, cut)
  assert.match(
    (await says('audit', 'verify')).text,
    /^Position 4: The head is not sealed with the key: the events after it/
  )
})

test('read tables are rebuilt and switched back under the key', async () => {
  await begun({ sealKeyFile: 'one' })
  assert.is((await home.here('projections', 'rebuild')).code, 0)
  assert.equal([(await verified()).bad, (await home.here('projections', 'rollback')).code], [null, 0])
  assert.is((await makeUser('bob')).code, 0)
  assert.is((await verified()).bad, null)
})

test('an exported log keeps its links and its generation where it is imported, and needs the keys for that', async () => {
  await begun({})
  configure({ sealKeyFile: 'one' })
  await home.here('projections', 'rebuild')
  await home.here('audit', 'seal', '--new-key-file', file('two'))
  const both = { sealKeyFile: 'two', formerSealKeyFiles: ['one'] }
  configure(both)
  await makeUser('bob')
  await home.here('log', 'export', file('log.backup'))
  const { position, sealed } = await verified()

  const elsewhere = (audit: object) => {
    configure(audit)
    const path = file('server.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('data/hub.sqlite', 'data/other.sqlite'))
  }
  elsewhere({ sealKeyFile: 'two' })
  assert.match(
    (await says('log', 'import', file('log.backup'))).text,
    /^From position 4 on the chain is sealed with the key/
  )
  elsewhere(both)
  const imported = await says('log', 'import', file('log.backup'))
  assert.is(imported.code, 0, imported.text)
  const { bad, ...found } = await verified()
  assert.equal([bad, found], [null, { position, sealed }])
  assert.is((await home.here('projections', 'verify')).code, 0)
  assert.is((await makeUser('eve')).code, 0)
  assert.match((await says('log', 'import', file('log.backup'))).text, /^The hub holds more than the file/)

  const lines = linesIn(file('log.backup'))
  writeLines(
    file('forged.backup'),
    lines.map((line, i) => (i === 6 ? line.replace(/"who":\{"text":".*?","salt"/, '"who":{"text":null,"salt"') : line))
  )
  elsewhere(both)
  writeFileSync(file('server.yaml'), readFileSync(file('server.yaml'), 'utf8').replace('other.sqlite', 'third.sqlite'))
  assert.match((await says('log', 'import', file('forged.backup'))).text, /line 7: position 6: The name or address/)
})

test.run()

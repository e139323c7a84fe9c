import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { openStorageToRead } from '../../src/app/databases.js'
import { loadConfig } from '../../src/config/load.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { readKeyring } from '../../src/trust/audit/sealKey.js'
import { verifyEnd } from '../../src/trust/audit/verifyEnd.js'
import { type Home, migratedHome } from '../cli/support.js'
import { suite } from '../support/suite.js'

const test = suite('the end of a log')
const LAST = 3
let home: Home

test.before.each(async () => {
  home = await migratedHome()
})

async function users(...names: readonly string[]): Promise<void> {
  for (const name of names)
    assert.is((await home.here('user', 'create', '--name', name, '--role', 'user')).code, 0, name)
}

/** Looks at the last events, with the keys that the configuration names or without any. */
async function look(count = LAST, withKeys = true) {
  const { config } = loadConfig(join(home.path, 'server.yaml'), {})
  const storage = await openStorageToRead(config.db)
  try {
    return await verifyEnd(storage, count, withKeys ? readKeyring(config.audit) : NO_KEYS)
  } finally {
    await storage.close()
  }
}

function tamper(sql: string): void {
  const db = new Database(join(home.path, 'data', 'hub.sqlite'))
  db.exec(sql)
  db.close()
}

test('what was written holds, from wherever it is looked at', async () => {
  assert.equal(await look(), { from: 1, position: 0, bad: null })
  await users('ada', 'bob', 'cid')
  const { position } = await look(1)
  for (let count = 1; count <= position + 1; count++) {
    const from = Math.max(0, position - count) + 1
    assert.equal(await look(count), { from, position, bad: null })
  }
})

test('a log that was sealed and whose tables were built anew before holds with its key, and not without', async () => {
  appendFileSync(join(home.path, 'server.yaml'), 'audit: {sealKeyFile: data/seal-key}\n')
  await users('ada')
  assert.is((await home.here('audit', 'seal')).code, 0)
  assert.is((await home.here('projections', 'rebuild')).code, 0)
  await users('bob', 'cid', 'dan')
  assert.is((await look()).bad, null)
  assert.match((await look(LAST, false)).bad?.reason ?? '', /sealed with the key/)
})

test('an event that was edited, one that is missing and a head that was moved are found', async () => {
  await users('ada', 'bob', 'cid', 'dan')
  const { position } = await look()
  tamper(`UPDATE hub_log SET at = '2020-01-01T00:00:00.000Z' WHERE position = ${position - 1}`)
  assert.is((await look()).bad?.position, position - 1)
  // What lies before is not looked at.
  assert.is((await look(1)).bad, null)
  tamper(`DELETE FROM hub_log WHERE position = ${position}`)
  assert.is((await look(1)).bad?.position, position)
  tamper(`UPDATE hub_head SET position = ${position - 2}`)
  assert.match((await look(1)).bad?.reason ?? '', /recorded with another chain/)
})

test('an event behind the end and one before the first position are named', async () => {
  await users('ada', 'bob')
  const { position } = await look()
  const put = (at: number) => tamper(`INSERT INTO hub_log SELECT ${columnsAt(at)} FROM hub_log WHERE position = 1`)
  put(position + 2)
  const behind = await look(1)
  assert.is(behind.bad?.position, position + 2)
  assert.match(
    behind.bad?.reason ?? '',
    /^The log ends at \d+, and this event stands behind its end\. .* delete this row/
  )
  tamper(`DELETE FROM hub_log WHERE position > ${position}`)
  put(-4)
  assert.is((await look(1)).bad?.position, -4)
  assert.match((await look(1)).bad?.reason ?? '', /^The log begins at 1, and this event stands before it\./)
})

/** The columns of an event of a stream that is nobody's, at a position. */
function columnsAt(position: number): string {
  const db = new Database(join(home.path, 'data', 'hub.sqlite'))
  const names = db.prepare('PRAGMA table_info(hub_log)').all([]) as readonly { readonly name: string }[]
  db.close()
  const put: Readonly<Record<string, string>> = { position: String(position), stream: `'nobody-1'` }
  return names.map(({ name }) => put[name] ?? name).join(', ')
}

test('a text whose erasure the log tells is no fault, and one that was only taken out is', async () => {
  await users('ada')
  const deleted = JSON.parse((await home.here('user', 'list', '--json')).stdout).users[0].id
  assert.is((await home.here('user', 'delete', deleted, '--yes')).code, 0)
  assert.is((await home.here('erase', 'user', deleted, '--yes')).code, 0)
  assert.is((await look(20)).bad, null)
  await users('eve')
  const { position } = await look()
  tamper(`UPDATE hub_log SET payload = NULL, payload_salt = NULL WHERE position = ${position}`)
  assert.equal([(await look()).bad?.position], [position])
})

test.run()

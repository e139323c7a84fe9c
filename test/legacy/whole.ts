import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { exportedEvents } from '../cli/exported.js'
import { type Home, newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { caller } from '../whole/client.js'
import { listed, type Row, record, same, type Taken } from './compare.js'
import { filled, type Release, SECRETS } from './filled.js'
import { GROUP } from './filledNewer.js'
import { uuid } from './filledParts.js'
import { reported } from './reports.js'
import { newerTaken } from './wholeNewer.js'

/** Takes a filled database of a release over, and compares every record. */
export async function proveWholeTakeover(release: Release, db: string): Promise<void> {
  const home = await newHome()
  const port = await freePort()
  home.configure({ port, db })
  const dry = reported.parse(await home.json('migrate', '--dry-run'))
  const report = reported.parse(await home.json('migrate'))
  assert.equal(report, dry, 'the dry run says what happens')
  const tables = filled(release)
  assert.equal(report.tables.map(({ table }) => table).sort(), Object.keys(tables).filter(isKnown).sort())
  const rows = (table: string) =>
    tables[table]?.rows.filter(({ tenantId, id }) => (tenantId ?? '__default__') === '__default__' && id !== 'acme') ??
    []
  for (const { table, taken, otherTenants, refused, leftOut } of report.tables) {
    const left = table === 'notices' ? Object.values(leftOut).reduce((sum, count) => sum + count, 0) : 0
    const internal = table === 'users' ? 1 : 0
    assert.is(taken + refused.length + left + internal, rows(table).length, table)
    assert.is(otherTenants, (tables[table]?.rows.length ?? 0) - rows(table).length, table)
  }
  const events = await exported(home)
  const event = (stream: string): Row => events.get(stream) ?? {}
  const taken: Taken = { release, call: caller(`http://127.0.0.1:${port}`), rows, event }
  const server = await home.start(['start'])
  await olderTaken(taken)
  if (release === '0.9.4') await newerTaken(taken, report)
  else assert.equal(await taken.call(SECRETS.ann, 'GET', '/notices/unread-count'), { count: 0 })
  await server.stop()
  if (release === '0.9.4') await devicesTaken(home, taken)
  assert.is((await home.here('projections', 'verify')).code, 0)
  assert.is((await home.here('llm', 'usage', '--verify')).code, 0)
  assert.is((await home.here('migrate')).stdout, 'Database migration completed successfully.\n')
}

const isKnown = (table: string) => table !== 'plugin_settings'

async function exported(home: Home): Promise<ReadonlyMap<string, Row>> {
  const rows = (await exportedEvents(home)).flatMap(({ stream, payload }): (readonly [string, Row])[] =>
    payload.text === null ? [] : [[stream, record.parse(JSON.parse(payload.text))]]
  )
  return new Map(rows)
}

const AVATAR = ['Initials', 'Color', 'Image', 'ImageMime', 'ImageUpdatedAt', 'ImageKey'].map((name) => `avatar${name}`)
const byOps = { createdBy: uuid('ops'), updatedBy: uuid('ops') }

/** What both releases have. */
async function olderTaken({ call, rows, event, release }: Taken): Promise<void> {
  const { ops, bob } = SECRETS
  const accounts = rows('users').filter(({ name }) => name !== 'system')
  const users = await listed(call(ops, 'GET', '/admin/users'), 'users')
  same(users, accounts, ['createdByUserId', 'updatedByUserId', ...AVATAR])
  for (const { id, createdByUserId, updatedByUserId } of accounts)
    same(
      [{ id, ...record.parse(event(`user-${id}`).origin) }],
      [{ id, createdBy: createdByUserId, updatedBy: updatedByUserId }]
    )
  for (const { id, tokenHash: hash, tokenPrefix: prefix, userId, name, createdAt, revokedAt } of rows('api_tokens'))
    assert.equal(event(`token-${id}`), { userId, name, prefix, hash, createdAt, revokedAt, ...byOps })
  const tokens = await listed(call(ops, 'GET', '/admin/tokens'), 'tokens')
  same(
    tokens.filter(({ userId }) => userId !== uuid('ops')),
    rows('api_tokens').filter(({ userId }) => userId !== uuid('ops')),
    ['tokenHash', 'tokenPrefix', 'createdByUserId', 'updatedByUserId']
  )
  for (const {
    id,
    codeHash: hash,
    codePrefix: prefix,
    createdByUserId: _,
    updatedByUserId: __,
    tenantId: ___,
    ...one
  } of rows('user_invitations'))
    assert.equal({ id, ...event(`invitation-${id}`) }, { id, hash, prefix, ...one, ...byOps })

  for (const table of ['collections', 'environments', 'snippets'] as const)
    same(await listed(call(bob, 'GET', `/${table}`), table), rows(table))
  const inside = `/collections/${uuid('c1')}`
  same(await listed(call(bob, 'GET', `${inside}/folders`), 'folders'), rows('folders'), ['sortOrder'])
  const requests = await listed(call(bob, 'GET', `${inside}/requests`), 'requests')
  same(requests, rows('requests'), ['sortOrder'])
  const documents = await listed(call(bob, 'GET', `${inside}/documents`), 'documents')
  same(documents, rows('documents'), ['sortOrder'])
  const orderOf = (some: readonly Row[], id: string) => Number(some.find((one) => one.id === uuid(id))?.sortOrder)
  assert.ok(orderOf(requests, 'r1') < orderOf(documents, 'd1'))
  for (const { summaryPassed, summaryFailed, summarySkipped, ...run } of rows('run_results')) {
    const found = record.parse(await call(bob, 'GET', `/run-results/${run.id}`))
    same([found], [{ ...run, summary: { passed: summaryPassed, failed: summaryFailed, skipped: summarySkipped } }])
  }

  for (const { id, apiTokenId: tokenId, tenantId: _, ...step } of rows('llm_usage_log'))
    assert.equal({ id, ...event(`llmstep-${id}`) }, { id, tokenId, outcome: 'completed', estimated: false, ...step })
  for (const { userId, period, promptTokens, completionTokens, totalTokens } of rows('llm_usage'))
    assert.equal(event(`llmusage-${period}:${userId}`), {
      ...{ userId, period, promptTokens, completionTokens, totalTokens },
      unloggedTokens: 20
    })
  for (const { id, tenantId: _, ...entry } of rows('audit_log'))
    assert.equal({ id, ...event(`legacyaudit-${id}`) }, { id, ...entry })
  assert.is(release === '0.9.4' ? rows('requests')[0]?.protocol : 'sse', 'sse')
}

/** Devices and what they have sent each other, which a hub shows whose discussions are encrypted. */
async function devicesTaken(home: Home, { call, rows, event }: Taken): Promise<void> {
  appendFileSync(join(home.path, 'server.yaml'), 'collaboration: {e2ee: true}\n')
  const server = await home.start(['start'])
  const devices = await listed(call(SECRETS.ops, 'GET', '/admin/device-keys'), 'devices')
  same(devices, rows('device_keys'), ['publicKeyMaterial', 'createdByUserId', 'updatedByUserId', 'lastSeenAt'])
  for (const { id, publicKeyMaterial, revokedAt, updatedByUserId } of rows('device_keys')) {
    const { publicKey, revokedBy } = event(`device-${id}`)
    assert.equal([publicKey, revokedBy], [publicKeyMaterial, revokedAt === null ? null : updatedByUserId])
  }
  const group = encodeURIComponent(GROUP)
  const commits = listed(call(SECRETS.ann, 'GET', `/discussion-mls/commits?mlsGroupId=${group}`), 'commits')
  same(await commits, rows('discussion_mls_commits'), ['createdByUserId'])
  for (const { id, createdByUserId } of rows('discussion_mls_commits'))
    assert.is(event(`mlscommit-${id}`).createdBy, createdByUserId)
  const welcomes = listed(call(SECRETS.ann, 'GET', `/discussion-mls/welcomes?mlsGroupId=${group}`), 'welcomes')
  const known = rows('discussion_mls_welcomes').filter(({ id }) => id === uuid('w1'))
  same(await welcomes, known, ['createdByUserId'])
  const state = record.parse(await call(SECRETS.ann, 'GET', `/discussion-mls/group-state/${group}`))
  assert.is(state.currentEpoch, rows('discussion_mls_group_state')[0]?.currentEpoch)
  await server.stop()
}

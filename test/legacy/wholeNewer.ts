import { hash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { listed, type Row, record, same, type Taken } from './compare.js'
import { SECRETS } from './filled.js'
import { ENCRYPTED, LIVE_SERVER, PIXEL } from './filledNewer.js'
import { LATER, uuid } from './filledParts.js'
import type { reported } from './reports.js'

const { ops, ann, bob } = SECRETS

/** What the newer release has beyond the older one. */
export async function newerTaken(taken: Taken, report: z.infer<typeof reported>): Promise<void> {
  await avatarsTaken(taken)
  await liveTaken(taken)
  await discussionsTaken(taken)
  await noticesTaken(taken)
  reportTells(report)
}

async function avatarsTaken({ call, rows }: Taken): Promise<void> {
  const version = Date.parse(LATER)
  for (const { id, name, avatarInitials, avatarColor } of rows('users')) {
    if (name === 'system') continue
    const users = await listed(call(ops, 'GET', '/admin/users'), 'users')
    const shown = users.find((one) => one.id === id)
    assert.equal([shown?.avatarInitials, shown?.avatarColor], [avatarInitials, avatarColor])
    const hasImage = id === uuid('ann')
    assert.is(shown?.avatarImageUrl, hasImage ? `/auth/users/${id}/avatar?v=${version}` : undefined)
  }
  const { hub } = record.parse(await call(ann, 'GET', '/auth/session'))
  const [initials, color, imageUrl] = ['HU', 'amber-600', `/auth/hub/avatar?v=${version}`]
  assert.equal(hub, { name: 'Default', initials, color, imageUrl })
  await assertPixel(call, `/auth/users/${uuid('ann')}/avatar`)
  await assertPixel(call, '/auth/hub/avatar')
}

async function assertPixel(call: Taken['call'], path: string): Promise<void> {
  const bytes = z.instanceof(Uint8Array).parse(await call(bob, 'GET', path))
  assert.ok(PIXEL.equals(bytes), path)
}

async function liveTaken({ call, rows }: Taken): Promise<void> {
  const flat = (table: string) => rows(table).map(({ payload, ...row }): Row => ({ ...row, ...record.parse(payload) }))
  const [full, half] = flat('live_servers')
  const rest = { ...LIVE_SERVER, ...half, port: null }
  const servers = await listed(call(bob, 'GET', '/live-servers'), 'liveServers')
  same(servers, [
    full ?? {},
    pick(rest, Object.keys(half ?? {}), { port: null, openPath: '/', indexFiles: ['index.html'] })
  ])
  same(await listed(call(bob, 'GET', '/live-pages'), 'livePages'), flat('live_pages'))
  const ofAnn = await listed(call(ann, 'GET', '/live-servers'), 'liveServers')
  assert.equal(
    ofAnn.map(({ id }) => id),
    [uuid('ls1')]
  )
}

/** Some fields of a record, and others. */
function pick(from: Row, names: readonly string[], others: Row): Row {
  return { ...Object.fromEntries(names.map((name) => [name, from[name]])), ...others }
}

const PATHS: Readonly<Record<string, string>> = {
  request: 'requests',
  runResult: 'run-results',
  collection: 'collections',
  folder: 'folders'
}

async function discussionsTaken({ call, rows, event }: Taken): Promise<void> {
  const there = rows('discussion_comments').filter(({ id }) => id !== uuid('m9'))
  const targets = new Set(
    there.map((row) => `/${PATHS[String(row.targetEntityType)]}/${row.targetEntityId}/discussions`)
  )
  const found: Row[] = []
  for (const path of targets) found.push(...(await listed(call(bob, 'GET', path), 'comments')))
  const shown = found.map(({ author, tombstoned, ...one }): Row => {
    const { id } = record.parse(author)
    return { ...one, authorUserId: id === '' ? null : id, isTombstoned: tombstoned }
  })
  const wanted = there.map((row) => {
    const { targetEntityType: entityType, targetEntityId: entityId, body, bodyMetadata, tombstonedAt, ...one } = row
    const { tombstonedByUserId: _, ...rest } = one
    const isEncrypted = row.bodyFormat === 'encrypted'
    const isTombstoned = tombstonedAt !== null
    const encryptedPayload = isEncrypted ? { ciphertext: body, ...record.parse(bodyMetadata) } : null
    return {
      ...rest,
      entityType,
      entityId,
      body: isEncrypted || isTombstoned ? null : body,
      encryptedPayload,
      isTombstoned
    }
  })
  same(shown, wanted)
  assert.is(event(`comment-${uuid('m4')}`).retractedBy, uuid('ops'))
  assert.equal(event(`comment-${uuid('m6')}`).mentions, [uuid('ann')])
  assert.equal(record.parse(shown.find(({ id }) => id === uuid('m5'))?.encryptedPayload), {
    ciphertext: 'eyJ0Ijoi',
    ...ENCRYPTED
  })

  for (const { userId, level, updatedAt } of rows('user_notification_settings')) {
    assert.is(userId, uuid('bob'))
    assert.equal(await call(bob, 'GET', '/me/notification-settings'), { level, updatedAt })
  }
  for (const { userId, rootCommentId, createdAt: at } of rows('discussion_thread_subscriptions')) {
    const secret = userId === uuid('ann') ? ann : bob
    const path = `/discussion-threads/${rootCommentId}/subscription`
    assert.equal(await call(secret, 'GET', path), { subscribed: true, rootCommentId })
    const told = event(`subscription-${hash('md5', `${userId} ${rootCommentId}`)}`)
    assert.equal(told, { userId, rootId: rootCommentId, at })
  }
}

async function noticesTaken({ call, rows }: Taken): Promise<void> {
  assert.equal(await call(ann, 'GET', '/notices/unread-count'), { count: 2 })
  const notices = await listed(call(ann, 'GET', '/notices?limit=100'), 'notices')
  for (const id of ['n1', 'n2', 'n4', 'n5']) {
    const there = rows('notices').find((one) => one.id === uuid(id))
    const found = notices.find(({ id }) => id === (there?.discussionCommentId ?? there?.entityId))
    const actor = record.parse(found?.actor)
    const wanted = pick(there ?? {}, ['eventType', 'entityType', 'entityId', 'requestId', 'runResultId', 'readAt'], {})
    same([{ ...found, actorUserId: actor.id }], [{ ...wanted, actorUserId: there?.actorUserId }])
  }
  await call(ann, 'POST', `/notices/${uuid('m6')}/read`)
  assert.equal(await call(ann, 'GET', '/notices/unread-count'), { count: 1 })
  await call(ann, 'POST', '/notices/read-all')
  assert.equal(await call(ann, 'GET', '/notices/unread-count'), { count: 0 })
  const read = await listed(call(ann, 'GET', '/notices?limit=100'), 'notices')
  assert.ok(read.every(({ readAt }) => readAt !== null))
  assert.equal(await call(bob, 'GET', '/notices/unread-count'), { count: 0 })
}

/** What has no home is named with its count. */
function reportTells({ tables, unsupportedTables }: z.infer<typeof reported>): void {
  // Documents have their names in camelCase.
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const unknown = unsupportedTables.map(({ table, records }) => [snake(table), records])
  assert.equal(unknown, [['plugin_settings', 1]])
  const told = tables.flatMap(({ table, refused, leftOut, notes }) => [
    ...refused.map(({ id, why }) => `${table} ${id}: ${why}`),
    ...Object.entries(leftOut)
      .toSorted()
      .map(([what, count]) => `${table}: ${what.replace('updatedAt', 'updated_at')}: ${count}`),
    ...notes.map((note) => `${table}: ${note}`)
  ])
  assert.equal(told, [
    'users: images whose bytes are in a bucket: 1',
    'users: The internal account is ours from now on.',
    'tenants: the name of the hub, "Our team": 1',
    `live_servers: ${uuid('ls2')}: its port is none that can be here, and gets the default.`,
    `discussion_comments ${uuid('m9')}: what it is about is not there`,
    'notices: about what a newer one is about as well: 1',
    'notices: about what is not there, or was changed by somebody else since: 1',
    'notices: of accounts that are gone: 1',
    'notices: of administrators, who get none here: 1',
    'notices: older than 30 days: 1',
    'device_keys: times when a device was last seen: 1',
    `discussion_mls_welcomes ${uuid('w2')}: its device is not enrolled`,
    'llm_usage: values of updated_at: 1',
    `llm_usage: 2024-03:${uuid('ann')} has 100 tokens, its log 80: the rollup counts`
  ])
}

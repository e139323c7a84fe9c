import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { StoredEvent } from '../../src/log/event.js'
import { exportedEvents } from '../cli/exported.js'
import { newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { caller } from '../whole/client.js'
import { secrets, THEN_ISO } from './fixture.js'
import { reported, session } from './reports.js'

const named = z.object({ id: z.string(), name: z.string() })
const items = z.array(named.extend({ folderId: z.string().nullable(), sortOrder: z.number(), createdAt: z.string() }))
const folderList = z.object({ folders: z.array(named.extend({ parentFolderId: z.string().nullable() })) })
const collectionList = z.object({
  collections: z.array(
    named.extend({
      createdByUserId: z.string().nullable(),
      deletionLocked: z.boolean(),
      marker: z.string().nullable(),
      createdAt: z.string()
    })
  )
})

/**
 * Migrates the database `db`, which holds the fixture unless `from` does, and reads everything back as clients and operators
 * would.
 */
export async function proveTakeover({ db, from }: { readonly db: string; readonly from?: string }): Promise<void> {
  const home = await newHome()
  const port = await freePort()
  const old = join(home.path, 'old.yaml')
  if (from !== undefined) {
    home.configure({ port, db: from })
    await rename(join(home.path, 'server.yaml'), old)
  }
  home.configure({ port, db })
  const migrate = from === undefined ? ['migrate'] : ['migrate', '--from', old]
  const dry = reported.parse(await home.json(...migrate, '--dry-run'))
  assert.is(dry.tables.find(({ table }) => table === 'requests')?.taken, 3)
  const report = reported.parse(await home.json(...migrate))
  assert.equal(report, dry, 'the dry run says what happens')
  const refused = report.tables.flatMap(({ table, refused }) => refused.map(({ id, why }) => `${table} ${id}: ${why}`))
  assert.equal(refused, ['api_tokens t-gone: its user is gone', 'requests r-lost: its collection is gone'])
  assert.equal(report.unsupportedTables, [{ table: 'sessions', records: 1 }])
  const notes = report.tables.flatMap(({ notes }) => notes).join('\n')
  assert.match(notes, /2024-03:u-ann has 100 tokens, its log 70/)
  assert.match(notes, /^f-x: it was in itself, and stands at the root of its collection\.$/m)

  assert.ok(
    report.tables
      .find(({ table }) => table === 'api_tokens')
      ?.notes.includes(
        't-sys "deploy" (hbk_sys) opens the hub as an administrator, the internal account. To withdraw it: hub user token revoke t-sys'
      )
  )

  const server = await home.start(['start'])
  const call = caller(`http://127.0.0.1:${port}`)
  assert.equal(session.parse(await call(secrets.ann, 'GET', '/auth/session')).user, { id: 'u-ann', name: 'ann' })
  assert.is(session.parse(await call(secrets.orphan, 'GET', '/auth/session')).user.name, 'bootstrap')
  assert.match(String(await call(secrets.revoked, 'GET', '/auth/session').catch(String)), /401/)
  await call(secrets.system, 'GET', '/admin/users')
  assert.is((await home.here('user', 'token', 'revoke', 't-sys')).code, 0)
  assert.match(String(await call(secrets.system, 'GET', '/admin/users').catch(String)), /401/)

  const { collections } = collectionList.parse(await call(secrets.ann, 'GET', '/collections'))
  assert.equal(
    collections.map(({ id, createdByUserId, deletionLocked, marker, createdAt }) => [
      id,
      createdByUserId,
      deletionLocked,
      marker,
      createdAt
    ]),
    [
      ['c-2', null, false, null, THEN_ISO],
      ['c-1', 'u-ann', true, '#f00', THEN_ISO]
    ]
  )
  const { folders } = folderList.parse(await call(secrets.ann, 'GET', '/collections/c-1/folders'))
  const inside = new Map(folders.map(({ id, parentFolderId }) => [id, parentFolderId]))
  assert.equal(
    folders.filter(({ parentFolderId }) => parentFolderId === null).map(({ id }) => id),
    ['f-a', 'f-b', 'f-x']
  )
  assert.equal([inside.get('f-in'), inside.get('f-y')], ['f-a', 'f-x'])
  const { requests } = z
    .object({ requests: items })
    .parse(await call(secrets.orphan, 'GET', '/collections/c-1/requests'))
  const { documents } = z
    .object({ documents: items })
    .parse(await call(secrets.orphan, 'GET', '/collections/c-1/documents'))
  const root = [...requests, ...documents].filter(({ folderId }) => folderId === null)
  assert.equal(
    root.sort((a, b) => a.sortOrder - b.sortOrder).map(({ id }) => id),
    ['r-1', 'd-1', 'r-2']
  )
  assert.is(requests.find(({ id }) => id === 'r-in')?.folderId, 'f-in')

  assert.is((await home.here('projections', 'verify')).code, 0)
  assert.is((await home.here('llm', 'usage', '--verify')).code, 0)
  const before = withoutExports(await exportedEvents(home))
  assert.is((await home.here(...migrate)).stdout, 'Database migration completed successfully.\n')
  const after = withoutExports(await exportedEvents(home))
  assert.equal(after, before, 'running again changes nothing')
  await server.stop()
}

/** An exported log without what the exports themselves have left in it. */
function withoutExports(events: readonly StoredEvent[]): readonly StoredEvent[] {
  return events.filter(({ type }) => type !== 'LogExported')
}

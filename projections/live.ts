import type { ImportEvent } from '../commands/import/events.js'
import type { LivePageContent, LivePageEvent, LiveServerContent, LiveServerEvent } from '../commands/live/events.js'
import type { UserEvent } from '../commands/user/events.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp, TableSpec } from '../src/storage/storage.js'
import {
  attribution,
  createdBy,
  type ImportedAs,
  nullify,
  patch,
  projector,
  put,
  remove,
  table,
  updatedBy
} from './define.js'
import { sortKey } from './keys.js'

/** Live servers and live pages. The body is the record without attribution and lock. */

const columns = { sortKey: 'name', deletionLocked: 'flag', ...attribution } as const
const indexes = { byName: { by: [], order: ['sortKey'] } } as const

export const liveServersTable = table({ name: 'liveServers', columns, indexes, scope: 'id' })
export const livePagesTable = table({ name: 'livePages', columns, indexes, scope: 'id' })

export const liveServers = projector<LiveServerEvent | UserEvent | ImportEvent>(liveServersTable, 1, {
  LiveServerCreated: (e) => [made(liveServersTable, e)],
  LiveServerUpdated: (e) => [edited(liveServersTable, e)],
  LiveServerDeletionLocked: (e) => [patch(liveServersTable, e, { deletionLocked: true })],
  LiveServerDeletionUnlocked: (e) => [patch(liveServersTable, e, { deletionLocked: false })],
  LiveServerDeleted: (e) => [remove(liveServersTable, e.subject)],
  LiveServerRestored: (e) => [whole(liveServersTable, e)],
  LiveServerImported: (e) => [whole(liveServersTable, e)],
  UserDeleted: (e) => [nullify(liveServersTable, e, ['createdBy', 'updatedBy'], e.subject)]
})

export const livePages = projector<LivePageEvent | UserEvent | ImportEvent>(livePagesTable, 1, {
  LivePageCreated: (e) => [made(livePagesTable, e)],
  LivePageUpdated: (e) => [edited(livePagesTable, e)],
  LivePageDeletionLocked: (e) => [patch(livePagesTable, e, { deletionLocked: true })],
  LivePageDeletionUnlocked: (e) => [patch(livePagesTable, e, { deletionLocked: false })],
  LivePageDeleted: (e) => [remove(livePagesTable, e.subject)],
  LivePageRestored: (e) => [whole(livePagesTable, e)],
  LivePageImported: (e) => [whole(livePagesTable, e)],
  UserDeleted: (e) => [nullify(livePagesTable, e, ['createdBy', 'updatedBy'], e.subject)]
})

type Table = TableSpec<typeof columns>
type Content = LiveServerContent | LivePageContent
type Whole = ImportedAs<'LiveServerImported' | 'LivePageImported'>

function made(table: Table, e: DecodedEvent<string, Content>): RowOp {
  return put(table, e, { deletionLocked: false, sortKey: sortKey(e.data.name), ...createdBy(e) }, bodyOf(e, e.data))
}

function edited(table: Table, e: DecodedEvent<string, Content>): RowOp {
  return patch(table, e, { sortKey: sortKey(e.data.name), ...updatedBy(e) }, bodyOf(e, e.data))
}

function whole(table: Table, e: Whole): RowOp {
  const { content, deletionLocked, origin } = e.data
  return put(table, e, { deletionLocked, sortKey: sortKey(content.name), ...origin }, bodyOf(e, content))
}

const bodyOf = ({ subject }: DecodedEvent, content: Content) => ({ id: subject, ...content })

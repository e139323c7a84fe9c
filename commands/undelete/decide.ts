import type { z } from 'zod'
import { collectionsTable } from '../../projections/collections.js'
import { documentsTable } from '../../projections/documents.js'
import { environmentsTable } from '../../projections/environments.js'
import { foldersTable } from '../../projections/folders.js'
import { tableOf } from '../../projections/index.js'
import { requestsTable } from '../../projections/requests.js'
import { usersTable } from '../../projections/users.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { type Context, requireAdmin } from '../context.js'
import type { Origin } from '../import/events.js'
import { endOf, endOfFolders } from '../item/place.js'
import type { undeleteEvents } from './events.js'

/** A record as it was before its deletion, as the event that brings it back. `follows` is the last version of its stream. */
export type Restorable = {
  [T in keyof typeof undeleteEvents]: {
    readonly type: T
    readonly id: string
    readonly stream: string
    readonly data: z.infer<(typeof undeleteEvents)[T]['data']>
    readonly follows: number
  }
}[keyof typeof undeleteEvents]

export type UndeleteCommand = {
  /** Brings deleted records back. Those that are here already stay as they are, so it can be repeated. */
  readonly type: 'RestoreRecords'
  /** Collections come before their folders, and folders before what is in them. */
  readonly records: readonly Restorable[]
  /** In their old places also where these are taken: by what goes next. */
  readonly isExact?: true
}

/**
 * Decides on deleted records that come back: for administrators. What they refer to may be gone meanwhile: an account or a
 * parent environment is then left out, a place in a folder that is gone becomes the end of the collection, and one that is
 * taken the end of the folder. Without its collection nothing comes back.
 */
export async function decideUndelete(
  { records, isExact }: UndeleteCommand,
  { caller, read }: Context
): Promise<readonly NewEvent[]> {
  requireAdmin(caller)
  const back = new Set(records.map(({ id }) => id))
  const events: NewEvent[] = []
  for (const record of records) {
    const { id, stream, type, follows } = record
    const table = tableOf(stream)
    if (table && (await read.get(table, id))) continue
    events.push({ stream, type, data: await fitted(record, back, read, isExact), follows })
  }
  return events
}

async function fitted(
  record: Restorable,
  back: ReadonlySet<string>,
  read: ReadStore,
  isExact = false
): Promise<Restorable['data']> {
  const origin = await known(record.data.origin, read)
  switch (record.type) {
    case 'CollectionRestored':
    case 'SnippetRestored':
      return { ...record.data, origin }
    case 'EnvironmentRestored': {
      const { content } = record.data
      const parent = content.parentUuid === null ? null : await read.get(environmentsTable, content.parentUuid)
      return { ...record.data, origin, content: { ...content, parentUuid: parent?.id ?? null } }
    }
    case 'FolderRestored': {
      const { parentFolderId: inside } = record.data
      const place = await standing({ ...record.data, inside }, [foldersTable], endOfFolders, back, read, isExact)
      return { ...record.data, origin, parentFolderId: place.inside, sortOrder: place.sortOrder }
    }
    case 'RequestRestored':
    case 'DocumentRestored': {
      const { folderId: inside } = record.data
      const tables = [requestsTable, documentsTable]
      const place = await standing({ ...record.data, inside }, tables, endOf, back, read, isExact)
      return { ...record.data, origin, folderId: place.inside, sortOrder: place.sortOrder }
    }
  }
}

interface Standing {
  readonly inside: string | null
  readonly sortOrder: number
}

/** Where a record comes back to: its own place where that is there and free, otherwise the `end` of what is there. */
async function standing(
  { collectionId, inside, sortOrder }: Standing & { readonly collectionId: string },
  tables: readonly (typeof requestsTable)[],
  end: typeof endOf,
  back: ReadonlySet<string>,
  read: ReadStore,
  isExact: boolean
): Promise<Standing> {
  await requireHere(collectionId, back, read)
  const isIn = await isHere(collectionId, inside, back, read)
  const folder = isIn ? inside : null
  const container = folder ?? collectionId
  const isFree = isExact || back.has(container) || !(await isTaken(tables, container, sortOrder, read))
  return { inside: folder, sortOrder: isIn && isFree ? sortOrder : await end(container, read) }
}

async function requireHere(collectionId: string, back: ReadonlySet<string>, read: ReadStore): Promise<void> {
  if (back.has(collectionId) || (await read.get(collectionsTable, collectionId))) return
  throw errors.collectionDeleted()
}

async function isHere(collectionId: string, folderId: string | null, back: ReadonlySet<string>, read: ReadStore) {
  if (folderId === null || back.has(folderId)) return true
  return (await read.get(foldersTable, folderId))?.collectionId === collectionId
}

/** True when something in the container has come to stand there meanwhile. */
async function isTaken(
  tables: readonly (typeof requestsTable)[],
  container: string,
  sortOrder: number,
  read: ReadStore
) {
  const lists = await Promise.all(tables.map((table) => read.list(table, 'byContainer', [container], { body: false })))
  return lists.flat().some((row) => row.sortOrder === sortOrder)
}

/** The times and accounts of a record, without accounts that are gone. */
async function known({ createdBy, updatedBy, ...times }: Origin, read: ReadStore): Promise<Origin> {
  const here = async (id: string | null) => (id === null ? null : ((await read.get(usersTable, id))?.id ?? null))
  return { ...times, createdBy: await here(createdBy), updatedBy: await here(updatedBy) }
}

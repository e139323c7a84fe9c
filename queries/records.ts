import { z } from 'zod'
import { type JsonText, nameOf } from '../commands/record.js'
import type { LockableKind, MemberKind } from '../commands/records/kind.js'
import { isLocked } from '../commands/records/lockable.js'
import { requestsTable } from '../commands/records/request/table.js'
import type { PagedReads, Row } from '../src/storage/storage.js'
import { accessKey, type Listing, runPages, runsOf, within } from './listing.js'

/** The fields of a record of which administrators see no more than the name and the lock. */
const MANAGED_FIELDS = ['name', 'deletionLocked']

/** The records of a kind that an access list allows, in the order of the kind. */
export function listAllowed(kind: LockableKind, access: readonly string[]): Listing {
  return {
    name: kind.plural,
    fields: kind.shown,
    key: accessKey(access),
    table: kind.table,
    scope: null,
    index: kind.listed,
    under: [],
    selection: within(access),
    record: kind.record
  }
}

/** Every record of a kind as administrators manage it, in the order of the kind. */
export function listManaged(kind: LockableKind): Listing {
  const { selection: _, ...all } = listAllowed(kind, ['*'])
  return { ...all, fields: MANAGED_FIELDS, key: 'managed', record: managed }
}

/** All records of a kind that a collection holds, by place and name. */
export function listMembers(kind: MemberKind, collectionId: string): Listing {
  return {
    name: kind.plural,
    fields: kind.shown,
    key: '',
    table: kind.table,
    scope: collectionId,
    index: 'byCollection',
    under: [collectionId],
    sequence: kind.sequence,
    record: kind.record
  }
}

/** A record as administrators manage it: `{id, name, deletionLocked}`. */
export function managed(row: Row): JsonText {
  return JSON.stringify({ id: row.id, name: nameOf(row), deletionLocked: isLocked(row) })
}

type RequestRow = Row<typeof requestsTable.columns>

const content = z.object({ name: z.string(), method: z.string(), url: z.string() })

/** A saved request in a line. */
export interface RequestLine {
  readonly id: string
  readonly name: string
  readonly method: string
  readonly url: string
  readonly collectionId: string
  /** The folder that it is in; null at the root of its collection. */
  readonly folderId: string | null
}

/** What there is to tell of a request in its row. */
export function requestLine({ id, collectionId, container, body }: RequestRow): RequestLine {
  const { name, method, url } = content.parse(JSON.parse(body))
  return { id, name, method, url, collectionId, folderId: container === collectionId ? null : container }
}

/** The saved requests of a collection, a page at a time; those of one folder in their order. */
export async function* requestLines(
  read: PagedReads,
  collectionId: string
): AsyncGenerator<readonly RequestLine[], void> {
  const rows = { table: requestsTable, index: 'byCollection', under: [collectionId] }
  for (const run of runsOf(await read.outline(rows.table, rows.index, rows.under))) {
    for await (const page of runPages(read, rows, run)) {
      yield page.map(requestLine)
    }
  }
}

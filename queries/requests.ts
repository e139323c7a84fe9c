import { z } from 'zod'
import { requestsTable } from '../projections/requests.js'
import type { PagedReads, Row } from '../src/storage/storage.js'
import { runPages, runsOf } from './listing.js'

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

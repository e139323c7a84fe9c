import { z } from 'zod'
import { id } from '../../commands/content.js'
import { allows } from '../../commands/context.js'
import { namesIn } from '../../commands/keys.js'
import { accessible, itemPositionOf } from '../../commands/records/kind.js'
import { KINDS, kinds, MEMBERS, type Member } from '../../commands/records/kinds.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { sequenceOf } from '../../commands/records/sequences.js'
import { requestLine } from '../../queries/records.js'
import { errors } from '../errors.js'
import { POSITION_OR_CURSOR, positionIn } from '../followers/feed/cursor.js'
import { changesAfter } from '../followers/feed/page.js'
import { search } from '../followers/search/search.js'
import { giveWay } from '../lib/turns.js'
import { boundedText, LIMITS } from '../limits.js'
import { columnsOf } from '../readmodel/manyRows.js'
import { ordered } from '../readmodel/sequence.js'
import type { Row } from '../storage/storage.js'
import { cursor, limitOf, listPage, next, start } from './pages.js'
import { args, type Tool, type ToolContext, tool } from './tool.js'

const page = { cursor, limit: limitOf(200, 50) }
const collectionId = id.describe('The id of a collection')
const folderId = z.string().nullable().describe('The folder that it is in; null at the root of the collection')

const searchTool = tool({
  name: 'search',
  title: 'Search',
  description:
    'Finds collections, folders, requests, documents, environments and snippets that have all of some words, themselves or in the names of their folders and collection, the best first; one wrong letter is forgiven. Begin here to find the id of something.',
  args: args({
    query: boundedText(LIMITS.searchQuery).min(1).describe('Words; the last may be the beginning of one'),
    kinds: z
      .array(z.enum(KINDS))
      .min(1)
      .max(KINDS.length)
      .default([...KINDS])
      .describe('Only these kinds of record'),
    collectionId: collectionId.optional().describe('Only in this collection'),
    cursor,
    limit: limitOf(25, 20)
  }),
  answer: z.object({
    results: z.array(
      z.object({
        kind: z.enum(KINDS),
        id: z.string(),
        name: z.string(),
        collectionId: z.string().nullable(),
        folderId,
        method: z.string().optional(),
        url: z.string().optional().describe('Of a request, without a user and a password; cut where it is long'),
        found: z
          .array(z.object({ field: z.string(), text: z.string() }))
          .describe('Places where the words are; `folder` and `collection` are names of what holds it')
      })
    ),
    next,
    isComplete: z.boolean().describe('False where something that was just written may be missing: ask again')
  }),
  async run({ query: q, ...question }, { callerNow, ledger }) {
    const { results, nextCursor, isComplete } = await search(ledger, callerNow, { q, ...question })
    const shown = results.map(({ snippets, ...one }) => ({
      ...one,
      found: snippets.map(({ field, text }) => ({ field, text }))
    }))
    return { results: shown, next: nextCursor, isComplete }
  }
})

const listed = { id: z.string(), name: z.string() }

const listCollections = tool({
  name: 'list_collections',
  title: 'List collections',
  description:
    'Lists the collections that the owner of the token has access to, by name. Names are cut to 160 characters.',
  args: args(page),
  answer: z.object({ collections: z.array(z.object(listed)), next }),
  async run({ cursor, limit }, context) {
    const { items, next } = await collectionsPage(context, cursor, limit)
    return { collections: [...items], next }
  }
})

/** One page of the collections that the caller has access to, by name. */
export async function collectionsPage(
  { caller, ledger: { readModel } }: Pick<ToolContext, 'caller' | 'ledger'>,
  cursor: string | undefined,
  limit: number
) {
  const { table, listed, access } = kinds.collection
  const all = (await readModel.list(table, listed, [], { body: false })).filter(({ id }) => allows(caller[access], id))
  return listPage(['collections'], all, limit, cursor, (rows) => rows.map(named))
}

const getCollection = tool({
  name: 'get_collection',
  title: 'Outline of a collection',
  description:
    'Tells what a collection holds: its folders first, then its requests and documents, each with the folder that it is in. Names are cut to 160 characters.',
  args: args({ id: collectionId, ...page }),
  answer: z.object({
    id: z.string(),
    name: z.string(),
    counts: z.object({ folders: z.int(), requests: z.int(), documents: z.int() }),
    outline: z.array(z.object({ kind: z.enum(MEMBERS), ...listed, folderId })),
    next
  }),
  recordOf: ({ id }) => ({ kind: 'collection', id }),
  async run({ id, cursor, limit }, context) {
    const collection = await accessible(kinds.collection, id, context.caller, context.ledger.readModel)
    const folders = await membersOf(context, 'folder', id)
    const requests = await membersOf(context, 'request', id)
    const documents = await membersOf(context, 'document', id)
    const { items, next } = await listPage(
      ['outline', id],
      [...folders, ...requests, ...documents],
      limit,
      cursor,
      (some) => some.map(({ kind, row }) => ({ kind, ...named(row), folderId: itemPositionOf(row).inside }))
    )
    const counts = { folders: folders.length, requests: requests.length, documents: documents.length }
    return { ...named(collection), counts, outline: [...items], next }
  }
})

const inFolder = id.optional().describe('Only those of this folder')

const listRequests = tool({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists the saved requests of a collection in their order, with method and URL. Read one with get_request.',
  args: args({ collectionId, folderId: inFolder, ...page }),
  answer: z.object({
    requests: z.array(z.object({ ...listed, method: z.string(), url: z.string(), folderId })),
    next
  }),
  recordOf: ({ collectionId }) => ({ kind: 'collection', id: collectionId }),
  async run({ collectionId, folderId, cursor, limit }, context) {
    const { readModel } = context.ledger
    const all = await members(context, 'request', collectionId, folderId)
    const { items, next } = await listPage(['requests', collectionId, folderId], all, limit, cursor, async (some) => {
      const rows = await readModel.getPage(
        requestsTable,
        some.map(({ id }) => id)
      )
      return rows.map((row) => {
        const { collectionId: _, url, ...line } = requestLine(row)
        return { ...line, url: start(url, URL_LENGTH) }
      })
    })
    return { requests: [...items], next }
  }
})

/** What a list tells of a URL. */
const URL_LENGTH = 2000

const listDocuments = tool({
  name: 'list_documents',
  title: 'List documents',
  description:
    'Lists the Markdown documents of a collection in their order. Names are cut to 160 characters. Read one with get_document.',
  args: args({ collectionId, folderId: inFolder, ...page }),
  answer: z.object({ documents: z.array(z.object({ ...listed, folderId })), next }),
  recordOf: ({ collectionId }) => ({ kind: 'collection', id: collectionId }),
  async run({ collectionId, folderId, cursor, limit }, context) {
    const all = await members(context, 'document', collectionId, folderId)
    const { items, next } = await listPage(['documents', collectionId, folderId], all, limit, cursor, (some) =>
      some.map(({ row }) => ({ ...named(row), folderId: itemPositionOf(row).inside }))
    )
    return { documents: [...items], next }
  }
})

const listChanges = tool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Lists what has changed behind a position of the log: which record, when and by whom, not its content. Without `after` it tells the position that the log has reached.',
  args: args({
    after: z
      .union([z.int().min(0), z.string().regex(POSITION_OR_CURSOR)])
      .optional()
      .describe('Where to go on: `cursor` of the answer before, or a position of the log'),
    limit: limitOf(200, 50)
  }),
  answer: z.object({
    changes: z.array(
      z.object({
        position: z.int(),
        at: z.string(),
        type: z.string(),
        kind: z.string(),
        id: z.string(),
        collectionId: z.string().nullable(),
        actorId: z.string()
      })
    ),
    position: z.int(),
    cursor: z.string().describe('Send it as `after` to go on'),
    more: z.boolean()
  }),
  async run({ after, limit }, { ledger, callerNow }) {
    const { head } = ledger.readModel
    const from = after === undefined ? head.position : await positionIn(String(after), 'after', head, ledger.storage)
    const { changes, ...rest } = await changesAfter(ledger, from, limit, callerNow)
    return { changes: [...changes], ...rest }
  }
})

interface Listed {
  readonly kind: Member
  readonly id: string
  readonly row: Row
}

/** The records of one kind that a collection holds, in their order and without their bodies; 403 and 404 as for the collection. */
async function members(context: ToolContext, kind: Member, collectionId: string, folderId: string | undefined) {
  await accessible(kinds.collection, collectionId, context.caller, context.ledger.readModel)
  if (folderId !== undefined) {
    const folder = await accessible(kinds.folder, folderId, context.caller, context.ledger.readModel)
    if (itemPositionOf(folder).collectionId !== collectionId) throw errors.notFound(kinds.folder.label)
  }
  const all = await membersOf(context, kind, collectionId)
  return folderId === undefined ? all : all.filter(({ row }) => ordered(row).container === folderId)
}

async function membersOf({ ledger: { readModel } }: ToolContext, kind: Member, collectionId: string) {
  const { table } = kinds[kind]
  const rows: readonly Row[] = await columnsOf(readModel, table, 'byCollection', [collectionId])
  await giveWay()
  const spec = sequenceOf(table)
  const inOrder = spec ? (await readModel.places(spec, collectionId)).inOrder(table, rows) : []
  return inOrder.map(({ row }): Listed => ({ kind, id: row.id, row }))
}

const keyed = z.object({ id: z.string(), sortKey: z.string() })

/** A record by what its row holds without a body. */
function named(row: Row): { id: string; name: string } {
  const { id, sortKey } = keyed.parse(row)
  return { id, name: namesIn(sortKey).name }
}

/** Tools that find and list. */
export const listTools: readonly Tool[] = [
  searchTool,
  listCollections,
  getCollection,
  listRequests,
  listDocuments,
  listChanges
]

import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { asEditor } from '../../../commands/people/user/system.js'
import { accessible, itemPositionOf } from '../../../commands/records/kind.js'
import {
  isMember,
  KINDS,
  kindOfStream,
  kinds,
  lockables,
  type RestorableKind
} from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { Frozen } from '../../lib/frozen.js'
import { LIMITS } from '../../limits.js'
import { subjectOf } from '../../log/event.js'
import { wholeRows } from '../../log/pages.js'
import type { Row } from '../../storage/storage.js'
import { bodyOf, fieldTexts } from './fields.js'
import { placeOf, scopeOf } from './place.js'
import { type AskedWord, askedWords, type FoundEntry, type SearchReach, tiersOf } from './question.js'
import { snippet, snippetsOf } from './snippets.js'

/** What is searched for, and where. `limit` is how many records a page has at most, and `cursor` is that of the page before. */
export interface SearchQuestion {
  readonly q: string
  readonly kinds?: readonly RestorableKind[] | undefined
  readonly collectionId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A record that was found, with the places where. */
const searchResult = z.object({
  kind: z.enum(KINDS).describe('What kind of record it is.'),
  id: z.string().describe('The id of the record.'),
  name: z.string().describe('What it is called.'),
  collectionId: z.string().nullable().describe('The id of the collection that holds it; null where none does.'),
  folderId: z.string().nullable().describe('The id of the folder that it is in; null where it is in none.'),
  method: z.string().optional().describe('Of a request, its method.'),
  url: z.string().optional().describe('Of a request, its URL without a user and a password, and cut where it is long.'),
  snippets: z.array(snippet).describe('Places in the record where the words are.')
})
export type SearchResult = Frozen<z.infer<typeof searchResult>>

/** A page of what was found. */
export const searchPage = z.object({
  results: z.array(searchResult).describe('The records that were found, the best first.'),
  nextCursor: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
  isComplete: z.boolean().describe('True where everything was searched that was written before the request.'),
  position: z.number().describe('The position of the log up to which was searched.')
})
export type SearchPage = Frozen<z.infer<typeof searchPage>>

const RESULTS_DEFAULT = 20
const CURSOR = /^([0-9])-([0-9]{1,15})$/

/**
 * Finds records that have all the words of a question, of those that the caller may see now: names that are the question first,
 * then names that begin with it, names with its words, names and addresses with them, and everything else; within each what was
 * changed last. Follows what was written before, for a second at most. Administrators find everything, as they may read it. 403 or 404
 * as elsewhere for a collection that the caller may not see; 400 for a cursor that is none. Throws `StorageUnavailable`.
 */
export async function search(
  { readModel, indexer }: Pick<Ledger, 'readModel' | 'indexer'>,
  asking: Caller,
  question: SearchQuestion
): Promise<SearchPage> {
  const caller = asking.role === 'admin' ? asEditor(asking) : asking
  const { collectionId, limit = RESULTS_DEFAULT } = question
  const from = cursorIn(question.cursor)
  if (collectionId !== undefined) await accessible(kinds.collection, collectionId, caller, readModel)
  const reach = reachOf(caller, collectionId)
  const words = askedWords(question.q)
  const state = await indexer.caughtUp()
  // One more than is shown tells whether there is more.
  const asked = { tiers: tiersOf(words), kinds: question.kinds, reach, from, limit: limit + 1 }
  const found = await indexer.find(asked)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const results = await resultsOf(readModel, page, reach, words)
  return { results, nextCursor: last && found.length > limit ? `${last.tier}-${last.position}` : null, ...state }
}

function cursorIn(cursor: string | undefined): { readonly tier: number; readonly before: number | undefined } {
  if (cursor === undefined) return { tier: 0, before: undefined }
  const [, tier, before] = CURSOR.exec(cursor) ?? []
  if (before === undefined) throw errors.cursorMalformed()
  return { tier: Number(tier), before: Number(before) }
}

/** What a caller may see; undefined for everything. */
function reachOf(caller: Caller, collectionId: string | undefined): SearchReach | undefined {
  if (collectionId !== undefined) return { areas: [], scopes: [scopeOf('collection', collectionId)] }
  const isWhole = ({ access }: (typeof lockables)[number]) => caller[access].includes('*')
  if (lockables.every(isWhole)) return undefined
  return {
    areas: lockables.filter(isWhole).map(({ kind }) => kind),
    scopes: lockables.flatMap((one) => (isWhole(one) ? [] : caller[one.access].map((id) => scopeOf(one.kind, id))))
  }
}

/** The records of entries as they are now, in their order. What is gone since, or not to be seen any more, is left out. */
async function resultsOf(
  readModel: Ledger['readModel'],
  entries: readonly FoundEntry[],
  reach: SearchReach | undefined,
  words: readonly AskedWord[]
): Promise<readonly SearchResult[]> {
  const results = new Map<string, SearchResult>()
  for (const kind of KINDS) {
    const some = entries.filter(({ id }) => kindOfStream(id) === kind)
    const ids = some.map(({ id }) => subjectOf(id))
    for await (const row of wholeRows(readModel, kinds[kind].table, ids))
      if (isWithin(reach, kind, row)) results.set(`${kind}-${row.id}`, await resultOf(kind, row, words))
  }
  return entries.map(({ id }) => results.get(id)).filter((result) => result !== undefined)
}

function isWithin(reach: SearchReach | undefined, kind: RestorableKind, row: Row): boolean {
  const { area, scope } = placeOf(kind, row)
  return !reach || reach.areas.includes(area) || reach.scopes.includes(scope)
}

async function resultOf(kind: RestorableKind, row: Row, words: readonly AskedWord[]): Promise<SearchResult> {
  const body = bodyOf(row)
  const { collectionId, inside: folderId } = isMember(kind) ? itemPositionOf(row) : { collectionId: null, inside: null }
  const texts = [...fieldTexts(kind, body)]
  const textOf = (wanted: string) => texts.find(({ field }) => field === wanted)?.text.slice(0, LIMITS.searchUrl.max)
  const asksFor = kind === 'request' && { method: textOf('method'), url: textOf('url') }
  const snippets = await snippetsOf(texts, words, LIMITS.searchSnippets.max)
  return { kind, id: row.id, name: String(body.name), collectionId, folderId, ...asksFor, snippets }
}

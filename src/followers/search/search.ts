import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { asEditor } from '../../../commands/people/user/system.js'
import { accessible } from '../../../commands/records/kind.js'
import { kinds, lockables, type RestorableKind } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { Frozen } from '../../lib/frozen.js'
import { markOf } from '../../lib/mark.js'
import type { SearchIndexer } from './indexer.js'
import { scopeOf } from './place.js'
import { type AskedWord, askedWords, type FoundEntry, type SearchReach, type Tier } from './question.js'
import { resultsOf, type Shown, searchResult } from './results.js'
import { correctionsOf, isCorrectable, tiersOf } from './tiers.js'

/** What is searched for, and where. `limit` is how many records a page has at most, and `cursor` is that of the page before. */
export interface SearchQuestion {
  readonly q: string
  readonly kinds?: readonly RestorableKind[] | undefined
  readonly collectionId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A page of what was found. */
export const searchPage = z.object({
  results: z.array(searchResult).describe('The records that were found, the best first.'),
  nextCursor: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
  isComplete: z.boolean().describe('True where everything was searched that was written before the request.'),
  position: z.number().describe('The position of the log up to which was searched.')
})
export type SearchPage = Frozen<z.infer<typeof searchPage>>

const RESULTS_DEFAULT = 20
const CURSOR = /^([0-9]{1,2})-([0-9]{1,15})-([\w-]{8})$/

/**
 * Finds records that have all the words of a question, themselves or in the names of the folders and the collection that hold them, of
 * those that the caller may see now; in the order of `tiersOf`, and within each what was changed last first. Where that is little, what
 * `correctionsOf` finds follows. Takes in what was written before, for a second at most. `callerNow` is asked behind that, so that what
 * took access away counts; 401 where it says that there is none any more. Administrators find everything, as they may read it. 403 or
 * 404 as elsewhere for a collection that the caller may not see; 400 for a cursor that is none of this question. Throws
 * `StorageUnavailable`, and `IndexUnavailable`.
 */
export async function search(
  { readModel, indexer }: Pick<Ledger, 'readModel'> & { readonly indexer: Pick<SearchIndexer, 'caughtUp' | 'find'> },
  callerNow: () => Promise<Caller | null>,
  question: SearchQuestion
): Promise<SearchPage> {
  const { collectionId, limit = RESULTS_DEFAULT } = question
  const mark = markOf(question.q, question.kinds?.toSorted(), collectionId)
  const from = cursorIn(question.cursor, mark)
  const words = askedWords(question.q)
  const state = await indexer.caughtUp()
  const asking = await callerNow()
  if (!asking) throw errors.unauthorized()
  const caller = asking.role === 'admin' ? asEditor(asking) : asking
  if (collectionId !== undefined) await accessible(kinds.collection, collectionId, caller, readModel)
  const reach = reachOf(caller, collectionId)
  // One more than is shown tells whether there is more.
  const tiers = tiersOf(words)
  const asked = { tiers, ifFew: correctionsOf(words), kinds: question.kinds, reach, from, limit: limit + 1 }
  const found = await indexer.find(asked)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const results = await resultsOf(readModel, page, reach, shownIn(words, tiers))
  return {
    results,
    nextCursor: last && found.length > limit ? `${last.tier}-${last.position}-${mark}` : null,
    ...state
  }
}

function shownIn(words: readonly AskedWord[], tiers: readonly Tier[]): (entry: FoundEntry) => Shown {
  const near = words.map((word) => ({ ...word, isNear: isCorrectable(word) }))
  return ({ tier }) => {
    const own = tiers[tier]
    return own ? { words, isHeld: own.adds === 'isHeld' } : { words: near, isHeld: true }
  }
}

function cursorIn(
  cursor: string | undefined,
  mark: string
): { readonly tier: number; readonly before: number | undefined } {
  if (cursor === undefined) return { tier: 0, before: undefined }
  const [, tier, before, of] = CURSOR.exec(cursor) ?? []
  if (before === undefined || of !== mark) throw errors.cursorMalformed()
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

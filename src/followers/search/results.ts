import { z } from 'zod'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, KINDS, kindOfStream, kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { Frozen } from '../../lib/frozen.js'
import { LIMITS } from '../../limits.js'
import { subjectOf } from '../../log/event.js'
import { wholeRows } from '../../readmodel/manyRows.js'
import type { Row } from '../../storage/storage.js'
import { bodyOf, type FieldText, fieldTexts } from './fields.js'
import { type FoundRow, heldIn } from './holders.js'
import { placeOf } from './place.js'
import type { FoundEntry, SearchReach } from './question.js'
import { type ShownWord, snippet, snippetsOf } from './snippets.js'

/** A record that was found, with the places where. */
export const searchResult = z.object({
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

/** What of a record is shown, and whether the names of what holds it are. */
export interface Shown {
  readonly words: readonly ShownWord[]
  readonly isHeld: boolean
}

/** The records of entries as they are now, in their order. What is gone since, or not to be seen any more, is left out. */
export async function resultsOf(
  readModel: Ledger['readModel'],
  entries: readonly FoundEntry[],
  reach: SearchReach | undefined,
  shownOf: (entry: FoundEntry) => Shown
): Promise<readonly SearchResult[]> {
  const rows = new Map<string, FoundRow>()
  for (const kind of KINDS) {
    const ids = entries.filter(({ id }) => kindOfStream(id) === kind).map(({ id }) => subjectOf(id))
    for await (const row of wholeRows(readModel, kinds[kind].table, ids))
      if (isWithin(reach, kind, row)) rows.set(`${kind}-${row.id}`, { kind, row })
  }
  const found = entries.flatMap((entry) => {
    const one = rows.get(entry.id)
    return one ? [{ ...one, shown: shownOf(entry) }] : []
  })
  const holders = await heldIn(
    readModel,
    found.filter(({ shown }) => shown.isHeld)
  )
  const results: SearchResult[] = []
  for (const { kind, row, shown } of found)
    results.push(await resultOf({ kind, row }, shown.words, holders.get(row.id) ?? []))
  return results
}

function isWithin(reach: SearchReach | undefined, kind: RestorableKind, row: Row): boolean {
  const { area, scope } = placeOf(kind, row)
  return !reach || reach.areas.includes(area) || reach.scopes.includes(scope)
}

async function resultOf(
  { kind, row }: FoundRow,
  words: readonly ShownWord[],
  holders: readonly FieldText[]
): Promise<SearchResult> {
  const body = bodyOf(row)
  const { collectionId, inside: folderId } = isMember(kind) ? itemPositionOf(row) : { collectionId: null, inside: null }
  const texts = [...fieldTexts(kind, body)]
  const textOf = (wanted: string) => texts.find(({ field }) => field === wanted)?.text.slice(0, LIMITS.searchUrl.max)
  const asksFor = kind === 'request' && { method: textOf('method'), url: textOf('url') }
  const snippets = await snippetsOf([...texts, ...holders], words, LIMITS.searchSnippets.max)
  return { kind, id: row.id, name: String(body.name), collectionId, folderId, ...asksFor, snippets }
}

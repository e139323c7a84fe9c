import type { FoundEntry, IndexQuery, SearchReach, Term } from '../searchIndex.js'
import { kindTag, reachTags } from '../sql/searchTags.js'
import { searchProgressTable } from '../sql/tables.js'
import { entriesBy, type IndexPlace, isWithin, SCOPES_MAX, valuesOf } from '../sql/wordIndex.js'
import { isEmpty, positionsOf, type Source, sourceOfBeginning } from './wordBlocks.js'
import { tablesOf } from './wordTables.js'

/** So many entries are looked at in one question for what only their rows tell: at first, and each time this many times as many. */
const LOOKED_AT = { first: 100, times: 4, max: 1600 }
/** So often a question is asked, where the index changes each time before all of its answer is there. */
const TIMES = 4

/**
 * Finds entries by the sets of their positions that the words, kinds and scopes have which are asked for. A beginning that many
 * words have is looked for in the texts of what the others have, or of all entries, the newest first: enough have one soon.
 */
export async function findByWords(place: IndexPlace, query: IndexQuery): Promise<readonly FoundEntry[]> {
  const { all, none = [] } = query
  // An entry that has all has these.
  const excluded = none.filter((term) => !all.some((one) => isSame(one, term)))
  if (none.length > 0 && excluded.length === 0) return []
  for (let time = 1; ; time++) {
    const turn = await turnOf(place)
    const found = await foundOnce(place, { ...query, none: excluded })
    // What has moved between two of the questions that are asked may be in no answer.
    if (time === TIMES || (await turnOf(place)) === turn) return found
  }
}

/** A number that grows with each change of the index. */
async function turnOf({ prefix, driver }: IndexPlace): Promise<number> {
  const [row] = await driver.query({ text: `SELECT turn FROM ${prefix}${searchProgressTable.name}`, values: [] })
  return Number(row?.turn)
}

async function foundOnce(place: IndexPlace, query: IndexQuery): Promise<readonly FoundEntry[]> {
  const { all, none = [], kinds, reach, before = Number.MAX_SAFE_INTEGER, limit } = query
  const wanted = await soughtOf(place, all)
  if (wanted.some(isNowhere)) return []
  const unwanted = await soughtOf(place, none)
  const isExcluding = unwanted.length > 0 && !unwanted.some(isNowhere)
  const isShort = reach !== undefined && reach.areas.length + reach.scopes.length <= SCOPES_MAX
  const tags = [...(kinds ? [kinds.map(kindTag)] : []), ...(isShort ? [reachTags(reach)] : [])]
  const sources = [...sourcesOf(wanted), ...tags.map((words) => ({ words }))]
  const excluded = isExcluding ? sourcesOf(unwanted) : []
  const isInTexts = isExcluding && (sources.length === 0 || excluded.length < unwanted.length)
  const rest: Rest = {
    all: wanted.filter(({ source }) => source === null).map(({ term }) => term),
    none: isInTexts ? none : [],
    reach: isShort ? undefined : reach
  }
  if (sources.length === 0) return lookedAt(place, rest, { before, limit })
  const found: FoundEntry[] = []
  for await (const positions of positionsOf(place, sources, isInTexts ? [] : excluded, before)) {
    for (let from = 0, count = LOOKED_AT.first; from < positions.length; ) {
      const among = positions.slice(from, from + count)
      found.push(...(await lookedAt(place, rest, { among, limit: limit - found.length })))
      if (found.length >= limit) return found
      from += count
      count = Math.min(LOOKED_AT.max, count * LOOKED_AT.times)
    }
  }
  return found
}

/** A term and what has it; null for a beginning that many words have, which is looked for in texts. */
interface Sought {
  readonly term: Term
  readonly source: Source | null
}

async function soughtOf(place: IndexPlace, terms: readonly Term[]): Promise<readonly Sought[]> {
  const sourceOf = (term: Term) => (term.isPrefix ? sourceOfBeginning(place, term.text) : { words: [term.text] })
  return Promise.all(terms.map(async (term) => ({ term, source: await sourceOf(term) })))
}

const isNowhere = ({ source }: Sought) => source !== null && isEmpty(source)

function sourcesOf(sought: readonly Sought[]): readonly Source[] {
  return sought.flatMap(({ source }) => (source ? [source] : []))
}

/** What the rows and texts of entries are asked for. */
interface Rest {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
  readonly reach: SearchReach | undefined
}

/** The entries that are so, of those at some positions or of all before one. */
async function lookedAt(
  { prefix, driver }: IndexPlace,
  { all, none, reach }: Rest,
  {
    limit,
    ...range
  }: { readonly limit: number } & ({ readonly among: readonly number[] } | { readonly before: number })
): Promise<readonly FoundEntry[]> {
  const { entries, texts } = tablesOf(prefix)
  const { values, value } = valuesOf(driver.dialect)
  const hasTerm = ({ text, isPrefix }: Term) => `LOCATE(${value(` ${text}${isPrefix ? '' : ' '}`)}, t.words) > 0`
  const conditions = [
    'among' in range ? `e.position IN (${value(range.among)})` : `e.position < ${value(range.before)}`
  ]
  if (reach) conditions.push(isWithin(driver.dialect, reach, values))
  conditions.push(...all.map(hasTerm))
  if (none.length > 0) conditions.push(`NOT (${none.map(hasTerm).join(' AND ')})`)
  const join = all.length + none.length > 0 ? ` JOIN ${texts} AS t ON t.position = e.position` : ''
  const text = `SELECT STRAIGHT_JOIN e.id, e.position FROM ${entries} AS e${join} WHERE ${conditions.join(' AND ')} ORDER BY e.position DESC LIMIT ${value(limit)}`
  return entriesBy(driver, { text, values, hasLimit: true })
}

function isSame(one: Term, other: Term): boolean {
  return one.text === other.text && one.isPrefix === other.isPrefix
}

import type { FoundEntry, IndexQuery, Term } from '../searchIndex.js'
import type { Parameter, Statement } from '../sql/dialect.js'
import { kindTag, reachTags } from '../sql/searchTags.js'
import { entriesBy, type IndexPlace, isOfKind, isWithin, SCOPES_MAX, valuesOf } from '../sql/wordIndex.js'
import { tablesOf } from './wordTables.js'

/** Of words that more entries have, it is not counted how many. */
const COUNTED = 2000
/** As few words are looked for one by one in place of their beginning. */
const FEW = 4
/** Behind every other character. */
const LAST = '\u{10ffff}'

/** Entries that have one of some words. */
interface Source {
  /**
   * One word, whose entries come in order; all words with a beginning, whose entries before a position are not told without the
   * others; or some words.
   */
  readonly of: 'word' | 'beginning' | 'group'
  /** What of the terms it stands for; a group stands for kinds or a reach. */
  readonly term?: Term
  /** A condition on `word` of the table of words. */
  readonly isHere: string
  readonly values: readonly Parameter[]
}

/** How many entries a source has, up to `COUNTED`; where it has more, from which position on the newest so many are. */
interface Size {
  readonly count: number
  readonly oldest: number
  /** The position of its last entry, infinite where that is not known. */
  readonly newest: number
}

/**
 * Goes through the entries of the rarest of the words, kinds and scopes that are asked for, the newest first, and looks for the others in
 * each. Where the rarest is the beginning of many words, it goes through all entries: enough have one soon.
 */
export async function findByWords(place: IndexPlace, query: IndexQuery): Promise<readonly FoundEntry[]> {
  const { all, none = [], before = Number.MAX_SAFE_INTEGER } = query
  // An entry that has all has these.
  const excluded = none.filter((term) => !all.some((one) => isSame(one, term)))
  if (none.length > 0 && excluded.length === 0) return []
  const terms = query.all.map(sourceOfTerm)
  const sizesOfTerms = await sizesOf(place, terms, before)
  if (sizesOfTerms.some(({ count }) => count === 0)) return []
  const isCommon = sizesOfTerms.every(({ count }) => count === COUNTED)
  const spelled = isCommon ? await spelledOut(place, all) : new Map<Term, readonly string[]>()
  if ([...spelled.values()].some(({ length }) => length === 1)) {
    const whole = all.map((term) => {
      const [text, ...others] = spelled.get(term) ?? []
      return text === undefined || others.length > 0 ? term : { text, isPrefix: false }
    })
    return findByWords(place, { ...query, all: whole, none: excluded })
  }
  const groups = isCommon ? groupsOf(query) : []
  const sources = [...terms, ...groups]
  const sizes = [...sizesOfTerms, ...(await sizesOf(place, groups, before))]
  const below = Math.min(before, ...sizes.map(({ newest }) => newest + 1))
  const through = rarest(sources, sizes)
  const asked = { ...query, none: excluded, before: below }
  return entriesBy(place.driver, findStatement(place, asked, terms, through, spelled))
}

/** The words that begin as terms say, of those terms with which few do. */
async function spelledOut(
  { prefix, driver }: IndexPlace,
  all: readonly Term[]
): Promise<ReadonlyMap<Term, readonly string[]>> {
  const { words } = tablesOf(prefix)
  const text = `SELECT MIN(word) AS word FROM ${words} WHERE word BETWEEN ? AND ?`
  const spelled = new Map<Term, readonly string[]>()
  for (const term of all.filter(({ isPrefix }) => isPrefix)) {
    const found: string[] = []
    for (let from = term.text; found.length <= FEW; from = `${found.at(-1)}\0`) {
      const [row] = await driver.query({ text, values: [from, term.text + LAST] })
      if (row?.word === null || row?.word === undefined) break
      found.push(String(row.word))
    }
    if (found.length > 0 && found.length <= FEW) spelled.set(term, found)
  }
  return spelled
}

function sourceOfTerm(term: Term): Source {
  const { text, isPrefix } = term
  if (!isPrefix) return { of: 'word', term, isHere: 'word = ?', values: [text] }
  return { of: 'beginning', term, isHere: 'word BETWEEN ? AND ?', values: [text, text + LAST] }
}

function groupsOf({ kinds, reach }: IndexQuery): readonly Source[] {
  const isShort = reach !== undefined && reach.areas.length + reach.scopes.length <= SCOPES_MAX
  const groups = [...(kinds ? [kinds.map(kindTag)] : []), ...(isShort ? [reachTags(reach)] : [])]
  return groups.map((tags) => ({ of: 'group', isHere: `word IN (${tags.map(() => '?').join(', ')})`, values: tags }))
}

/** Asks how large sources are, in one question. */
async function sizesOf(
  { prefix, driver }: IndexPlace,
  sources: readonly Source[],
  before: number
): Promise<readonly Size[]> {
  if (sources.length === 0) return []
  const { words } = tablesOf(prefix)
  const { values, value } = valuesOf(driver.dialect)
  const texts = sources.map(({ of, isHere, values: own }, i) => {
    /** The last position under each word of a group, which is found without going through those before it. */
    const last = () => {
      const each = own.map((word) => {
        return `SELECT MAX(position) AS newest FROM ${words} WHERE word = ${value(word)} AND position < ${value(before)}`
      })
      return `(SELECT MAX(newest) FROM (${each.join(' UNION ALL ')}) AS each_word)`
    }
    const newest = of === 'group' ? last() : 'MAX(position)'
    values.push(...own)
    const isBefore = of === 'beginning' ? '' : ` AND position < ${value(before)}`
    const order = of === 'word' ? ' ORDER BY position DESC' : ''
    const counted = `SELECT position FROM ${words} WHERE ${isHere}${isBefore}${order} LIMIT ${COUNTED}`
    return `(SELECT ${i} AS source, COUNT(*) AS size, MIN(position) AS oldest, ${newest} AS newest FROM (${counted}) AS counted)`
  })
  const rows = await driver.query({ text: texts.join(' UNION ALL '), values })
  return sources.map(({ of }, i) => {
    const row = rows.find(({ source }) => Number(source) === i)
    const newest = of === 'beginning' ? Number.POSITIVE_INFINITY : Number(row?.newest ?? 0)
    return { count: Number(row?.size ?? 0), oldest: Number(row?.oldest ?? 0), newest }
  })
}

/** The source with the fewest entries; null where none is known that has few and none has them in order. */
function rarest(sources: readonly Source[], sizes: readonly Size[]): Source | null {
  const weights = sizes.map(({ count, oldest }, i) => {
    if (count < COUNTED) return count
    // Of what is written as often as ever, more is rarer the further back the same number goes.
    return sources[i]?.of === 'word' ? COUNTED + oldest : Number.POSITIVE_INFINITY
  })
  const least = Math.min(...weights)
  return Number.isFinite(least) ? (sources[weights.indexOf(least)] ?? null) : null
}

function findStatement(
  { prefix, driver: { dialect } }: IndexPlace,
  { none = [], kinds, reach, before = 0, limit }: IndexQuery,
  terms: readonly Source[],
  through: Source | null,
  spelled: ReadonlyMap<Term, readonly string[]>
): Statement {
  const { entries, texts, words } = tablesOf(prefix)
  const { values, value } = valuesOf(dialect)
  const left = terms.filter((source) => source !== through).flatMap(({ term }) => (term ? [term] : []))
  const from = fromOf(through)
  const exact = left.filter(({ isPrefix }) => !isPrefix)
  const joins = exact.map(
    ({ text }, i) => `JOIN ${words} AS w${i} ON w${i}.word = ${value(text)} AND w${i}.position = d.position`
  )
  joins.push(`JOIN ${entries} AS e ON e.position = d.position`)
  const isInText = (term: Term) => term.isPrefix && !spelled.has(term)
  if ([...left, ...none].some(isInText)) joins.push(`JOIN ${texts} AS t ON t.position = d.position`)
  const hasWord = (text: string) =>
    `(SELECT 1 FROM ${words} AS n WHERE n.word = ${value(text)} AND n.position = e.position) IS NOT NULL`
  const has = (term: Term) =>
    isInText(term)
      ? `LOCATE(${value(` ${term.text}`)}, t.words) > 0`
      : `(${(spelled.get(term) ?? [term.text]).map(hasWord).join(' OR ')})`
  const conditions: string[] = []
  if (through?.of === 'word') {
    values.push(...through.values)
    conditions.push(`d.${through.isHere}`)
  }
  conditions.push(`d.position < ${value(before)}`)
  if (kinds) conditions.push(isOfKind(dialect, kinds, values))
  if (reach) conditions.push(isWithin(dialect, reach, values))
  conditions.push(...left.filter(({ isPrefix }) => isPrefix).map(has))
  const isExcluded = none.map(has)
  if (none.length > 0) conditions.push(`NOT (${isExcluded.join(' AND ')})`)
  const text = `SELECT STRAIGHT_JOIN e.id, e.position FROM ${from} ${joins.join(' ')} WHERE ${conditions.join(' AND ')} ORDER BY d.position DESC LIMIT ${value(limit)}`
  return { text, values, hasLimit: true }

  function fromOf(source: Source | null): string {
    if (!source) return `${entries} AS d`
    if (source.of === 'word') return `${words} AS d`
    values.push(...source.values)
    return `(SELECT DISTINCT position FROM ${words} WHERE ${source.isHere} AND position < ${value(before)}) AS d`
  }
}

function isSame(one: Term, other: Term): boolean {
  return one.text === other.text && one.isPrefix === other.isPrefix
}

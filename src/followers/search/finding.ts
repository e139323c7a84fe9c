import { z } from 'zod'
import { type FindHolders, joined, Meaning, phrase, type Statements } from './meaning.js'
import type { FoundEntry, IndexQuery } from './question.js'
import { areaTag, kindTag, scopeTag } from './terms.js'

/** Longer lists of scopes are looked up in the records that the words have found. */
const SCOPES_MAX = 200
/** The same where the words alone find few records. */
const SCOPES_OF_RARE_MAX = 8
/** A question that finds less than this finds little. */
const FEW = 3
const HOLDERS = ['collection', 'folder']

/** Behind every position. */
const END = Number.MAX_SAFE_INTEGER

const foundRow = z.object({ id: z.string(), position: z.number() })

type Among = Pick<IndexQuery, 'kinds' | 'reach'>

/**
 * The records that a question wants: tier by tier, in each those that changed last first. What is asked where little is found comes
 * behind, if all that is found before it is little. Whatever is looked up on the way is within the reach of the question.
 */
export function find(statements: Statements, query: IndexQuery): readonly FoundEntry[] {
  const { tiers, ifFew = [], reach, from, limit } = query
  if (reach && reach.areas.length + reach.scopes.length === 0) return []
  const holders: Among = { kinds: HOLDERS, reach }
  const findHolders: FindHolders = (expression, most) =>
    matched(statements, holders, { expression, before: END, limit: most }).map(({ id }) => id)
  const meaning = new Meaning(statements, findHolders, tiers)
  const asked = { statements, meaning, query }
  const found = findIn(asked, { tiers, first: 0, from, limit, behind: [] })
  if (ifFew.length === 0 || found.length >= limit) return found
  const exact = isStart(from) ? found : findIn(asked, { tiers, first: 0, from: START, limit: FEW, behind: [] })
  if (exact.length >= FEW) return found
  return findIn(asked, { tiers: ifFew, first: tiers.length, from, limit, behind: found })
}

const START: IndexQuery['from'] = { tier: 0 }
const isStart = ({ tier, before }: IndexQuery['from']) => tier === 0 && before === undefined

interface Asked {
  readonly statements: Statements
  readonly meaning: Meaning
  readonly query: IndexQuery
}

/** Some tiers, of which the first has a number, and what is found before them. */
interface Part extends Pick<IndexQuery, 'tiers' | 'from' | 'limit'> {
  readonly first: number
  readonly behind: readonly FoundEntry[]
}

/**
 * What is found in some tiers, behind what is found before them. From the beginning what a tier finds again is known here, so the
 * index does not have to leave it out, which takes it longer.
 */
function findIn({ statements, meaning, query }: Asked, { tiers, first, from, limit, behind }: Part) {
  const found = new Map(behind.map((entry) => [entry.id, entry]))
  for (const [i, { wanted, none, adds, isRare }] of tiers.entries()) {
    const tier = first + i
    if (tier < from.tier || found.size >= limit) continue
    if (adds && !meaning.adds(wanted, adds)) continue
    const isAlone = isStart(from) || none.length === 0
    const expression = meaning.expressionOf(wanted)
    const rows = matched(statements, query, {
      expression: isAlone ? expression : `(${expression} NOT ${meaning.expressionOf({ any: none })})`,
      before: (tier === from.tier ? from.before : undefined) ?? END,
      limit,
      isRare
    })
    for (const row of rows) if (found.size < limit && !found.has(row.id)) found.set(row.id, { ...row, tier })
  }
  return [...found.values()]
}

interface Match {
  readonly expression: string
  readonly before: number
  readonly limit: number
  readonly isRare?: boolean | undefined
}

/** The newest records before a position that an expression finds, of the kinds and within the reach that are named. */
function matched(statements: Statements, { kinds, reach }: Among, { expression, before, limit, isRare }: Match) {
  const isWide = reach !== undefined && reach.scopes.length > (isRare ? SCOPES_OF_RARE_MAX : SCOPES_MAX)
  const groups = [
    ...(kinds ? [kinds.map(kindTag)] : []),
    ...(reach && !isWide ? [[...reach.areas.map(areaTag), ...reach.scopes.map(scopeTag)]] : [])
  ]
  const tagged = groups.map((tags) => tags.map((tag) => phrase(tag, false)))
  const conditions = tagged.map((tags) => joined(tags, 'OR'))
  const among = (column: string) => `${column} IN (SELECT value FROM json_each(?))`
  // In this order: the words have what is wanted, in the order in which it is wanted.
  const text = `SELECT r.id, r.position FROM words CROSS JOIN records AS r ON r.position = words.rowid
      WHERE words MATCH ? AND words.rowid < ? ${isWide ? `AND (${among('r.area')} OR ${among('r.scope')})` : ''}
      ORDER BY words.rowid DESC LIMIT ?`
  const within = isWide ? [JSON.stringify(reach.areas), JSON.stringify(reach.scopes)] : []
  const asked = [joined([expression, ...conditions], 'AND'), before, ...within, limit]
  const rows: unknown[] = statements(text).all(asked)
  return rows.map((row) => foundRow.parse(row))
}

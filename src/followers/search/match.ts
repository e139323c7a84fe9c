import type { IndexQuery, Term, Tier } from './question.js'
import { areaTag, kindTag, scopeTag } from './terms.js'

/** Longer lists of scopes are looked up in the records that the words have found. */
const SCOPES_MAX = 200

/** What FTS5 is asked for a tier; with `isWide` it leaves the reach to be looked up. */
export interface Match {
  readonly expression: string
  readonly isWide: boolean
}

/** The expression for records of a tier, of the kinds and within the reach that a question names. */
export function matchOf({ all, none }: Tier, { kinds, reach }: Pick<IndexQuery, 'kinds' | 'reach'>): Match {
  const isWide = reach !== undefined && reach.scopes.length > SCOPES_MAX
  const wanted = none.length > 0 ? `((${conjunction(all)}) NOT (${conjunction(none)}))` : `(${conjunction(all)})`
  const groups = [
    ...(kinds ? [kinds.map(kindTag)] : []),
    ...(reach && !isWide ? [[...reach.areas.map(areaTag), ...reach.scopes.map(scopeTag)]] : [])
  ]
  const conditions = groups.map((words) => `(${words.map(quoted).join(' OR ')})`)
  return { expression: [wanted, ...conditions].join(' AND '), isWide }
}

function conjunction(terms: readonly Term[]): string {
  return terms.map(({ text, isPrefix }) => `${quoted(text)}${isPrefix ? ' *' : ''}`).join(' AND ')
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`

import { createHash } from 'node:crypto'
import { type SearchEntry, type SearchReach, TERM_MAX } from '../searchIndex.js'

// What an entry belongs to stands among its words, so that the index itself leaves out what is not wanted.

/** The words of an entry that say what it is and what it belongs to. */
export function tagsOf({ kind, area, scope }: Pick<SearchEntry, 'kind' | 'area' | 'scope'>): readonly string[] {
  return [kindTag(kind), ...reachTags({ areas: [area], scopes: [scope] })]
}

/** The word that all entries of a kind have. */
export const kindTag = (kind: string) => `k${wordOf(kind)}`

/** Words of which each entry within a reach has one, and no other entry has any. */
export function reachTags({ areas, scopes }: SearchReach): readonly string[] {
  return [...areas.map((area) => `a${wordOf(area)}`), ...scopes.map((scope) => `s${wordOf(scope)}`)]
}

/** A word for a text of any characters. */
function wordOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, TERM_MAX / 2)
}

import type { SearchIndexer } from '../../src/followers/search/indexer.js'
import { areaTag } from '../../src/followers/search/terms.js'

/** The streams of all records that an index has, at most nine of them, as far as it is. */
export async function everything(indexer: Pick<SearchIndexer, 'find'>): Promise<readonly string[]> {
  const wanted = { text: areaTag('').slice(0, 1), isPrefix: true }
  return (await indexer.find({ tiers: [{ wanted, none: [] }], from: { tier: 0 }, limit: 9 })).map(({ id }) => id)
}

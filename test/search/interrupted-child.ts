import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { SearchIndexer } from '../../src/followers/search/indexer.js'
import { type SearchIndex, searchIndex } from '../../src/followers/search/thread.js'
import { openSqlite } from '../../src/storage/sqlite.js'

// Brings an index of a database forward, and says when so many of its changes are written; the next one never ends.
const [, , path = '', file = '', changes = ''] = process.argv
const { storage, readModel } = await openLedger(await openSqlite(path, 'hub_', tables), () => null)
const index = searchIndex(file)
let left = Number(changes)
const apply: SearchIndex['apply'] = (...change) => {
  if (left-- > 0) return index.apply(...change)
  process.stdout.write('half')
  setInterval(() => {}, 1000)
  return new Promise(() => {})
}
await new SearchIndexer(storage, readModel, { ...index, apply }).bringForward()

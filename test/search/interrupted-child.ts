import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/ledger.js'
import { openSqlite } from '../../src/storage/sqlite.js'

// Brings the index of a database forward, and says when so many of its changes are written; the next one never ends.
const [, , path = '', changes = ''] = process.argv
const storage = await openSqlite(path, 'hub_', tables)
let left = Number(changes)
const { apply } = storage.search
const search: typeof storage.search = {
  ...storage.search,
  apply(...change) {
    if (left-- > 0) return apply(...change)
    process.stdout.write('half')
    setInterval(() => {}, 1000)
    return new Promise(() => {})
  }
}
const ledger = await openLedger({ ...storage, search }, () => null)
await ledger.indexer.bringForward()

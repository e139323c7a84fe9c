import { openStorage } from '../../src/app/databases.js'
import type { DbConfig } from '../../src/config/types.js'
import { rebuild } from '../../src/ledger/rebuild.js'

const WINDOW_EVENTS = 1000
/** By then it is remembered how far the first window came. */
const STOP_AT = 3 * WINDOW_EVENTS

// A process that rebuilds the read tables of the database in its argument and stops in the middle, so that it can be killed
// there.
const config: DbConfig = JSON.parse(process.argv[2] ?? '')
const stopAmid = (position: number) => {
  if (position >= STOP_AT) process.kill(process.pid, 'SIGSTOP')
}
await rebuild(await openStorage(config), stopAmid, WINDOW_EVENTS)

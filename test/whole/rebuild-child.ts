import type { DbConfig } from '../../src/config/types.js'
import { openStorage } from '../../src/hub.js'
import { rebuild } from '../../src/rebuild.js'

// A process that rebuilds the read tables of the database in its argument, and is killed meanwhile.
const config: DbConfig = JSON.parse(process.argv[2] ?? '')
await rebuild(await openStorage(config), undefined, 5000)

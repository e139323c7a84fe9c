import { table } from '../../table.js'
import { lockableColumns as columns, lockableIndexes as indexes } from '../tables.js'

export const liveServersTable = table({ name: 'liveServers', columns, indexes, scope: 'id' })
export const livePagesTable = table({ name: 'livePages', columns, indexes, scope: 'id' })

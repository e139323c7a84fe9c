import { versionOf } from '../commands/records/fields.js'
import {
  type LivePageContent,
  type LiveServerContent,
  livePageFields,
  liveServerFields
} from '../commands/records/live/fields.js'
import { table } from './define.js'
import { lockableColumns as columns, lockableIndexes as indexes, lockable } from './lockable.js'

export const liveServersTable = table({ name: 'liveServers', columns, indexes, scope: 'id' })
export const livePagesTable = table({ name: 'livePages', columns, indexes, scope: 'id' })

export const liveServers = lockable<LiveServerContent>('LiveServer', {
  table: liveServersTable,
  version: versionOf(liveServerFields)
})
export const livePages = lockable<LivePageContent>('LivePage', {
  table: livePagesTable,
  version: versionOf(livePageFields)
})

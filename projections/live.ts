import { versionOf } from '../commands/records/fields.js'
import {
  type LivePageContent,
  type LiveServerContent,
  livePageFields,
  liveServerFields
} from '../commands/records/live/fields.js'
import { livePagesTable, liveServersTable } from '../commands/records/live/table.js'
import { lockable } from './lockable.js'

export const liveServers = lockable<LiveServerContent>('LiveServer', {
  table: liveServersTable,
  version: versionOf(liveServerFields)
})
export const livePages = lockable<LivePageContent>('LivePage', {
  table: livePagesTable,
  version: versionOf(livePageFields)
})

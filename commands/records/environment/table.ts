import { attribution, table } from '../../table.js'
import { lockableIndexes } from '../tables.js'

export const environmentsTable = table({
  name: 'environments',
  // In the order in which rows are digested.
  columns: { sortKey: 'name', parentUuid: 'id?', deletionLocked: 'flag', ...attribution },
  indexes: lockableIndexes,
  scope: 'id'
})

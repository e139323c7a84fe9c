import { table } from '../../table.js'
import { lockableColumns, lockableIndexes } from '../tables.js'

export const collectionsTable = table({
  name: 'collections',
  columns: lockableColumns,
  indexes: lockableIndexes,
  scope: 'id'
})

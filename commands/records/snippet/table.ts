import { table } from '../../table.js'
import { lockableColumns } from '../tables.js'

export const snippetsTable = table({
  name: 'snippets',
  columns: { sortOrder: 'integer', ...lockableColumns },
  indexes: { byOrder: { by: [], order: ['sortOrder', 'sortKey'] } },
  scope: 'id'
})

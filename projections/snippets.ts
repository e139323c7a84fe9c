import type { SnippetContent } from '../commands/snippet/events.js'
import { table } from './define.js'
import { lockable, lockableColumns } from './lockable.js'

export const snippetsTable = table({
  name: 'snippets',
  columns: { sortOrder: 'integer', ...lockableColumns },
  indexes: { byOrder: { by: [], order: ['sortOrder', 'sortKey'] } },
  scope: 'id'
})

export const snippets = lockable('Snippet', {
  table: snippetsTable,
  version: 1,
  columns: ({ sortOrder }: SnippetContent) => ({ sortOrder }),
  body: ({ sortOrder: _, ...body }) => body
})

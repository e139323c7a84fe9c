import { versionOf } from '../commands/records/fields.js'
import { type SnippetContent, snippetFields } from '../commands/records/snippet/fields.js'
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
  version: versionOf(snippetFields),
  columns: ({ sortOrder }: SnippetContent) => ({ sortOrder }),
  body: ({ sortOrder: _, ...body }) => body
})

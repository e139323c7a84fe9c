import { versionOf } from '../commands/records/fields.js'
import { type SnippetContent, snippetFields } from '../commands/records/snippet/fields.js'
import { snippetsTable } from '../commands/records/snippet/table.js'
import { lockable } from './lockable.js'

export const snippets = lockable('Snippet', {
  table: snippetsTable,
  version: versionOf(snippetFields),
  columns: ({ sortOrder }: SnippetContent) => ({ sortOrder }),
  body: ({ sortOrder: _, ...body }) => body
})

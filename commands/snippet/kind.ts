import { snippetsTable } from '../../projections/snippets.js'
import type { LockableKind } from '../kind.js'
import { lockableKind } from '../lockable.js'
import { emitSnippet, type SnippetContent, snippetContent } from './events.js'

export const snippetKind: LockableKind<'Snippet', SnippetContent, typeof snippetsTable.columns> = lockableKind({
  emit: emitSnippet,
  label: 'Snippet',
  plural: 'snippets',
  access: 'snippetAccess',
  table: snippetsTable,
  listed: 'byOrder',
  content: snippetContent,
  columns: ['sortOrder'],
  update: (command) => ({ type: 'UpdateSnippet', ...command })
})

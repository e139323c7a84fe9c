import type { ImportEvent } from '../commands/import/events.js'
import type { SnippetContent, SnippetEvent } from '../commands/snippet/events.js'
import type { UserEvent } from '../commands/user/events.js'
import type { RowOp } from '../src/storage/storage.js'
import {
  attribution,
  createdBy,
  type ImportedAs,
  nullify,
  patch,
  projector,
  put,
  remove,
  table,
  updatedBy
} from './define.js'
import { sortKey } from './keys.js'

/** Snippets. The body is the record without order, attribution and lock. */
export const snippetsTable = table({
  name: 'snippets',
  columns: { sortOrder: 'integer', sortKey: 'name', deletionLocked: 'flag', ...attribution },
  indexes: { byOrder: { by: [], order: ['sortOrder', 'sortKey'] } },
  scope: 'id'
})

/** The content of a snippet's record, as its body holds it. */
export const snippetBody = (id: string, { name, code, scope }: SnippetContent) => ({ id, name, code, scope })

const columns = ({ name, sortOrder }: SnippetContent) => ({ sortKey: sortKey(name), sortOrder })

function takenOver(e: ImportedAs<'SnippetImported'>): readonly RowOp[] {
  const { content, deletionLocked, origin } = e.data
  return [put(snippetsTable, e, { deletionLocked, ...columns(content), ...origin }, snippetBody(e.subject, content))]
}

export const snippets = projector<SnippetEvent | UserEvent | ImportEvent>(snippetsTable, 1, {
  SnippetImported: takenOver,
  SnippetRestored: takenOver,
  SnippetCreated: (e) => [
    put(
      snippetsTable,
      e,
      { deletionLocked: false, ...columns(e.data), ...createdBy(e) },
      snippetBody(e.subject, e.data)
    )
  ],
  SnippetUpdated: (e) => [
    patch(snippetsTable, e, { ...columns(e.data), ...updatedBy(e) }, snippetBody(e.subject, e.data))
  ],
  SnippetDeletionLocked: (e) => [patch(snippetsTable, e, { deletionLocked: true })],
  SnippetDeletionUnlocked: (e) => [patch(snippetsTable, e, { deletionLocked: false })],
  SnippetDeleted: (e) => [remove(snippetsTable, e.subject)],
  UserDeleted: (e) => [nullify(snippetsTable, e, ['createdBy', 'updatedBy'], e.subject)]
})

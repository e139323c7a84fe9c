import { snippetsTable } from '../../projections/snippets.js'
import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { type Context, type ExpectedRevisions, requireAdmin, requireRevision } from '../context.js'
import { deleteAsAdmin, existing, requireAccess, type Target } from '../kind.js'
import { snippetKind } from '../kinds.js'
import { deleteLockable, locking, requireWildcard } from '../lockable.js'
import { emitSnippet, type SnippetContent, snippetContent } from './events.js'

type Text = Omit<SnippetContent, 'sortOrder'>

export type SnippetCommand =
  | { readonly type: 'CreateSnippet'; readonly id: string; readonly content: Text }
  /** Without `sortOrder` the snippet keeps its place. */
  | {
      readonly type: 'UpdateSnippet'
      readonly id: string
      readonly content: Text & { readonly sortOrder?: number | undefined }
      readonly ifRevision?: ExpectedRevisions
    }
  | ({ readonly type: 'DeleteSnippet' } & Target)
  | { readonly type: 'CreateSnippetAsAdmin'; readonly id: string; readonly content: Text }
  /** What an administrator's form sends: the lock, parts of the text, or both. */
  | {
      readonly type: 'ManageSnippet'
      readonly id: string
      readonly deletionLocked?: boolean | undefined
      readonly content?: { readonly [K in keyof Text]?: Text[K] | undefined } | undefined
      readonly ifRevision?: ExpectedRevisions
    }
  | ({ readonly type: 'DeleteSnippetAsAdmin' } & Target)

/** Decides on one snippet (section 4, Snippets). Everyone with access may delete one that is not locked. */
export async function decideSnippet(command: SnippetCommand, context: Context): Promise<readonly NewEvent[]> {
  const { caller, read } = context
  const { id } = command
  switch (command.type) {
    case 'CreateSnippet':
      requireWildcard(caller, snippetKind)
      return [emitSnippet(id, 'SnippetCreated', { ...command.content, sortOrder: await nextOrder(read) })]
    case 'UpdateSnippet': {
      requireAccess(caller, snippetKind, id)
      const row = await existing(snippetKind, id, read)
      requireRevision(row, command.ifRevision)
      const { sortOrder = row.sortOrder, ...text } = command.content
      // Further up nobody is put, but those that come after the last one.
      if (sortOrder !== row.sortOrder && sortOrder > LIMITS.sortOrder.max) throw errors.sortOrderTooLarge()
      return updated(row, { ...text, sortOrder })
    }
    case 'DeleteSnippet':
      return deleteLockable(snippetKind, command, context)
    case 'CreateSnippetAsAdmin':
      requireAdmin(caller)
      return [emitSnippet(id, 'SnippetCreated', { ...command.content, sortOrder: await nextOrder(read) })]
    case 'ManageSnippet': {
      requireAdmin(caller)
      const row = await existing(snippetKind, id, read)
      requireRevision(row, command.ifRevision)
      const { content, deletionLocked = row.deletionLocked } = command
      const now = snippetContent.omit({ sortOrder: true }).parse(JSON.parse(row.body))
      const { name = now.name, code = now.code, scope = now.scope } = content ?? {}
      return [
        ...locking(snippetKind, row, deletionLocked),
        ...updated(row, { name, code, scope, sortOrder: row.sortOrder })
      ]
    }
    case 'DeleteSnippetAsAdmin':
      return deleteAsAdmin(snippetKind, command, context)
  }
}

function updated(row: Row<typeof snippetsTable.columns>, content: SnippetContent): readonly NewEvent[] {
  return snippetKind.holds(row, content) ? [] : [emitSnippet(row.id, 'SnippetUpdated', content)]
}

async function nextOrder(read: ReadStore): Promise<number> {
  const [last] = await read.list(snippetsTable, 'byOrder', [], { reverse: true, limit: 1, body: false })
  return last ? last.sortOrder + 1 : 0
}

import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { type Deciders, requireAdmin } from '../../context.js'
import { administered, changeable, deleteAsAdmin, type Target } from '../kind.js'
import { snippetKind } from '../kinds.js'
import { deleteLockable, locking, requireWildcard } from '../lockable.js'
import { emitSnippet, snippetContent } from './events.js'
import type { SnippetContent, SubmittedSnippet } from './fields.js'
import { snippetsTable } from './table.js'

type Text = Omit<SubmittedSnippet, 'sortOrder'>
type Changes = Text & { readonly sortOrder?: number | undefined }

export type SnippetCommand =
  | { readonly type: 'CreateSnippet'; readonly id: string; readonly content: Text }
  /** Without `sortOrder` the snippet keeps its place. */
  | ({ readonly type: 'UpdateSnippet'; readonly content: Changes } & Target)
  | ({ readonly type: 'DeleteSnippet' } & Target)
  | { readonly type: 'CreateSnippetAsAdmin'; readonly id: string; readonly content: Text }
  /** What an administrator's form sends: the lock, parts of the text, or both. */
  | ({
      readonly type: 'ManageSnippet'
      readonly deletionLocked?: boolean | undefined
      readonly content?: { readonly [K in keyof Text]?: Text[K] | undefined } | undefined
    } & Target)
  | ({ readonly type: 'DeleteSnippetAsAdmin' } & Target)

/** Decides on one snippet (section 4, Snippets). Everyone with access may delete one that is not locked. */
export const snippetDeciders: Deciders<SnippetCommand> = {
  CreateSnippet(command, { caller, read }) {
    requireWildcard(caller, snippetKind)
    return created(command, read)
  },
  async UpdateSnippet(command, context) {
    const row = await changeable(snippetKind, command, context)
    const { sortOrder = row.sortOrder, ...text } = command.content
    // Further up nobody is put, but those that come after the last one.
    if (sortOrder !== row.sortOrder && sortOrder > LIMITS.sortOrder.max) throw errors.sortOrderTooLarge()
    return updated(row, snippetKind.whole({ ...text, sortOrder }, row))
  },
  DeleteSnippet: deleteLockable(snippetKind),
  CreateSnippetAsAdmin(command, { caller, read }) {
    requireAdmin(caller)
    return created(command, read)
  },
  async ManageSnippet(command, context) {
    const row = await administered(snippetKind, command, context)
    const { content, deletionLocked = row.deletionLocked } = command
    const now = snippetContent.omit({ sortOrder: true }).parse(JSON.parse(row.body))
    const given = Object.entries(content ?? {}).filter(([, value]) => value !== undefined)
    const edited = { ...now, ...Object.fromEntries(given), sortOrder: row.sortOrder }
    return [...locking(snippetKind, row, deletionLocked), ...updated(row, edited)]
  },
  DeleteSnippetAsAdmin: deleteAsAdmin(snippetKind)
}

/** A new one stands behind the last. */
async function created(
  { id, content }: { readonly id: string; readonly content: Text },
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const [last] = await read.list(snippetsTable, 'byOrder', [], { reverse: true, limit: 1, body: false })
  const sortOrder = last ? last.sortOrder + 1 : 0
  return [emitSnippet(id, 'SnippetCreated', snippetKind.whole({ ...content, sortOrder }, null))]
}

function updated(row: Row<typeof snippetsTable.columns>, content: SnippetContent): readonly NewEvent[] {
  return snippetKind.holds(row, content) ? [] : [emitSnippet(row.id, 'SnippetUpdated', content)]
}

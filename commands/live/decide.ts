import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Row } from '../../src/storage/storage.js'
import { type Context, type ExpectedRevisions, requireRevision } from '../context.js'
import { deleteAsAdmin, existing, type LockableKind, recordEvent, requireAccess, type Target } from '../kind.js'
import { livePageKind, liveServerKind } from '../kinds.js'
import { deleteLockable, type Lock, requireWildcard, setLock } from '../lockable.js'
import { type LivePageContent, type LiveServerContent, livePageContent, liveServerContent } from './events.js'

/** The commands on one kind of live record; without `sortOrder` an update leaves it its place. */
type CommandOn<L extends string, C> =
  | { readonly type: `Create${L}`; readonly id: string; readonly content: C }
  | {
      readonly type: `Update${L}`
      readonly id: string
      readonly content: C
      readonly ifRevision?: ExpectedRevisions
    }
  | ({ readonly type: `Delete${L}` } & Target)
  | ({ readonly type: `Lock${L}` } & Lock)
  | ({ readonly type: `Delete${L}AsAdmin` } & Target)

export type LiveCommand = CommandOn<'LiveServer', LiveServerContent> | CommandOn<'LivePage', LivePageContent>

/** Decides on one live server or live page. Everyone with access may change it, and delete it unless it is locked. */
export async function decideLive(command: LiveCommand, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'CreateLiveServer':
      return create(liveServerKind, command.id, command.content, context)
    case 'CreateLivePage':
      return create(livePageKind, command.id, command.content, context)
    case 'UpdateLiveServer':
      return update(liveServerKind, command, (body) => liveServerContent.parse(body), context)
    case 'UpdateLivePage':
      return update(livePageKind, command, (body) => livePageContent.parse(body), context)
    case 'DeleteLiveServer':
      return deleteLockable(liveServerKind, command, context)
    case 'DeleteLivePage':
      return deleteLockable(livePageKind, command, context)
    case 'LockLiveServer':
      return setLock(liveServerKind, command, context)
    case 'LockLivePage':
      return setLock(livePageKind, command, context)
    case 'DeleteLiveServerAsAdmin':
      return deleteAsAdmin(liveServerKind, command, context)
    case 'DeleteLivePageAsAdmin':
      return deleteAsAdmin(livePageKind, command, context)
  }
}

type Content = LiveServerContent | LivePageContent

function create(kind: LockableKind, id: string, content: Content, { caller }: Context): readonly NewEvent[] {
  requireWildcard(caller, kind)
  requireOrder(content, undefined)
  return [recordEvent(kind, id, 'Created', content)]
}

async function update<C extends Content>(
  kind: LockableKind,
  { id, content, ifRevision }: { readonly id: string; readonly content: C; readonly ifRevision?: ExpectedRevisions },
  contentIn: (body: unknown) => C,
  { caller, read }: Context
): Promise<readonly NewEvent[]> {
  requireAccess(caller, kind, id)
  const row: Row = await existing(kind, id, read)
  requireRevision(row, ifRevision)
  const now = contentIn(JSON.parse(row.body))
  requireOrder(content, now.sortOrder)
  const keepsPlace = content.sortOrder === undefined && now.sortOrder !== undefined
  const next = keepsPlace ? { ...content, sortOrder: now.sortOrder } : content
  return isSame(contentIn(next), now) ? [] : [recordEvent(kind, id, 'Updated', next)]
}

/** True for JSON values that differ in the order of keys alone. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [fieldsOf(a), fieldsOf(b)]
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
}

const fieldsOf = (value: object) => new Map(Object.entries(value).filter(([, one]) => one !== undefined))

/** Further up nobody is put. */
function requireOrder({ sortOrder }: Content, now: number | undefined): void {
  if (sortOrder !== undefined && sortOrder !== now && sortOrder > LIMITS.sortOrder.max) throw errors.sortOrderTooLarge()
}

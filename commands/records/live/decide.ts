import type { z } from 'zod'
import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { Decider, Deciders } from '../../context.js'
import { changeable, deleteAsAdmin, type LockableKind, recordEvent, type Target } from '../kind.js'
import { livePageKind, liveServerKind } from '../kinds.js'
import { deleteLockable, type Lock, requireWildcard, setLock } from '../lockable.js'
import { livePageContent, liveServerContent } from './events.js'
import type { LivePageContent, LiveServerContent, SubmittedLivePage, SubmittedLiveServer } from './fields.js'

/** The commands on one kind of live record; without `sortOrder` an update leaves it its place. */
type CommandOn<L extends string, C> =
  | { readonly type: `Create${L}`; readonly id: string; readonly content: C }
  | ({ readonly type: `Update${L}`; readonly content: C } & Target)
  | ({ readonly type: `Delete${L}` } & Target)
  | ({ readonly type: `Lock${L}` } & Lock)
  | ({ readonly type: `Delete${L}AsAdmin` } & Target)

export type LiveCommand = CommandOn<'LiveServer', SubmittedLiveServer> | CommandOn<'LivePage', SubmittedLivePage>

/** Decides on one live server or live page. Everyone with access may change it, and delete it unless it is locked. */
export const liveDeciders: Deciders<LiveCommand> = {
  CreateLiveServer: create(liveServerKind),
  UpdateLiveServer: update(liveServerKind, liveServerContent),
  DeleteLiveServer: deleteLockable(liveServerKind),
  LockLiveServer: setLock(liveServerKind),
  DeleteLiveServerAsAdmin: deleteAsAdmin(liveServerKind),
  CreateLivePage: create(livePageKind),
  UpdateLivePage: update(livePageKind, livePageContent),
  DeleteLivePage: deleteLockable(livePageKind),
  LockLivePage: setLock(livePageKind),
  DeleteLivePageAsAdmin: deleteAsAdmin(livePageKind)
}

type Submitted = SubmittedLiveServer | SubmittedLivePage
type Given<C> = Target & { readonly content: C }

function create(kind: LockableKind): Decider<Given<Submitted>> {
  return ({ id, content }, { caller }) => {
    requireWildcard(caller, kind)
    requireOrder(content, undefined)
    return [recordEvent(kind, id, 'Created', kind.whole(content, null))]
  }
}

function update(kind: LockableKind, schema: z.ZodType<LiveServerContent | LivePageContent>): Decider<Given<Submitted>> {
  return async (command, context) => {
    const { id, content } = command
    const row = await changeable(kind, command, context)
    const now = schema.parse(JSON.parse(row.body))
    requireOrder(content, now.sortOrder)
    const keepsPlace = content.sortOrder === undefined && now.sortOrder !== undefined
    const next = kind.whole(keepsPlace ? { ...content, sortOrder: now.sortOrder } : content, row)
    return isSame(next, now) ? [] : [recordEvent(kind, id, 'Updated', next)]
  }
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
function requireOrder({ sortOrder }: Submitted, now: number | undefined): void {
  if (sortOrder !== undefined && sortOrder !== now && sortOrder > LIMITS.sortOrder.max) throw errors.sortOrderTooLarge()
}

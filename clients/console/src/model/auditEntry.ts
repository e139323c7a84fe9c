import { type FieldChange, own } from './diffLeaves.js'

/** An entry of the log, as administrators get it. */
export interface AuditEntry {
  readonly position: number
  readonly at: string
  readonly type: string
  readonly resource: { readonly kind: string; readonly id: string; readonly name: string | null }
  readonly actor: { readonly id: string; readonly name: string | null }
  readonly token: { readonly id: string; readonly name: string | null } | null
  readonly address: string | null
  /** Who gave the command on the host, where somebody did. */
  readonly operator?: { readonly user: string; readonly host: string; readonly command: string }
  readonly requestId: string | null
  readonly causation: number | null
  readonly changes: readonly FieldChange[]
  readonly more?: number
  readonly erased?: true
}

/** What an entry says of a field: its value afterwards, or the last one where it is gone; undefined where it says nothing. */
export function told(entry: AuditEntry, field: string): unknown {
  for (const { path, from, to } of entry.changes) {
    if (path === `/${field}`) return to ?? from
    if (path === '') return fieldOf(to, field) ?? fieldOf(from, field)
  }
  return undefined
}

/** The same as a text, for a sentence; empty where it says nothing. */
export function toldText(entry: AuditEntry, field: string): string {
  const value = told(entry, field)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A field of something that may be no object. */
export const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' ? own(value, field) : undefined

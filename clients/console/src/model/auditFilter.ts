import type { Change } from '@collections-hub/client'
import { isLogKind, type LogKind } from './logKinds.js'

/** What a search of the log can be narrowed by, as its address and the hub name it. */
export const TERMS = ['actor', 'type', 'kind', 'id', 'token', 'address', 'request', 'from', 'to'] as const
export type Term = (typeof TERMS)[number]

/** What somebody looks for in the log. All that is given must hold. */
export type AuditFilter = { readonly [T in Exclude<Term, 'kind'>]?: string } & { readonly kind?: LogKind }

/** The filter that an address names. What is no part of one is left out. */
export function filterOf(query: URLSearchParams): AuditFilter {
  const filter: Partial<Record<Term, string>> = {}
  for (const term of TERMS) {
    const value = query.get(term)?.trim()
    if (value && (term !== 'kind' || isLogKind(value))) filter[term] = value
  }
  // The kind is one of those that there are.
  return filter as AuditFilter
}

/** The same filter gives the same text. */
export const filterKey = (filter: AuditFilter): string => JSON.stringify(TERMS.map((term) => filter[term] ?? null))

const DAY_MS = 86_400_000

export const isPosition = (text: string): boolean => /^\d{1,15}$/.test(text)
/** A day of the hub, in UTC. */
export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** Ranges that are chosen most, by how many days of the reader's zone they have, today included. */
export const RANGES = [
  { label: 'Today', days: 1 },
  { label: '7 days', days: 7 },
  { label: '30 days', days: 30 }
] as const

/** When the last `days` days began in the reader's zone, today included. */
export function sinceDays(days: number, now_ms: number): string {
  const start = new Date(now_ms)
  start.setHours(0, 0, 0, 0)
  start.setDate(start.getDate() - (days - 1))
  return start.toISOString()
}

/** A day of the reader's zone, given as `YYYY-MM-DD`, from its first moment to its last. */
export function dayRange(text: string): { readonly from: string; readonly to: string } | undefined {
  const from = new Date(`${text}T00:00:00`)
  if (!isDate(text) || Number.isNaN(from.getTime())) return undefined
  const to = new Date(from)
  to.setDate(to.getDate() + 1)
  return { from: from.toISOString(), to: new Date(to.getTime() - 1).toISOString() }
}

/** What the feed tells of a change. */
type FeedChange = Pick<Change, 'position' | 'at' | 'type' | 'kind' | 'id' | 'actorId'>

/** Whether a search would find a change that has just happened: the feed does not tell everything that filters ask for. */
export function finds(filter: AuditFilter, change: FeedChange): 'yes' | 'no' | 'perhaps' {
  const { actor, type, kind, id, token, address, request, from, to } = filter
  const isAbout =
    id === undefined
      ? kind === undefined || change.kind === kind
      : change.id === id && (kind === undefined || change.kind === kind || change.kind === 'audit')
  if (!isAbout || (type !== undefined && change.type !== type)) return 'no'
  if (isOutside(change, from, to)) return 'no'
  if (token !== undefined || address !== undefined || request !== undefined) return 'perhaps'
  if (actor === undefined || actor === change.actorId) return 'yes'
  // What is no id may be a name.
  return /^[\da-f]{8}-/i.test(actor) ? 'no' : 'perhaps'
}

function isOutside({ position, at }: FeedChange, from: string | undefined, to: string | undefined): boolean {
  const time = Date.parse(at)
  const isEarly = from !== undefined && (isPosition(from) ? position < Number(from) : time < Date.parse(from))
  // A day that ends a range is in it to its end.
  const end = to === undefined ? 0 : Date.parse(to) + (isDate(to) ? DAY_MS - 1 : 0)
  return isEarly || (to !== undefined && (isPosition(to) ? position > Number(to) : time > end))
}

import { type AuditFilter, isDate, isPosition, type Term } from './auditFilter.js'
import { kindLabel, typeLabel } from './logKinds.js'
import { count } from './numbers.js'
import { capitalized } from './words.js'

/** A part of a filter that can be taken away. */
export interface Chip {
  readonly terms: readonly Term[]
  readonly label: string
  /** A name that somebody gave, behind the label. */
  readonly name?: string
}

const HALF_DAY_MS = 43_200_000
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** The parts of a filter in words. `nameOf` knows what people, tokens and records with an id are called, where anybody does. */
export function chipsOf(filter: AuditFilter, nameOf: (id: string) => string | undefined): readonly Chip[] {
  const { actor, type, kind, id, token, address, request } = filter
  const chips: Chip[] = []
  if (kind) chips.push({ terms: ['kind'], label: kindLabel(kind) })
  if (type) chips.push({ terms: ['type'], label: typeLabel(type) })
  if (actor) chips.push({ terms: ['actor'], label: 'By', name: nameOf(actor) ?? actor })
  if (id) chips.push({ terms: ['id'], label: 'About', name: nameOf(id) ?? id })
  if (token) chips.push({ terms: ['token'], label: 'Token', name: nameOf(token) ?? token })
  if (address) chips.push({ terms: ['address'], label: 'From address', name: address })
  if (request) chips.push({ terms: ['request'], label: 'Request id', name: request })
  const when = whenOf(filter)
  if (when) chips.push(when)
  return chips
}

function whenOf({ from, to }: AuditFilter): Chip | undefined {
  if (from === undefined && to === undefined) return undefined
  const terms = [...(from === undefined ? [] : ['from' as const]), ...(to === undefined ? [] : ['to' as const])]
  if (from === to && from !== undefined) {
    return { terms, label: isPosition(from) ? `Entry ${count(Number(from))}` : momentWords(from) }
  }
  const end = to === undefined ? undefined : localDayEnding(to)
  if (from !== undefined && end !== undefined && startOfDay(end) === Date.parse(from))
    return { terms, label: day.format(end) }
  const since = from === undefined ? '' : `since ${momentWords(from)}`
  const until = to === undefined ? '' : `until ${momentWords(to)}`
  return { terms, label: capitalized([since, until].filter(Boolean).join(' ')) }
}

/** A position, a day of the hub (in UTC), or a time of the reader's zone. */
function momentWords(text: string): string {
  if (isPosition(text)) return `entry ${count(Number(text))}`
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  if (isDate(text)) return `${utcDay.format(at)} (UTC)`
  return at.getTime() === startOfDay(at.getTime()) ? day.format(at) : minute.format(at)
}

const startOfDay = (time_ms: number): number => new Date(time_ms).setHours(0, 0, 0, 0)

/** The day of the reader's zone that ends with this moment. */
function localDayEnding(text: string): number | undefined {
  if (isPosition(text) || isDate(text)) return undefined
  const next = new Date(Date.parse(text) + 1)
  return next.getTime() === startOfDay(next.getTime()) ? next.getTime() - HALF_DAY_MS : undefined
}

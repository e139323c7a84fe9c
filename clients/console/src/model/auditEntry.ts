import type { Schemas } from '@collections-hub/client'
import { type FieldChange, isTextList, leavesOf, own, stepsOf } from './diffLeaves.js'
import { fieldInSentence, fieldName, isTechnical, isUrlField, valueText } from './fieldNames.js'
import { urlMasked } from './urlSecrets.js'

/** An entry of the log, as administrators get it. */
export type AuditEntry = Schemas['AuditEntry']

/** What an entry says of a field: its value afterwards, or the last one where it is gone; undefined where it says nothing. */
export function valueIn(entry: AuditEntry, field: string): unknown {
  for (const { path, from, to } of entry.changes) {
    if (path === `/${field}`) return to ?? from
    if (path === '') return fieldOf(to, field) ?? fieldOf(from, field)
  }
  return undefined
}

/** The same as a text, for a sentence; empty where it says nothing. */
export function toldText(entry: AuditEntry, field: string): string {
  const value = valueIn(entry, field)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A field of something that may be no object. */
export const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' ? own(value, field) : undefined

/** The first of these fields that holds a text with something in it. */
export function textIn(of: unknown, ...fields: readonly string[]): string | null {
  const found = fields.map((field) => fieldOf(of, field)).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

/** The fields that changes are in, each once, in their order; none where a whole thing came or went. */
export function fieldsChanged(changes: readonly FieldChange[]): readonly string[] {
  const fields = new Set(changes.flatMap(({ path }) => stepsOf(path)[0] ?? []))
  return [...fields].filter((field) => !isTechnical(field)).map(fieldInSentence)
}

/** Such things name no records. */
const nameless = () => undefined

/** One thing that an event tells. */
export interface NamedValue {
  readonly name: string
  readonly text: string
}

/** What an event tells of something that is there on one side alone: all that is filled in. Null where it tells of changes. */
export function toldBy(changes: readonly FieldChange[]): readonly NamedValue[] | null {
  const [change] = changes
  if (changes.length !== 1 || change?.path !== '' || 'from' in change === 'to' in change) return null
  const value = change.to ?? change.from
  if (typeof value !== 'object' || value === null) return null
  return Object.keys(value).flatMap((field) => fieldTold(field, own(value, field)))
}

function fieldTold(field: string, value: unknown): readonly NamedValue[] {
  if (isTechnical(field)) return []
  if (Array.isArray(value)) return filledIn([{ name: fieldName(field), text: value.map(itemText).join('\n') }])
  const leaves = leavesOf({ path: `/${field}`, to: value })
  return filledIn(
    [...leaves].map(({ path, to }) => {
      const steps = stepsOf(path)
      const text = isTextList(to) ? to.join('\n') : (valueText(steps.at(-1) ?? '', to, nameless) ?? '')
      return { name: fieldName(steps.join('/')), text: isUrlField(field) ? urlMasked(text) : text }
    })
  )
}

const filledIn = (told: readonly NamedValue[]) => told.filter(({ text }) => text !== '')

/** An item of a list in one line. */
const itemText = (item: unknown): string =>
  typeof item === 'object' && item !== null ? Object.values(item).map(String).join(': ') : String(item)

/** Whether texts were cut short by the hub, or fields of the entry were left out: all of it can be asked for. */
export function isCut(changes: readonly FieldChange[], more: number | undefined): boolean {
  return more !== undefined || changes.some(({ from, to }) => hasCutText(from) || hasCutText(to))
}

function hasCutText(value: unknown): boolean {
  if (typeof value === 'string') return /… \(\d+ characters\)$/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasCutText)
}

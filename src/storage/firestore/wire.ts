import { isObject, type RawFields } from './values.js'

/** A time of the server's own clock. */
export interface ServerTime {
  readonly seconds: string
  readonly nanos: number
}

export const NEVER: ServerTime = { seconds: '0', nanos: 0 }

/** A document as it is stored. */
export interface Document {
  readonly name: string
  readonly fields: RawFields
  readonly updateTime: ServerTime
}

/** What an answer consists of, and the moment at which all of it was true. */
export interface Answer {
  readonly documents: readonly Document[]
  readonly readTime: ServerTime
  /** True where there was more, and no more was wanted. */
  readonly isCut?: boolean
}

/** A document in an answer; null where there is none in it. */
export function documentOf(value: unknown): Document | null {
  if (!isObject(value) || typeof value.name !== 'string') return null
  return {
    name: value.name,
    fields: isObject(value.fields) ? value.fields : {},
    updateTime: timeOf(value.updateTime) ?? NEVER
  }
}

/** A time in an answer; null where there is none. */
export function timeOf(value: unknown): ServerTime | null {
  if (!isObject(value)) return null
  return { seconds: String(value.seconds ?? 0), nanos: Number(value.nanos ?? 0) }
}

export function isSameTime(a: ServerTime, b: ServerTime): boolean {
  return a.seconds === b.seconds && a.nanos === b.nanos
}

/** How much later `b` is than `a`. */
export function between_ms(a: ServerTime, b: ServerTime): number {
  return (Number(b.seconds) - Number(a.seconds)) * 1000 + (b.nanos - a.nanos) / 1e6
}

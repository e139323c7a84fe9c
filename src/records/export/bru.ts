import type { KeyValue } from '../formats/model.js'

/** A block of a `.bru` file: its name and its lines, or nothing where there are none. */
export type Block = readonly string[]

const NEEDS_QUOTES = /[:"{}\s]|^[~@]/

/** A row as it is written; a value of several lines stands between triple quotes. */
function row({ key, value, enabled }: KeyValue): readonly string[] {
  const name = NEEDS_QUOTES.test(key) || key === '' ? `"${oneLine(key).replace(/["\\]/g, '\\$&')}"` : key
  const start = `  ${enabled ? '' : '~'}${name}:`
  if (!isLong(value)) return [value === '' ? `${start} ` : `${start} ${value}`]
  return [`${start} ${LONG}`, ...value.split('\n').map((line) => `    ${line}`), `  ${LONG}`]
}

const LONG = "'''"
const isLong = (value: string) => /[\r\n]/.test(value) || value !== value.trim() || value === '[' || value === LONG

/** True where a value of one of these rows ends before it should: a line of it begins as the end does. */
export const endsEarly = (rows: readonly Pick<KeyValue, 'value'>[]): boolean =>
  rows.some(({ value }) => isLong(value) && value.split('\n').some((line) => line.trimStart().startsWith(LONG)))

/** True where a line of a value ends with CR LF: whoever reads a file of Bruno takes both characters for one. */
export const hasCrLf = (rows: readonly Pick<KeyValue, 'value'>[]): boolean =>
  rows.some(({ value }) => value.includes('\r\n'))

/** Said of such a value, and of such a text. */
export const LINE_ENDS = 'Line ends of two characters (CR LF) become such of one.'

/** Said of a value that ends early. */
export const ENDS_EARLY =
  "A value in which a line begins with ''' is changed: Bruno ends values of several lines there."
const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

/** A block of keys and values; nothing without any. */
export const rowsBlock = (name: string, rows: readonly KeyValue[]): Block =>
  rows.length === 0 ? [] : [`${name} {`, ...rows.flatMap(row), '}', '']

/** The same of an object, whose values are texts of one line. */
export const fieldsBlock = (name: string, fields: Readonly<Record<string, string>>): Block =>
  rowsBlock(
    name,
    Object.entries(fields).map(([key, value]) => ({ key, value, enabled: true }))
  )

/** A block of text; nothing without any. */
export const textBlock = (name: string, text: string): Block =>
  text === '' ? [] : [`${name} {`, ...text.split('\n').map((line) => `  ${line}`), '}', '']

/** A file of blocks. */
export const bruFile = (...blocks: readonly Block[]): string => blocks.flat().join('\n')

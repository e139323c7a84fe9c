/** So many digits of an integer are read: for more the time grows with their square. */
export const DIGITS_MAX = 1000
export const longInteger = () => new Error(`an integer has more than ${DIGITS_MAX} digits`)

/** What stands for an integer in a text that was read or is written meanwhile: no file can have it. */
const MARK = `integer ${crypto.randomUUID()} `
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g')
/** A sign that is escaped, the beginning or end of a text, or an integer that may be too large. */
const SCANNED = /\\.|"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs

/**
 * The value of a JSON text, in which integers that a number would change are bigints. Throws where it is none, or
 * has an integer of more than a thousand digits.
 */
export function readJson(json: string): unknown {
  const value: unknown = JSON.parse(json)
  if (!/\d{16}/.test(json)) return value
  let isText = false
  const marked = json.replace(SCANNED, (found) => {
    if (found === '"') isText = !isText
    if (!isText && found.replace('-', '').length > DIGITS_MAX) throw longInteger()
    return isText || !/\d/.test(found) || Number.isSafeInteger(Number(found)) ? found : `"${MARK}${found}"`
  })
  if (marked.length === json.length) return value
  return JSON.parse(marked, (_, one: unknown) =>
    typeof one === 'string' && one.startsWith(MARK) ? BigInt(one.slice(MARK.length)) : one
  )
}

/** A value as JSON, with bigints as the integers that they are. */
export function writtenJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(
    value ?? null,
    (_, one: unknown) => (typeof one === 'bigint' ? `${MARK}${one}` : one),
    indent
  )
  return text.replace(MARKED, '$1')
}

const whole = new Intl.NumberFormat()
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A count with separators between thousands. */
export const count = (value: number): string => whole.format(value)

/** A count with the word for what is counted: `1 request`, `1,200 requests`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole.format(value)} ${value === 1 ? one : many}`

/** A size with its unit, in steps of 1000. */
export function bytes(value: number): string {
  let [size, unit] = [value, 0]
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000
    unit++
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1
  return `${size.toLocaleString(undefined, { maximumFractionDigits: digits })} ${UNITS[unit]}`
}

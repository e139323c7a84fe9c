import { type AuditFilter, filterKey, filterOf, RANGES, sinceDays, TERMS } from './auditFilter.js'

/** A filter of the log by the name that somebody gave it. */
export interface SavedFilter {
  readonly name: string
  readonly filter: AuditFilter
}

/** So many are kept at most, and so long is a name. */
export const SAVED_MOST = 30
export const SAVED_NAME_LENGTH = 80

/** What it is called, and how many of the last days it is of, where it goes on with the days. */
const NAME = 'name'
const DAYS = 'days'

/** The text of filters that is kept: a line for each. One of the last days stays one of the last days. */
export function textOf(saved: readonly SavedFilter[], now_ms: number): string {
  return saved.map((one) => lineOf(one, now_ms)).join('\n')
}

function lineOf({ name, filter }: SavedFilter, now_ms: number): string {
  const line = new URLSearchParams({ [NAME]: name })
  const range = RANGES.find(({ days }) => filter.to === undefined && filter.from === sinceDays(days, now_ms))
  if (range) line.set(DAYS, String(range.days))
  for (const term of TERMS) {
    const value = filter[term]
    if (value !== undefined && !(range && term === 'from')) line.set(term, value)
  }
  return line.toString()
}

/** The filters that a text keeps, in their order. What is no filter is left out. */
export function savedIn(text: string, now_ms: number): readonly SavedFilter[] {
  return text
    .split('\n')
    .flatMap((line) => {
      const query = new URLSearchParams(line)
      const name = nameIn(query.get(NAME) ?? '')
      const days = RANGES.find((range) => String(range.days) === query.get(DAYS))?.days
      if (days !== undefined) query.set('from', sinceDays(days, now_ms))
      const filter = filterOf(query)
      return name === '' || isAll(filter) ? [] : [{ name, filter }]
    })
    .slice(0, SAVED_MOST)
}

/** A name as it is kept: without blanks around it, and no longer than it may be. */
export const nameIn = (text: string): string => text.trim().slice(0, SAVED_NAME_LENGTH)

/** The same filters with this one behind them; one of the same name becomes what it is now. The oldest goes where there are too many. */
export function withFilter(saved: readonly SavedFilter[], one: SavedFilter): readonly SavedFilter[] {
  return [...saved.filter(({ name }) => name !== one.name), one].slice(-SAVED_MOST)
}

/** True where a filter leaves nothing out. */
export const isAll = (filter: AuditFilter): boolean => filterKey(filter) === filterKey({})

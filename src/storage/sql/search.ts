import { addressKey, identityPrefix } from '../search.js'
import type { LogFilter, PositionRange } from '../storage.js'
import { type Dialect, type Parameter, type Statement, snake } from './dialect.js'

/** Statements that look for events in the log of one prefix; `selection` begins them. */
export function searchStatements(dialect: Dialect, prefix: string, selection: string) {
  const { placeholder: p } = dialect
  return {
    search(filter: LogFilter, { after, through }: PositionRange, limit: number, newestFirst: boolean): Statement {
      const { terms, values } = conditions(dialect, filter, [after, through])
      const where = [`position > ${p(1)}`, `position <= ${p(2)}`, ...terms].join(' AND ')
      // Along one stream versions rise as positions do, and by them the stream has an index.
      const order = filter.streams?.length === 1 ? 'version' : 'position'
      return {
        text: `${selection} WHERE ${where} ORDER BY ${order} ${newestFirst ? 'DESC' : 'ASC'} LIMIT ${p(values.length + 1)}`,
        values: [...values, limit],
        hasLimit: true,
        isPlannedAnew: true
      }
    },
    lastOf(streams: readonly string[], types: readonly string[], through: number): Statement {
      // As expressions, since only the index of streams is a way to few events: a table that nobody has analyzed yet misleads.
      const wanted = dialect.isIn(`COALESCE(one.type, '')`, types, 2)
      const { terms, values } = conditions(dialect, { streams }, [through, ...wanted.values])
      // Of each stream, which its first event stands for, from the newest event on until one is of the types.
      const where = `one.stream = f.stream AND COALESCE(one.position, 0) <= ${p(1)} AND ${wanted.text}`
      const last = `SELECT one.position FROM ${prefix}log AS one WHERE ${where} ORDER BY one.version DESC LIMIT 1`
      const each = `SELECT (${last}) AS last_position FROM ${prefix}log AS f WHERE f.version = 1 AND ${terms.join(' AND ')}`
      const text = `${selection} JOIN (${each}) AS latest ON position = last_position`
      return { text, values, isPlannedAnew: true }
    }
  }
}

/** A filter as conditions, behind the values that the statement has already. */
function conditions({ placeholder: p, isIn, addressIn }: Dialect, filter: LogFilter, before: readonly Parameter[]) {
  const terms: string[] = []
  const values: Parameter[] = [...before]
  const { address, types, streams, streamPrefix } = filter
  const equals = (column: string, value: string) => terms.push(`${column} = ${p(values.push(value))}`)
  for (const column of ['actorId', 'tokenId', 'requestId'] as const) {
    const value = filter[column]
    if (value !== undefined) equals(snake(column), value)
  }
  const begins = (column: string, text: string) =>
    terms.push(`${column} LIKE ${p(values.push(`${escaped(text)}%`))} ESCAPE '!'`)
  if (address !== undefined) {
    const key = addressIn('who')
    if (key !== null) equals(key, addressKey(address))
    begins('who', identityPrefix(address))
  }
  if (streamPrefix !== undefined) begins('stream', streamPrefix)
  for (const [column, among] of [
    ['stream', streams],
    ['type', types]
  ] as const) {
    if (among === undefined) continue
    const [only] = among
    if (only !== undefined && among.length === 1) {
      equals(column, only)
      continue
    }
    const condition = isIn(column, among, values.length + 1)
    terms.push(condition.text)
    values.push(...condition.values)
  }
  return { terms, values }
}

const escaped = (text: string) => text.replace(/[!%_]/g, '!$&')

import type { Term } from '../searchIndex.js'
import type { Parameter } from '../sql/dialect.js'
import type { FullText, WordMatch } from '../sql/fullText.js'

/** What an entry belongs to. */
const PLACES = ['area', 'scope'] as const

/**
 * Words go as they are into a tsvector without positions, which no configuration of the server has a say in. Its index is kept
 * up to date at once: one that gathers changes makes every question go through them.
 */
export const postgresFullText: FullText = {
  create: (table) => [
    `CREATE TABLE IF NOT EXISTS ${table} (id text COLLATE "C" PRIMARY KEY, position bigint NOT NULL, kind text NOT NULL, area text NOT NULL, scope text COLLATE "C" NOT NULL, words tsvector NOT NULL)`,
    `CREATE UNIQUE INDEX IF NOT EXISTS ${table}_position ON ${table} (position)`,
    ...PLACES.map((column) => `CREATE INDEX IF NOT EXISTS ${table}_${column} ON ${table} (${column}, position)`),
    `CREATE INDEX IF NOT EXISTS ${table}_words ON ${table} USING gin (words) WITH (fastupdate = off)`
  ],
  insert: (table, { id, position, kind, area, scope }, words) => [
    {
      text: `INSERT INTO ${table} (id, position, kind, area, scope, words) VALUES ($1, $2, $3, $4, $5, $6::tsvector)`,
      values: [id, position, kind, area, scope, words.map(quoted).join(' ')]
    }
  ],
  remove: (table, id) => [{ text: `DELETE FROM ${table} WHERE id = $1`, values: [id] }],
  from: (table) => `${table} AS e`,
  position: () => 'e.position',
  match: (_, words, value) => `e.words @@ ${value(expressionOf(words))}::tsquery`,
  // The function behind the operator: no index knows it.
  each: {
    match: (words, value) => `ts_match_vq(e.words, ${value(expressionOf({ ...words, groups: [] }))}::tsquery)`,
    newestWithin: (table, { areas, scopes }, before, value) =>
      `SELECT MAX(position) AS newest FROM (${lastOfEach(table, 'area', areas, before, value)} UNION ALL ${lastOfEach(table, 'scope', scopes, before, value)}) AS each_place`
  },
  apart: (found) => `WITH e AS MATERIALIZED (${found}) SELECT e.id, e.position FROM e`
}

/**
 * Asks for the last position of each area or scope. By the order of the index alone, where the area before it may come in place of
 * one that nothing belongs to: where most entries are of one area, the server would go through all of them for another.
 */
function lastOfEach(
  table: string,
  column: (typeof PLACES)[number],
  some: readonly string[],
  before: number,
  value: (value: Parameter) => string
): string {
  const last = `SELECT ${column}, position FROM ${table} WHERE (${column}, position) < (place.one, ${value(before)}) ORDER BY ${column} DESC, position DESC LIMIT 1`
  return `SELECT e.position FROM unnest(${value(some)}::text[]) AS place (one) CROSS JOIN LATERAL (${last}) AS e WHERE e.${column} = place.one`
}

function expressionOf({ all, none, groups }: WordMatch): string {
  const excluded = none.length > 0 ? [`!(${conjunction(none)})`] : []
  const alternatives = groups.map((words) => `(${words.map(quoted).join(' | ')})`)
  return [conjunction(all), ...excluded, ...alternatives].join(' & ')
}

function conjunction(terms: readonly Term[]): string {
  return terms.map(({ text, isPrefix }) => `${quoted(text)}${isPrefix ? ':*' : ''}`).join(' & ')
}

const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`

import type { Term } from '../searchIndex.js'
import type { FullText, WordMatch } from '../sql/fullText.js'

/**
 * Words go as they are into a tsvector without positions, which no configuration of the server has a say in. Its index is kept
 * up to date at once: one that gathers changes makes every question go through them.
 */
export const postgresFullText: FullText = {
  create: (table) => [
    `CREATE TABLE IF NOT EXISTS ${table} (id text COLLATE "C" PRIMARY KEY, position bigint NOT NULL, kind text NOT NULL, area text NOT NULL, scope text COLLATE "C" NOT NULL, words tsvector NOT NULL)`,
    `CREATE UNIQUE INDEX IF NOT EXISTS ${table}_position ON ${table} (position)`,
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
  matchEach: (words, value) => `ts_match_vq(e.words, ${value(expressionOf({ ...words, groups: [] }))}::tsquery)`,
  apart: (found) => `WITH e AS MATERIALIZED (${found}) SELECT e.id, e.position FROM e`
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

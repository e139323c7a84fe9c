import * as assert from 'uvu/assert'
import type { MysqlConfig } from '../../src/config/types.js'
import { connect } from '../../src/storage/mysql/connection.js'
import { mysqlDialect } from '../../src/storage/mysql/dialect.js'
import { findByWords } from '../../src/storage/mysql/wordSearch.js'
import { type IndexQuery, isWanted, type SearchEntry, type Term } from '../../src/storage/searchIndex.js'
import type { SqlDriver } from '../../src/storage/sql/dialect.js'
import { suite } from '../support/suite.js'
import { mysqlTestDatabase, type TestDatabase } from './databases.js'
import { contractTables } from './tables.js'

const test = suite('words that many have: mysql', { needs: ['mysql'] })

/** More than one row of a word holds. */
const COUNT = 4600
const LIMIT = 7

/** Terms as `pay` and, for a beginning, `pay*`. */
const terms = (text: string): readonly Term[] =>
  text.split(' ').map((one) => ({ text: one.replace('*', ''), isPrefix: one.endsWith('*') }))

const entries = Array.from({ length: COUNT }, (_, i): SearchEntry => {
  const parts = [`wfew${'abc'[i % 3]}`, `wmany${i % 97}`, `wnumber${i}`]
  const often = ['wall', 'wone_word', ...parts, ...(i % 10 > 0 ? ['wmost'] : [])]
  const seldom = [...(i % 2 > 0 ? ['wodd'] : []), ...(i < 30 ? ['wold'] : []), ...(i === 77 ? ['wsingle'] : [])]
  const place =
    i < 90 ? { kind: 'document', scope: 'collection-old' } : { kind: 'request', scope: `collection-${i % 40}` }
  return { id: `request-${i}`, position: i + 1, area: 'collection', ...place, terms: [...often, ...seldom] }
})
const scopes = Array.from({ length: 40 }, (_, i) => `collection-${i}`)
const manyScopes = Array.from({ length: 300 }, (_, i) => `collection-${i + 39}`)

let database: TestDatabase

test.before(async () => {
  database = await mysqlTestDatabase()
  const { schema } = await database.open(contractTables)
  await schema.createTables()
})
test.after.each(() => database.disconnect())
test.after(() => database.remove())

test('whatever many entries have, those are found that are wanted, the newest first', async () => {
  const { search } = await database.open(contractTables)
  await search.apply(await search.progress(), { position: COUNT, note: '' }, { put: entries, remove: [] })
  const asked = [
    'wall',
    'wall wmost',
    'wall wodd',
    'wone*',
    'wfew*',
    'wmany*',
    'wmany1* wmost',
    'wfew* wmany*',
    'wmost wold*',
    'wnumber*',
    'wnumber1* wold',
    'wodd wall wnumber*'
  ]
  const excluded = [undefined, 'wmost', 'wfewa wodd', 'wm* wfew*', 'wnumber* wodd']
  const within: readonly Pick<IndexQuery, 'kinds' | 'reach' | 'before'>[] = [
    {},
    { kinds: ['document'] },
    { kinds: ['request'], before: 2000 },
    { reach: { areas: [], scopes: ['collection-old', 'collection-3'] } },
    { reach: { areas: [], scopes }, before: 95 },
    { reach: { areas: [], scopes: manyScopes } },
    { reach: { areas: ['collection'], scopes: [] }, kinds: ['document', 'request'] }
  ]
  for (const all of [...asked, 'wsingle*']) {
    for (const none of excluded) {
      for (const more of within) {
        const query = { all: terms(all), ...(none && { none: terms(none) }), ...more, limit: LIMIT }
        const wanted = entries.filter((entry) => isWanted(query, entry)).map(({ id, position }) => ({ id, position }))
        assert.equal(await search.find(query), wanted.reverse().slice(0, LIMIT), JSON.stringify(query))
      }
    }
  }
})

test('an entry that moves while somebody searches is found where it was or where it is then', async () => {
  const { search } = await database.open(contractTables)
  const move = async (position: number) => {
    const one = { id: 'request-moving', kind: 'request', area: 'collection', scope: 'collection-1' }
    const changes = { put: [{ ...one, position, terms: ['wmoving', 'wit'] }], remove: [] }
    assert.ok(await search.apply(await search.progress(), { position, note: '' }, changes))
  }
  await move(10_000)
  const connection = await connect(mysqlConfig(database), {
    isolation: 'READ COMMITTED',
    limit_ms: 10_000
  })
  // Before each of the questions that are asked for one answer, at a time.
  for (let before = 1, asked = before; asked >= before; before++) {
    asked = 0
    const query: SqlDriver['query'] = async (statement) => {
      if (++asked === before) await move(20_000 + before)
      return connection.query(statement)
    }
    const place = { prefix: 'hub_', driver: { dialect: mysqlDialect(''), query } }
    const found = await findByWords(place, { all: terms('wmoving wit'), limit: LIMIT })
    assert.equal(
      found.map(({ id }) => id),
      ['request-moving'],
      `before question ${before}`
    )
  }
  await connection.close()
})

function mysqlConfig({ config }: TestDatabase): MysqlConfig {
  assert.ok(config?.driver === 'mysql')
  return config
}

test.run()

import * as assert from 'uvu/assert'
import { type IndexQuery, isWanted, type SearchEntry, type Term } from '../../src/storage/searchIndex.js'
import { suite } from '../support/suite.js'
import { mysqlTestDatabase } from './databases.js'
import { contractTables } from './tables.js'

const test = suite('words that many have: mysql', { needs: ['mysql'] })

/** More than are counted of any word. */
const COUNT = 4600
const LIMIT = 7

/** Terms as `pay` and, for a beginning, `pay*`. */
const terms = (text: string): readonly Term[] =>
  text.split(' ').map((one) => ({ text: one.replace('*', ''), isPrefix: one.endsWith('*') }))

const entries = Array.from({ length: COUNT }, (_, i): SearchEntry => {
  const often = ['wall', 'wone_word', `wfew${'abc'[i % 3]}`, `wmany${i % 97}`, ...(i % 10 > 0 ? ['wmost'] : [])]
  const seldom = [...(i % 2 > 0 ? ['wodd'] : []), ...(i < 30 ? ['wold'] : []), ...(i === 77 ? ['wsingle'] : [])]
  const place =
    i < 90 ? { kind: 'document', scope: 'collection-old' } : { kind: 'request', scope: `collection-${i % 40}` }
  return { id: `request-${i}`, position: i + 1, area: 'collection', ...place, terms: [...often, ...seldom] }
})
const scopes = Array.from({ length: 40 }, (_, i) => `collection-${i}`)

test('whatever many entries have, those are found that are wanted, the newest first', async () => {
  const database = await mysqlTestDatabase()
  const { schema, search } = await database.open(contractTables)
  await schema.createTables()
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
    'wmost wold*'
  ]
  const excluded = [undefined, 'wmost', 'wfewa wodd', 'wm* wfew*']
  const within: readonly Pick<IndexQuery, 'kinds' | 'reach' | 'before'>[] = [
    {},
    { kinds: ['document'] },
    { kinds: ['request'], before: 2000 },
    { reach: { areas: [], scopes: ['collection-old', 'collection-3'] } },
    { reach: { areas: [], scopes }, before: 95 },
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
  await database.remove()
})

test.run()

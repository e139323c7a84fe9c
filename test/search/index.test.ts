import * as assert from 'uvu/assert'
import type { IndexQuery, Term } from '../../src/followers/search/question.js'
import type { SearchedRecord } from '../../src/followers/search/terms.js'
import { type SearchIndex, searchIndex } from '../../src/followers/search/thread.js'
import { suite } from '../support/suite.js'

const test = suite('an index')
let index: SearchIndex

test.before.each(() => {
  index = searchIndex(null)
})
test.after.each(() => index.close())

const request = (id: string, position: number, name: string, at: Partial<SearchedRecord> = {}): SearchedRecord => ({
  ...{ id: `request-${id}`, position, kind: 'request', area: 'collection', scope: 'collection-1', folderId: null },
  body: JSON.stringify({ name }),
  ...at
})

/** Terms of names as `pay` and, for a beginning, `pay*`. */
const terms = (text: string): readonly Term[] =>
  text.split(' ').map((one) => ({ text: `u${one.replace('*', '')}`, isPrefix: one.endsWith('*') }))

async function found(all: string, more: Partial<IndexQuery> = {}, none?: string): Promise<readonly string[]> {
  const tiers = [{ wanted: { all: terms(all) }, none: none ? [{ all: terms(none) }] : [] }]
  // From the beginning on an index takes it as found before.
  const from = { tier: 0, ...(none && { before: 1000 }) }
  return (await index.find({ tiers, from, limit: 10, ...more })).map(({ id }) => id.split('-')[1] ?? '')
}

const put = (...records: readonly SearchedRecord[]) => index.apply(null, null, { put: records, remove: [] })

test('finds records by all of the terms, the last perhaps by its beginning, those that changed last first', async () => {
  await put(request('a', 5, 'pay refund'), request('b', 7, 'payment refund'), request('c', 6, 'pay'))
  assert.equal(
    [await found('pay'), await found('pay*')],
    [
      ['c', 'a'],
      ['b', 'c', 'a']
    ]
  )
  assert.equal(
    [await found('refund pay*'), await found('p*', { limit: 2 })],
    [
      ['b', 'a'],
      ['b', 'c']
    ]
  )
  assert.equal(await found('p*', { from: { tier: 0, before: 7 } }), ['c', 'a'])
  assert.equal([await found('pay*', {}, 'pay'), await found('pay*', {}, 'refund p*')], [['b'], ['c']])
  assert.equal(await found('efund'), [])
})

test('goes from tier to tier, and begins where the page before ended', async () => {
  await put(request('a', 1, 'pay'), request('b', 2, 'refund'), request('c', 3, 'pay'))
  const tiers = ['refund', 'pay'].map((all) => ({ wanted: { all: terms(all) }, none: [] }))
  const ask = (from: IndexQuery['from'], limit: number) => index.find({ tiers, from, limit })
  assert.equal(await ask({ tier: 0 }, 2), [
    { id: 'request-b', position: 2, tier: 0 },
    { id: 'request-c', position: 3, tier: 1 }
  ])
  assert.equal(await ask({ tier: 1, before: 3 }, 2), [{ id: 'request-a', position: 1, tier: 1 }])
})

test('finds only records of the kinds, areas and scopes that are asked for', async () => {
  await put(
    request('a', 1, 'x'),
    request('b', 2, 'x', { scope: 'collection-2' }),
    request('c', 3, 'x', { id: 'document-c', kind: 'document', scope: 'collection-2' }),
    request('d', 4, 'x', { id: 'snippet-d', kind: 'snippet', area: 'snippet', scope: 'snippet-d' })
  )
  const within = (areas: readonly string[], scopes: readonly string[]) => ({ reach: { areas, scopes } })
  assert.equal(await found('x', within(['snippet'], ['collection-1'])), ['d', 'a'])
  assert.equal(await found('x', within([], ['collection-2', 'snippet-x'])), ['c', 'b'])
  assert.equal(await found('x', { ...within(['collection'], []), kinds: ['request'] }), ['b', 'a'])
  assert.equal(await found('x', { kinds: ['snippet', 'document'] }), ['d', 'c'])
  assert.equal(await found('x', within([], [])), [])
  const many = Array.from({ length: 500 }, (_, i) => `collection-x${i}`)
  assert.equal(await found('x', within([], [...many, 'collection-2'])), ['c', 'b'])
  assert.equal(await found('x', within(['snippet'], many)), ['d'])
})

test('has a record as it was put last, and not once it is removed', async () => {
  await put(request('a', 1, 'old'), request('b', 2, 'old'))
  await put(request('a', 3, 'new'))
  assert.equal([await found('old'), await found('n*')], [['b'], ['a']])
  await put(request('a', 3, 'newer'))
  assert.equal([await found('new'), await found('newer')], [[], ['a']])
  await index.apply(null, null, { put: [], remove: ['request-a', 'request-b', 'request-unknown'] })
  assert.equal([await found('n*'), await found('o*')], [[], []])
})

test('changes nothing where it is not as far as whoever changes it believes', async () => {
  const far = { generation: 1, position: 1, chain: 'c', filled: null, remnantsOf: null }
  assert.is(await index.apply(null, far, { put: [request('a', 1, 'x')], remove: [] }), true)
  const further = { ...far, position: 2 }
  assert.is(await index.apply(null, further, { put: [], remove: ['request-a'] }), false)
  assert.equal([await found('x'), await index.progress()], [['a'], far])
})

test('finds words of any script, and none that is too short, too long or too common', async () => {
  const words = ['the', 'a', 'б', 'привет', '検', '𝒳', 'x'.repeat(79), 'ж'.repeat(15)]
  await put(...words.map((word, i) => request(String(i), i + 1, word)))
  for (const word of ['the', 'a', 'б', 'привет', '検']) assert.equal(await found(word), [String(words.indexOf(word))])
  assert.equal(await found('при*'), ['3'])
})

test.run()

import * as assert from 'uvu/assert'
import type { IndexQuery, SearchEntry, SearchIndex, Term } from '../../src/storage/searchIndex.js'
import type { Contract } from './storage.js'

const entry = (id: string, position: number, terms: string, at: Partial<SearchEntry> = {}): SearchEntry => ({
  id,
  position,
  kind: 'request',
  area: 'collection',
  scope: 'collection-1',
  terms: terms.split(' '),
  ...at
})

/** Terms as `pay` and, for a beginning, `pay*`. */
const terms = (text: string): readonly Term[] =>
  text.split(' ').map((one) => ({ text: one.replace('*', ''), isPrefix: one.endsWith('*') }))

const query = (all: string, more: Partial<IndexQuery> = {}): IndexQuery => ({ all: terms(all), limit: 10, ...more })

async function filled(index: SearchIndex, ...put: readonly SearchEntry[]): Promise<void> {
  const over = await index.progress()
  const moved = await index.apply(over, { position: over.position + 1, note: 'n' }, { put, remove: [] })
  assert.equal(moved, await index.progress())
}

/** What the search index of a storage promises. */
export function searchContract({ test, fresh, again }: Contract): void {
  const found = async (index: SearchIndex, ...asked: Parameters<typeof query>) =>
    (await index.find(query(...asked))).map(({ id }) => id)

  test('an index is empty at first, and says how far it has come from then on', async () => {
    const { search } = await fresh()
    assert.equal(await search.progress(), { turn: 0, position: 0, note: '' })
    assert.equal([await search.some(10), await found(search, 'npay')], [[], []])
    await filled(search, entry('request-a', 5, 'npay'))
    const { turn, ...rest } = await (await again()).search.progress()
    assert.equal(rest, { position: 1, note: 'n' })
    assert.ok(turn > 0)
    assert.equal(await search.some(10), ['request-a'])
  })

  test('entries are found by all of the terms, the last perhaps by its beginning, those that changed last first', async () => {
    const { search } = await fresh()
    await filled(
      search,
      entry('request-a', 5, 'npay nrefund wpay'),
      entry('request-b', 7, 'npayment nrefund'),
      entry('request-c', 6, 'npay')
    )
    assert.equal(await found(search, 'npay'), ['request-c', 'request-a'])
    assert.equal(await found(search, 'npay*'), ['request-b', 'request-c', 'request-a'])
    assert.equal(await found(search, 'nrefund npay*'), ['request-b', 'request-a'])
    assert.equal(await found(search, 'np*', { limit: 2 }), ['request-b', 'request-c'])
    assert.equal(await found(search, 'np*', { before: 7 }), ['request-c', 'request-a'])
    assert.equal(await found(search, 'npay*', { none: terms('npay') }), ['request-b'])
    assert.equal(await found(search, 'npay*', { none: terms('nrefund np*') }), ['request-c'])
    assert.equal([await found(search, 'ref*'), await found(search, 'pay')], [[], []])
  })

  test('only entries of the kinds, areas and scopes that are asked for are found', async () => {
    const { search } = await fresh()
    await filled(
      search,
      entry('request-a', 1, 'nx'),
      entry('request-b', 2, 'nx', { scope: 'collection-2' }),
      entry('document-c', 3, 'nx', { kind: 'document', scope: 'collection-2' }),
      entry('snippet-d', 4, 'nx', { kind: 'snippet', area: 'snippet', scope: 'snippet-d' })
    )
    const within = (areas: readonly string[], scopes: readonly string[]) => ({ reach: { areas, scopes } })
    assert.equal(await found(search, 'nx', within(['snippet'], ['collection-1'])), ['snippet-d', 'request-a'])
    assert.equal(await found(search, 'nx', within([], ['collection-2', 'snippet-x'])), ['document-c', 'request-b'])
    assert.equal(await found(search, 'nx', { ...within(['collection'], []), kinds: ['request'] }), [
      'request-b',
      'request-a'
    ])
    assert.equal(await found(search, 'nx', { kinds: ['snippet', 'document'] }), ['snippet-d', 'document-c'])
    assert.equal(await found(search, 'nx', within([], [])), [])
    const many = Array.from({ length: 500 }, (_, i) => `collection-x${i}`)
    assert.equal(await found(search, 'nx', within([], [...many, 'collection-2'])), ['document-c', 'request-b'])
    assert.equal(await found(search, 'nx', within(['snippet'], many)), ['snippet-d'])
  })

  test('an entry that is put again stands in place of the one before, and one that is removed is not found', async () => {
    const { search } = await fresh()
    await filled(search, entry('request-a', 1, 'nold'), entry('request-b', 2, 'nold'))
    await filled(search, entry('request-a', 3, 'nnew'))
    assert.equal([await found(search, 'nold'), await found(search, 'nn*')], [['request-b'], ['request-a']])
    const over = await search.progress()
    const remove = ['request-a', 'request-b', 'request-unknown']
    assert.ok(await search.apply(over, { position: 9, note: '' }, { put: [], remove }))
    assert.equal([await found(search, 'n*'), await search.some(10)], [[], []])
    assert.is((await search.progress()).position, 9)
  })

  test('of two that move it from the same place one wins, and the other changes nothing', async () => {
    const [one, other] = [(await fresh()).search, (await again()).search]
    const over = await one.progress()
    const apply = (index: SearchIndex, id: string, position: number) =>
      index.apply(over, { position, note: id }, { put: [entry(id, position, 'nx')], remove: [] })
    const outcomes = await Promise.all([apply(one, 'request-a', 1), apply(other, 'request-b', 2)])
    assert.is(outcomes.filter((outcome) => outcome === null).length, 1)
    const [winner] = await found(one, 'nx')
    assert.equal([await found(other, 'nx'), (await one.progress()).note], [[winner], winner])
    assert.is(await one.apply(over, { position: 9, note: '' }, { put: [], remove: ['request-a'] }), null)
  })

  test('terms of any script are found as they are, and none is too short, too long or too common', async () => {
    const { search } = await fresh()
    const words = [
      'nthe',
      'na',
      'wб',
      'wпривет',
      'w検',
      'w𝒳',
      `w${'x'.repeat(79)}`,
      `w${'ж'.repeat(15)}`,
      'e_a_b',
      'nab_c'
    ]
    const put = words.map((word, i) => entry(`request-${i}`, i + 1, word))
    await filled(search, ...put)
    for (const [i, word] of words.entries()) assert.equal(await found(search, word), [`request-${i}`], word)
    assert.equal(await found(search, 'wпри*'), ['request-3'])
    assert.equal(await found(search, 'e_a*'), ['request-8'])
  })

  test('an entry with as many terms as one may have is found by each of the first and the last', async () => {
    const { search } = await fresh()
    const many = Array.from({ length: 5000 }, (_, i) => `wword${i}`)
    await filled(search, entry('request-a', 1, many.join(' ')))
    assert.equal([await found(search, 'wword0'), await found(search, 'wword4999')], [['request-a'], ['request-a']])
  })

  test('setting up again leaves the index as it is', async () => {
    const storage = await fresh()
    await filled(storage.search, entry('request-a', 1, 'nx'))
    const progress = await storage.search.progress()
    await storage.schema.createTables()
    assert.equal([await storage.search.progress(), await found(storage.search, 'nx')], [progress, ['request-a']])
  })
}

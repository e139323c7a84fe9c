import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { listPage, recordPart } from '../../src/agents/pages.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('pages of what tools answer')

const LIST = ['things', 'one']

interface Item {
  readonly id: string
  readonly text?: string
}
const same = (items: readonly Item[]) => items
const items = (count: number): readonly Item[] => Array.from({ length: count }, (_, i) => ({ id: `item ${i}` }))

/** The ids of all pages, one after another; `between` may change the list behind a page. */
async function all(list: readonly Item[], limit: number, between = same): Promise<readonly string[]> {
  const ids: string[] = []
  let now = list
  for (let cursor: string | undefined; ; ) {
    const page = await listPage(LIST, now, limit, cursor, same)
    assert.ok(page.items.length <= limit)
    ids.push(...page.items.map(({ id }) => id))
    if (page.next === null) return ids
    cursor = page.next
    now = between(now)
  }
}

test('the pages of a list are the list', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (count, limit) => {
      const list = items(count)
      assert.equal(
        await all(list, limit),
        list.map(({ id }) => id)
      )
    })
  ))

test('what is added or removed between pages makes nothing else come twice or get lost', async () => {
  const ids = items(10).map(({ id }) => id)
  assert.equal(await all(items(10), 4, (list) => [{ id: `new ${list.length}` }, ...list]), ids)
  assert.equal(await all(items(10), 4, (list) => list.slice(2)), ids)
})

test('a page ends where an answer is full, and holds one item at least', async () => {
  const large = items(3).map((item) => ({ ...item, text: 'x'.repeat(LIMITS.agentAnswer.max * 0.6) }))
  const page = await listPage(LIST, large, 50, undefined, same)
  assert.is(page.items.length, 1)
  assert.equal(
    await all(large, 50),
    large.map(({ id }) => id)
  )
})

test('items that are gone when they are to be shown do not end the list', async () => {
  const page = await listPage(LIST, items(4), 2, undefined, () => [])
  assert.ok(page.next !== null)
  const rest = await listPage(LIST, items(4), 2, page.next ?? undefined, same)
  assert.equal(
    rest.items.map(({ id }) => id),
    ['item 2', 'item 3']
  )
})

test('a cursor that nobody gave is refused', async () => {
  for (const wrong of ['', '5', 'bm9uc2Vuc2U', Buffer.from('["a",-1]').toString('base64url')]) {
    const refusal = await listPage(LIST, items(4), 2, wrong, same).then(() => null, String)
    assert.match(refusal ?? '', 'None of this list')
  }
})

test('a cursor of another list is refused, though what it names is in both', async () => {
  const { next } = await listPage(LIST, items(4), 2, undefined, same)
  assert.ok(next !== null)
  for (const other of [['things', 'other'], ['others', 'one'], ['things'], ['things', 'one', undefined]]) {
    const refusal = await listPage(other, items(4), 2, next ?? undefined, same).then(() => null, String)
    assert.match(refusal ?? '', 'None of this list')
  }
})

test('the parts of a record are its JSON, each within the bound, and no character is taken apart', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom('x', '"', '\\', 'ü', '€', '😀', 'a😀'),
      fc.integer({ min: 0, max: 3 }),
      async (unit, shift) => {
        const record = { shift: 'x'.repeat(shift), text: unit.repeat(LIMITS.agentAnswer.max / unit.length) }
        let text = ''
        for (let cursor: string | undefined; ; ) {
          const answer = await recordPart(record, '7', cursor)
          assert.ok('part' in answer)
          assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= LIMITS.agentAnswer.max)
          text += answer.part
          if (answer.next === null) break
          cursor = answer.next
        }
        assert.is(text, JSON.stringify(record))
      }
    ),
    { numRuns: 30 }
  ))

test('a small record comes as it is, and parts of two revisions are not mixed', async () => {
  assert.equal(await recordPart({ id: 'r' }, '7', undefined), { record: { id: 'r' }, next: null })
  const large = { text: 'x'.repeat(LIMITS.agentAnswer.max) }
  const { next } = await recordPart(large, '7', undefined)
  const refusal = await recordPart(large, '8', next ?? '').then(() => null, String)
  assert.match(refusal ?? '', 'has changed since it was read')
})

test.run()

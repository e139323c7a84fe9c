import * as assert from 'uvu/assert'
import { type ListOf, type Paging, page } from '../../src/http/paging.js'
import { LIMITS } from '../../src/limits.js'
import type { PagedReads } from '../../src/storage/storage.js'
import { change, puts } from '../contract/commits.js'
import { thing, things } from '../contract/tables.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { eachOf } from './client.js'

const test = suite('a page of a list')

const list: ListOf = {
  ...{ name: 'things', table: things, index: 'byParent', under: ['p1'], fields: [] },
  records: (rows) => rows.map(({ id }) => JSON.stringify({ id }))
}
const idOf = (i: number) => `t${String(i).padStart(4, '0')}`

interface Shown {
  readonly things: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

/** A store of so many things, and a way to ask for pages of them that counts the rows which it is answered with. */
async function store(count: number, body = '{}') {
  const storage = openMemory()
  await storage.schema.createTables()
  await change(
    storage,
    ...puts(
      things,
      Array.from({ length: count }, (_, i) => thing(idOf(i), { sortOrder: i, body }))
    )
  )
  const rows = storage.rows(1)
  const asked = { rows: 0, pages: 0 }
  const counted = async <T>(answer: Promise<readonly T[]>) => {
    asked.rows += (await answer).length
    return answer
  }
  let beforePage = async () => {}
  const readModel = {
    listPart: ((...question) => counted(rows.listPart(...question))) as PagedReads['listPart'],
    getPage: (async (...question) => {
      await beforePage()
      asked.pages++
      return counted(rows.getPage(...question))
    }) as PagedReads['getPage'],
    places: async () => {
      throw new Error('These things stand in no sequence.')
    }
  }
  return {
    asked,
    remove: (from: number, to: number) =>
      change(
        storage,
        ...Array.from({ length: to - from }, (_, i) => ({ op: 'delete', table: things, id: idOf(from + i) }) as const)
      ),
    onPage: (work: () => Promise<void>) => {
      beforePage = async () => {
        beforePage = async () => {}
        await work()
      }
    },
    async ask(asking: Paging): Promise<Shown> {
      const { body } = await page(readModel, list, null, asking)
      return JSON.parse(String(body))
    }
  }
}

test('it costs what it holds, wherever in the list it is', async () => {
  const { ask, asked } = await store(3000)
  let cursor: string | undefined
  for (let i = 0; i < 3; i++) {
    const before = asked.rows
    const shown = await ask({ limit: 10, cursor })
    assert.equal([shown.things[0]?.id, shown.things.length], [idOf(10 * i), 10])
    // Ten rows, the columns of these, and those of one more, which says that there is more.
    assert.is(asked.rows - before, 21)
    cursor = shown.nextCursor ?? undefined
  }
})

test('the cursor of the last page is null, also where the last page is full', async () => {
  const { ask } = await store(4)
  const first = await ask({ limit: 2 })
  const second = await ask({ limit: 2, cursor: first.nextCursor ?? '' })
  assert.equal([second.things.map(({ id }) => id), second.nextCursor], [[idOf(2), idOf(3)], null])
  assert.equal((await (await store(0)).ask({ limit: 2 })).nextCursor, null)
})

test('a page of large records ends before its limit, and the next one goes on there', async () => {
  const { ask } = await store(5, JSON.stringify('x'.repeat(LIMITS.page.max / 2 - 100)))
  const found: string[] = []
  let cursor: string | undefined
  do {
    const shown = await ask({ limit: 5, cursor })
    assert.ok(shown.things.length <= 2)
    found.push(...shown.things.map(({ id }) => id))
    cursor = shown.nextCursor ?? undefined
  } while (cursor !== undefined)
  assert.equal(found, [0, 1, 2, 3, 4].map(idOf))
})

test('what is gone while a page is made is left out of it, and nothing else is', async () => {
  const { ask, remove, onPage } = await store(6)
  onPage(() => remove(1, 4))
  const first = await ask({ limit: 3 })
  assert.equal(eachOf(first.things, 'id'), [idOf(0)])
  const rest = await ask({ limit: 3, cursor: first.nextCursor ?? '' })
  assert.equal([rest.things.map(({ id }) => id), rest.nextCursor], [[idOf(4), idOf(5)], null])
})

test('where all of a page is gone, the page behind it is shown', async () => {
  const { ask, remove, onPage } = await store(6)
  onPage(() => remove(0, 3))
  const shown = await ask({ limit: 3 })
  assert.equal([shown.things.map(({ id }) => id), shown.nextCursor], [[idOf(3), idOf(4), idOf(5)], null])
})

test('a cursor whose record is gone still says where to go on', async () => {
  const { ask, remove } = await store(4)
  const { nextCursor } = await ask({ limit: 2 })
  await remove(0, 3)
  assert.equal((await ask({ limit: 2, cursor: nextCursor ?? '' })).things, [{ id: idOf(3) }])
})

test.run()

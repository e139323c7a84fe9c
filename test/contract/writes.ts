import * as assert from 'uvu/assert'
import type { Head } from '../../src/log/event.js'
import type { Commit, Storage } from '../../src/storage/storage.js'
import { gate, rejection, settled, stateOf } from '../log/faults.js'
import { change, commitAfter, puts } from './commits.js'
import type { Contract } from './storage.js'
import { thing, things } from './tables.js'

const putting = (id: string) => (head: Head) => commitAfter(head, [{}], puts(things, [thing(id)]))
const isThere = async (storage: Storage, id: string) => (await storage.rows(1).get(things, id)) !== null

/** Writes that are decided on the head while they have it. */
export function writeContract({ test, fresh }: Contract): void {
  test('a write gets the head as it is and continues it', async () => {
    const storage = await fresh()
    await change(storage)
    const heads: Head[] = []
    const decide = async (head: Head) => {
      heads.push(head)
      return putting('a')(head)
    }
    assert.is(await storage.write(decide), 'committed')
    assert.is(await storage.write(decide), 'committed')
    assert.equal(
      heads.map(({ position }) => position),
      [1, 2]
    )
    assert.is((await storage.head()).position, 3)
  })

  test('a write that is decided to be none leaves everything as it is', async () => {
    const storage = await fresh()
    const before = await storage.head()
    assert.is(await storage.write(async () => null), 'committed')
    const mine = new TypeError('mine')
    const refused = storage.write(async () => {
      throw mine
    })
    assert.is(await rejection(refused), mine)
    assert.equal(await storage.head(), before)
    assert.is(await storage.write(async (head) => putting('a')(head)), 'committed')
  })

  test('a write that does not continue the head is stale, and one that breaks a key is rejected: nothing of them is there', async () => {
    const storage = await fresh()
    const taken = { stream: 'thing-x', version: 1 }
    await storage.commit(commitAfter(await storage.head(), [taken]))
    const { head: elsewhere } = commitAfter(await storage.head(), [{}])
    assert.is(await storage.write(async () => putting('a')(elsewhere)), 'stale')
    await rejection(storage.write(async (head) => commitAfter(head, [taken], puts(things, [thing('a')]))))
    assert.not(await isThere(storage, 'a'))
    assert.is((await storage.head()).position, 1)
    assert.is(await storage.write(async (head) => putting('b')(head)), 'committed')
  })

  test('while a write is decided what was committed can be read, and nothing else', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('before')]))
    let seen: readonly boolean[] = []
    await storage.write(async (head) => {
      seen = [await isThere(storage, 'before'), await isThere(storage, 'a')]
      const { clock_ms: _, ...locked } = head
      assert.equal(await storage.head(), locked)
      return putting('a')(head)
    })
    assert.equal(seen, [true, false])
    assert.ok(await isThere(storage, 'a'))
  })
}

/** What a database adds where writers of several processes wait for each other. */
export function lockContract({ test, fresh, again }: Contract): void {
  test('whoever writes while another process decides waits, and continues what that one has committed', async () => {
    const [one, other] = [await fresh(), await again()]
    const [begun, thinking] = [gate(), gate()]
    const first = one.write(async (head) => {
      begun.open()
      await thinking.passed
      return putting('a')(head)
    })
    await begun.passed
    const later: Head[] = []
    const second = other.write(async (head): Promise<Commit> => {
      later.push(head)
      assert.ok(await isThere(other, 'a'))
      return putting('b')(head)
    })
    await settled()
    assert.is(await stateOf(second), 'pending')
    thinking.open()
    assert.equal(await Promise.all([first, second]), ['committed', 'committed'])
    assert.equal(
      later.map(({ position }) => position),
      [1]
    )
  })

  test('a write that comes to nothing keeps nobody from the next one, whichever process that is', async () => {
    const [one, other] = [await fresh(), await again()]
    const taken = { stream: 'thing-x', version: 1 }
    await one.commit(commitAfter(await one.head(), [taken]))
    const elsewhere = commitAfter(commitAfter(await one.head(), [{}]).head, [{}])
    const nothings: Record<string, (head: Head) => Promise<Commit | null>> = {
      none: async () => null,
      stale: async () => elsewhere,
      broken: async (head) => commitAfter(head, [taken]),
      failed: () => Promise.reject(new TypeError('mine'))
    }
    for (const [name, decide] of Object.entries(nothings)) {
      for (const next of [one, other]) {
        await one.write(decide).catch(() => {})
        assert.is(await next.write(async (head) => putting('a')(head)), 'committed', name)
      }
    }
    assert.is((await other.head()).position, 9)
  })

  test('a write that is under way when its storage is closed is done before', async () => {
    const [one, other] = [await fresh(), await again()]
    const [begun, thinking] = [gate(), gate()]
    const written = one.write(async (head) => {
      begun.open()
      await thinking.passed
      return putting('a')(head)
    })
    await begun.passed
    const closed = one.close()
    await settled()
    thinking.open()
    assert.is(await written, 'committed')
    await closed
    assert.ok(await isThere(other, 'a'))
  })

  test('processes that write all the time have their writes one after another, and none is stale', async () => {
    const both = [await fresh(), await again()]
    const outcomes = await Promise.all(
      both.flatMap((storage, i) =>
        Array.from({ length: 20 }, (_, n) => storage.write(async (head) => putting(`${i}-${n}`)(head)))
      )
    )
    assert.equal([...new Set(outcomes)], ['committed'])
    assert.is((await both[0]?.head())?.position, 40)
  })
}

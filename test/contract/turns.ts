import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Storage } from '../../src/storage/storage.js'
import type { Contract } from './storage.js'

/** Turns at writing, of a database where processes can wait for one another. */
export function turnContract({ test, fresh, again, logs }: Contract): void {
  const taken = async ({ turns }: Storage) => {
    const end = await turns?.take()
    assert.ok(end, 'the turn was to be had')
    return end
  }

  test('a turn is one process’s until it ends it, and then the next one’s who waits', async () => {
    const [one, other] = [await fresh(), await again()]
    const order: string[] = []
    const end = await taken(one)
    const next = taken(other).then((endNext) => {
      order.push('next')
      return endNext
    })
    await sleep(50)
    order.push('ended')
    end()
    const endNext = await next
    assert.equal(order, ['ended', 'next'])
    const back = taken(one)
    endNext()
    ;(await back)()
  })

  test('processes that want one again and again have about as many', async () => {
    const both = [await fresh(), await again()]
    let all = 0
    const had = await Promise.all(
      both.map(async (storage) => {
        let own = 0
        for (; all < 40; own++, all++) {
          const end = await taken(storage)
          await sleep(5)
          end()
        }
        return own
      })
    )
    assert.ok(Math.max(...had) <= 4 * Math.min(...had), `${had} turns`)
  })

  test('a turn that is not to be had is waited for about a second', async () => {
    const [one, other] = [await fresh(), await again()]
    const end = await taken(one)
    const asked = performance.now()
    assert.is(await other.turns?.take(), null)
    const waited_ms = performance.now() - asked
    assert.ok(waited_ms > 900 && waited_ms < 3000, `${waited_ms} ms`)
    end()
    ;(await taken(other))()
  })

  test('a turn goes with the connection of who had it', async () => {
    const [one, other] = [await fresh(), await again()]
    await taken(one)
    await one.close()
    ;(await taken(other))()
  })

  test('logs in one database have turns of their own', async () => {
    const [one, other] = await logs(['a_', 'b_'])
    if (!one || !other) return
    const ends = [await taken(one), await taken(other)]
    for (const end of ends) end()
  })
}

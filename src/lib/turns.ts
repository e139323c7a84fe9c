import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that nobody else gets who asks for one: work that is done in pieces, each behind this,
 * holds up nobody for longer than one piece takes, however many do such work.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}

/** Work in one go is kept well below 50 ms, which is what others may have to wait for at most. */
const TURN_MS = 5

let since = performance.now()

/**
 * Lets everything else of the process have its turn, where work has gone on for some time. A database that answers at once
 * (SQLite) never gives way by itself: whoever goes through many events or rows calls this after each. Of many who do, one
 * goes on in each turn.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - since < TURN_MS) return
  await nextTurn()
  since = performance.now()
}

/** What `work` makes of each of many items, behind which others have their turn. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R | Promise<R>
): Promise<R[]> {
  const made: R[] = []
  for (const [at, one] of items.entries()) {
    made.push(await work(one, at))
    await giveWay()
  }
  return made
}

const ENOUGH_MS = 10

/** Spaces out work: small things go on without a pause. */
export class Pacer {
  #begun = performance.now()

  /** True where it is time for a rest: asking costs whoever does little much less than a rest that is none. */
  get isDue(): boolean {
    return performance.now() - this.#begun >= ENOUGH_MS
  }

  /** Comes back at once, or when everything else that waits has had its turn. */
  async rest(): Promise<void> {
    if (!this.isDue) return
    await setImmediate()
    this.#begun = performance.now()
  }
}

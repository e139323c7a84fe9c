import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { newUser } from '../race/world.js'

/** A thing in a collection, as far as a program knows. */
interface Placed {
  readonly id: string
  readonly collectionId: string
}

/** One time in eight a program does something that is likely to be refused. */
const isOdd = (n: number) => n % 8 === 7

/**
 * What a program knows of what it has made. It learns what was acknowledged and forgets what it deleted itself, but not
 * what went with that; and now and then it asks for what is gone or belongs elsewhere on purpose.
 */
export class Known {
  /** The first two may do everything that users may, and stay. */
  readonly users: string[] = []
  readonly agents: CommandOrigin[] = []
  readonly collections: string[] = []
  readonly folders: Placed[] = []
  readonly requests: Placed[] = []
  readonly documents: Placed[] = []
  /** Every id that there ever was. */
  readonly ids: string[] = ['never']
  #made = 0

  fresh(kind: string): string {
    const id = `${kind}-${++this.#made}`
    this.ids.push(id)
    return id
  }

  /** Who gives a command that users, or administrators, may give. */
  agent(n: number, is: 'user' | 'admin'): CommandOrigin {
    if (isOdd(n)) return pick([systemOrigin, ...this.agents], n >> 3)
    return is === 'admin' ? systemOrigin : pick(this.agents.slice(0, 2), n)
  }

  user(n: number): string {
    return pick(isOdd(n) ? this.ids : this.users.slice(2), n >> 3, 'never')
  }

  collection(n: number): string {
    return pick(isOdd(n) ? this.ids : this.collections, n >> 3, 'never')
  }

  /** One of these things, and the collection that it is in. */
  one(things: readonly Placed[], n: number): Placed {
    const found = pick(things, n >> 3, { id: 'never', collectionId: 'never' })
    return isOdd(n) ? { ...found, id: pick(this.ids, n >> 3) } : found
  }

  /** The root of a collection, or one of its folders. */
  place(collectionId: string, n: number): string | null {
    if (n % 3 === 0) return null
    const own = isOdd(n) ? this.folders : this.folders.filter((folder) => folder.collectionId === collectionId)
    return pick(own, n >> 3, null)?.id ?? null
  }

  /** Some of these things that are in a collection, in an order that means nothing. */
  some(things: readonly Placed[], collectionId: string, n: number): readonly string[] {
    const own = isOdd(n) ? things : things.filter((thing) => thing.collectionId === collectionId)
    const chosen = own.filter((_, i) => (n >> (3 + (i % 10))) % 2 === 1).map(({ id }) => id)
    return n % 2 === 0 ? chosen : chosen.toReversed()
  }

  forget(id: string): void {
    for (const list of [this.folders, this.requests, this.documents]) {
      const at = list.findIndex((one) => one.id === id || one.collectionId === id)
      if (at >= 0) list.splice(at, 1)
    }
    for (const list of [this.collections, this.users]) if (list.includes(id)) list.splice(list.indexOf(id), 1)
  }
}

/** What a program knows when it begins: two users that there are now, who may do everything that users may. */
export async function firstUsers(ledger: Ledger): Promise<Known> {
  const known = new Known()
  for (const name of ['first', 'second']) {
    const { command, agent } = newUser(name, known.fresh('user'))
    await ledger.run(command, systemOrigin)
    known.users.push(name)
    known.agents.push(agent)
  }
  return known
}

function pick<T>(list: readonly T[], n: number, otherwise?: T): T {
  const found = list[n % list.length] ?? otherwise
  if (found === undefined) throw new Error('There is nothing to pick from.')
  return found
}

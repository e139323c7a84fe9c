import { setTimeout as sleep } from 'node:timers/promises'
import { eventsIn } from '../../src/ledger/events.js'
import type { Storage } from '../../src/storage/storage.js'
import { wrongs } from '../race/world.js'
import { client, follower, lastLook, type Shared, write } from './clients.js'
import type { Database } from './database.js'
import type { Faults } from './faults.js'
import type { Receiver } from './receiver.js'
import { type Sending, senderOf } from './sender.js'

const CLIENTS_MIN = 3
const CLIENTS_MAX = 8
/** The share of the runs whose read tables are held against a replay of the log, which takes long. */
const REPLAYED = 0.1
/** When everything goes well again, in this time everything is well. */
const CALM_MS = 4000
/** A receiver that has failed is not asked again for up to some minutes. */
const DELIVERY_WAITS = 30
const DELIVERY_WAIT_MS = 5000

export interface Story {
  readonly sending: Sending
  readonly shared: Shared
  readonly faults: Faults
  readonly database: Database
  readonly storage: Storage
  readonly receiver: Receiver | null
}

/** What clients do while things go wrong, and then that all is well on every hub; returned is what is not. */
export async function story({
  sending,
  shared,
  faults,
  database,
  storage,
  receiver
}: Story): Promise<readonly string[]> {
  const { random, places } = sending
  let end = Number.POSITIVE_INFINITY
  const following = ['follower 1', 'follower 2'].map((name) => follower(senderOf(sending), shared, name, () => end))
  const count = CLIENTS_MIN + random.below(CLIENTS_MAX - CLIENTS_MIN + 1)
  await Promise.all(Array.from({ length: count }, () => client(senderOf(sending), shared)))
  faults.isOn = false
  database.isAway = false
  database.isFull = false
  await sleep(CALM_MS)
  const troubles: string[] = []
  for (const place of places) {
    const sender = senderOf({ ...sending, places: [place] })
    if (!(await lastLook(sender, shared))) troubles.push(`${place.name} does not serve though all is well again.`)
  }
  end = (await storage.head()).position + 1
  if (!(await write(senderOf(sending), shared))) troubles.push('Nothing can be written at the end.')
  await Promise.all(following)
  for (let waits = 0; receiver && receiver.reached < end; waits++) {
    if (waits === DELIVERY_WAITS) return ['The webhook was not told of everything.']
    await sleep(DELIVERY_WAIT_MS)
  }
  if (random.chance(REPLAYED)) troubles.push(...(await wrongs({ storage, readEvents: eventsIn(storage) })))
  return troubles
}

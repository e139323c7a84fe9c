import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verify } from '../../projections/verify.js'
import { type Suite, suite } from '../support/suite.js'
import { type Driver, sqlite } from './drivers.js'
import { type HubOptions, startHub, type TestHub } from './support.js'
import { World } from './world.js'

/** A suite, and the world of its hub, which is there from its first `before` on. */
interface HubSuite {
  readonly test: Suite
  readonly world: World
}

/** A suite with a hub of its own on this driver. It fails, too, when a request of its tests ended in a 500. */
export function hubSuite(name: string, driver: Driver, options?: HubOptions): HubSuite {
  const test = suite(`${name} on ${driver.name}`, { needs: driver.needs })
  const world = new World()
  let hub: TestHub | undefined
  test.before(async () => {
    hub = await startHub(driver, options)
    await world.settle(hub)
  })
  test.after(async () => {
    await hub?.close()
    if (hub) assertNoCrash(hub)
  })
  return { test, world }
}

/** A hub for one use alone, on SQLite unless told otherwise. */
export async function withHub(
  options: HubOptions,
  use: (hub: TestHub) => Promise<void>,
  driver: Driver = sqlite
): Promise<void> {
  const hub = await startHub(driver, options)
  await use(hub).finally(() => hub.close())
}

/** Asserts that a replay of the log comes to the tables that are read, and returns how many rows each has. */
export async function replayedRows({ hub }: World): Promise<Readonly<Record<string, number>>> {
  const { storage, readEvents } = hub.hub.ledger
  const { equal, tables } = await verify(storage, readEvents, () => createHash('sha256'))
  assert.ok(equal)
  return Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))
}

/** No request has met what nobody expected. */
export function assertNoCrash({ log }: Pick<TestHub, 'log'>): void {
  assert.equal(
    log.filter(({ status }) => status === 500),
    []
  )
}

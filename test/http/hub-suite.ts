import * as assert from 'uvu/assert'
import { type Suite, suite } from '../support/suite.js'
import { type Driver, sqlite } from './drivers.js'
import { type HubOptions, startHub, type TestHub } from './support.js'
import { World } from './world.js'

/** A suite with a hub of its own on this driver. It fails, too, when a request of its tests ended in a 500. */
export function hubSuite(name: string, driver: Driver, begin: (world: World) => unknown, options?: HubOptions): Suite {
  const test = suite(`${name} on ${driver.name}`, { needs: driver.needs })
  let hub: TestHub | undefined
  test.before(async () => {
    hub = await startHub(driver, options)
    await begin(await World.of(hub))
  })
  test.after(async () => {
    await hub?.close()
    if (hub) assertNoCrash(hub)
  })
  return test
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

/** No request has met what nobody expected. */
export function assertNoCrash({ log }: Pick<TestHub, 'log'>): void {
  assert.equal(
    log.filter(({ status }) => status === 500),
    []
  )
}

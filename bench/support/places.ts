import { type Driver, drivers, type Place } from '../../test/http/drivers.js'
import { missingServices } from '../../test/support/services.js'
import type { BenchOptions } from '../benchmark.js'

const THROTTLE = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }

/** Measures on each driver that is there and asked for, each time in a new, empty place. */
export async function onEachDriver(
  { only, print }: Pick<BenchOptions, 'only' | 'print'>,
  measure: (place: Place, driver: Driver) => Promise<void>,
  among = drivers
): Promise<void> {
  for (const driver of among) {
    if (only.length > 0 && !only.includes(driver.name)) continue
    const missing = await missingServices(driver.needs)
    if (missing !== null) {
      print(`${driver.name}: left out: ${missing}\n`)
      continue
    }
    const place = await driver.open('bench', THROTTLE)
    try {
      await measure(place, driver)
    } finally {
      await place.remove()
    }
  }
}

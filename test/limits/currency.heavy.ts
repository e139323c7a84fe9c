import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type Driver, mysql, postgres } from '../http/drivers.js'
import { currencyRaces, raceOf, type Send } from '../race/currency.js'
import { suite } from '../support/suite.js'
import { startTroubledRedis, type TroubledRedis } from './support/troubledRedis.js'

/** 1 is ten thousand rounds. By default a tenth. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.1)
const ROUNDS = Math.round(10_000 * SCALE)
/** What a request may take: the 500 ms that Redis is waited for, and what a busy machine takes beside. */
const REQUEST_MAX_MS = 2000
/** How long whoever was refused waits before the next attempt. */
const PAUSE_MS = 20

for (const driver of [postgres, mysql]) {
  const test = suite(`limits: currency on ${driver.name}`, { needs: [...driver.needs] })
  currencyRaces(test, driver, ROUNDS)
  test(
    `the same while Redis is flushed, frozen and killed: requests are refused at once, and nothing stale is read`,
    () => raceInTrouble(driver),
    { timeout_ms: 60_000 + 600 * ROUNDS }
  )
  test.run()
}

async function raceInTrouble(driver: Driver): Promise<void> {
  const redis = await startTroubledRedis()
  let [longest_ms, refused] = [0, 0]
  const untilServed =
    (send: Send): Send =>
    async (call) => {
      for (;;) {
        const start = performance.now()
        const reply = await send(call)
        longest_ms = Math.max(longest_ms, performance.now() - start)
        if (reply.status !== 503) return reply
        refused++
        await sleep(PAUSE_MS)
      }
    }
  try {
    await raceOf(on(driver, redis), ROUNDS, untilServed)
  } finally {
    await redis.stop()
  }
  const longest = `${Math.round(longest_ms)} ms`
  process.stdout.write(`  ${redis.troubles()} troubles, ${refused} refused, the longest request ${longest}\n`)
  assert.ok(refused > 0, 'some requests came while it was in trouble')
  assert.ok(longest_ms < REQUEST_MAX_MS, `a request took ${longest}`)
}

/** The driver, whose hubs count failures in this Redis. */
function on(driver: Driver, { host, port }: TroubledRedis): Driver {
  return {
    ...driver,
    async open(label, limits) {
      const place = await driver.open(label, limits)
      return { ...place, redis: { driver: 'redis', host, port, db: 0, keyPrefix: 'hub', ...limits } }
    }
  }
}

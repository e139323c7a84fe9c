import { mysql, postgres } from '../http/drivers.js'
import { currencyRaces } from '../race/currency.js'
import { suite } from '../support/suite.js'

/** 1 is ten thousand rounds. By default a tenth. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.1)

for (const driver of [postgres, mysql]) {
  const test = suite(`limits: currency on ${driver.name}`, { needs: [...driver.needs] })
  currencyRaces(test, driver, Math.round(10_000 * SCALE))
  test.run()
}

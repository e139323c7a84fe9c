import { mysql, postgres } from '../http/drivers.js'
import { suite } from '../support/suite.js'
import { currencyRaces } from './currency.js'

for (const driver of [postgres, mysql]) {
  const test = suite(`races: currency on ${driver.name}`, { needs: [...driver.needs] })
  currencyRaces(test, driver, 60)
  test.run()
}

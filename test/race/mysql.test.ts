import { mysqlTestDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { raceSuite } from './races.js'

const test = suite('races: mysql', { needs: ['mysql'] })
raceSuite(test, mysqlTestDatabase)
test.run()

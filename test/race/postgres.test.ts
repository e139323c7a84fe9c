import { postgresTestDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { raceSuite } from './races.js'

const test = suite('races: postgres', { needs: ['postgres'] })
raceSuite(test, postgresTestDatabase)
test.run()

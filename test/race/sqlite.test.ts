import { sqliteDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { raceSuite } from './races.js'

const test = suite('races: sqlite')
raceSuite(test, sqliteDatabase)
test.run()

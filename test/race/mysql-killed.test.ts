import { mysqlTestDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { killedContract } from './killed.js'

const test = suite('what a killed process has sent to MySQL', { needs: ['mysql'] })
killedContract(test, mysqlTestDatabase)
test.run()

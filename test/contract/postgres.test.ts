import { suite } from '../support/suite.js'
import { postgresTestDatabase } from './databases.js'
import { storageContract } from './storage.js'

const test = suite('storage: postgres', { needs: ['postgres'] })
storageContract(test, postgresTestDatabase)
test.run()

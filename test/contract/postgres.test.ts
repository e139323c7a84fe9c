import { suite } from '../support/suite.js'
import { postgresTestDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { lockContract } from './writes.js'

const test = suite('storage: postgres', { needs: ['postgres'] })
storageContract(test, postgresTestDatabase, lockContract)

test.run()

import { suite } from '../support/suite.js'
import { sqliteDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { lockContract } from './writes.js'

const test = suite('storage: sqlite')
storageContract(test, sqliteDatabase, lockContract)
test.run()

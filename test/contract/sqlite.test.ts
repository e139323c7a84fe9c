import { suite } from '../support/suite.js'
import { sqliteDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { turnContract } from './turns.js'

const test = suite('storage: sqlite')
storageContract(test, sqliteDatabase, turnContract)
test.run()

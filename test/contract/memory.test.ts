import { suite } from '../support/suite.js'
import { memoryDatabase } from './databases.js'
import { storageContract } from './storage.js'

const test = suite('storage: memory')
storageContract(test, memoryDatabase)
test.run()

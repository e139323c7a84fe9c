import { suite } from '../support/suite.js'
import { firestoreTestDatabase } from './databases.js'
import { storageContract } from './storage.js'

const test = suite('storage: firestore', { needs: ['firestore'] })
storageContract(test, firestoreTestDatabase)
test.run()

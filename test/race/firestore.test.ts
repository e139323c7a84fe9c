import { firestoreTestDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { raceSuite } from './races.js'

const test = suite('races: firestore', { needs: ['firestore'] })
raceSuite(test, firestoreTestDatabase)
test.run()

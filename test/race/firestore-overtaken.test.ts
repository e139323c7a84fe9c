import { firestoreTestDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { overtakenSuite } from './overtaken.js'

const test = suite('builders overtaken: firestore', { needs: ['firestore'] })
// Its lease runs out by itself.
overtakenSuite(test, firestoreTestDatabase, async () => {})
test.run()

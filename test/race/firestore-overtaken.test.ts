import { firestoreTestDatabase } from '../contract/databases.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import { overtakenSuite, STEPS } from './overtaken.js'

const test = suite('builders overtaken: firestore', { needs: ['firestore'] })
// Its lease runs out by itself. On its emulator each takes long: the usual run stops one that fills, and one that switches.
overtakenSuite(test, firestoreTestDatabase, async () => {}, isFull ? STEPS : ['apply', 'commit'])
test.run()

import { firestoreTestDatabase } from '../contract/databases.js'
import { supersedingSuite } from './superseding.js'

await supersedingSuite('firestore', ['firestore'], firestoreTestDatabase)

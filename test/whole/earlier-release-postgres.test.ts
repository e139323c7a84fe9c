import { postgresTestDatabase } from '../contract/databases.js'
import { supersedingSuite } from './superseding.js'

await supersedingSuite('postgres', ['postgres'], postgresTestDatabase)

import { mysqlTestDatabase } from '../contract/databases.js'
import { supersedingSuite } from './superseding.js'

await supersedingSuite('mysql', ['mysql'], mysqlTestDatabase)

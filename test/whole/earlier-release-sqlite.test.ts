import { sqliteDatabase } from '../contract/databases.js'
import { supersedingSuite } from './superseding.js'

await supersedingSuite('sqlite', [], sqliteDatabase)

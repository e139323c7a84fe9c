import type { DbConfig } from '../../config/types.js'
import type { PlainTables } from './plain.js'

/** Opens a database for reading plain tables; null where the driver has none. Throws `StorageUnavailable`. */
export async function openPlain(db: DbConfig): Promise<PlainTables | null> {
  switch (db.driver) {
    case 'postgres':
      return (await import('./postgres.js')).openPlainPostgres(db)
    case 'mysql':
      return (await import('./mysql.js')).openPlainMysql(db)
    case 'firestore':
      return (await import('./firestore.js')).openPlainFirestore(db)
    case 'sqlite':
      return null
  }
}

import pg from 'pg'
import { TURN_PATIENCE_MS, type TurnLock } from '../turns.js'

/** The server says so of a lock that somebody else holds for longer than one waits. */
const LOCK_NOT_AVAILABLE = '55P03'

/** An advisory lock on a connection of its own: those who wait for it get it in the order in which they came. */
export async function postgresTurnLock(client: pg.Client, name: string): Promise<TurnLock> {
  await client.query(`SET lock_timeout = ${TURN_PATIENCE_MS}`)
  const ask = (text: string) => client.query({ name: text, text, values: [name] })
  return {
    async hold() {
      try {
        await ask('SELECT pg_advisory_lock(hashtext($1))')
        return true
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false
        throw error
      }
    },
    async free() {
      await ask('SELECT pg_advisory_unlock(hashtext($1))')
    },
    destroy: () => void client.connection.stream.destroy()
  }
}

import { TURN_PATIENCE_MS, type TurnLock } from '../turns.js'
import type { MysqlConnection } from './connection.js'

/** A lock of the server's that goes by name, on a connection of its own. */
export function mysqlTurnLock(connection: MysqlConnection, name: string): TurnLock {
  const wait_s = Math.ceil(TURN_PATIENCE_MS / 1000)
  return {
    async hold() {
      const [row] = await connection.query({ text: 'SELECT GET_LOCK(?, ?) AS held', values: [name, wait_s] })
      return row?.held === 1
    },
    async free() {
      await connection.query({ text: 'SELECT RELEASE_LOCK(?) AS freed', values: [name] })
    },
    destroy: () => connection.destroy()
  }
}

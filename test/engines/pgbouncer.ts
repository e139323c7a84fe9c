import type { Place } from '../race/network.js'
import { afterwards } from '../support/afterwards.js'
import { PGBOUNCER_PLACES, type PgbouncerSettings, startPgbouncer } from '../support/pgbouncer.js'
import { findBinary } from '../support/private-server.js'
import { Missing } from './engine.js'

/** A PgBouncer in front of a Postgres; returns where it listens. */
export async function startPooler(server: Place, mode: PgbouncerSettings['mode']): Promise<Place> {
  if ((await findBinary('pgbouncer', PGBOUNCER_PLACES)) === null) throw new Missing('no pgbouncer on PATH')
  const login = { user: 'postgres', password: '' }
  const { port, stop } = await startPgbouncer(
    { ...server, ...login },
    { mode, size: 40, more: ['server_login_retry = 0.2'] }
  )
  afterwards(stop)
  return { host: '127.0.0.1', port }
}

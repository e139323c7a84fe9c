import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findBinary, freePort, type PrivateServer, startPrivateServer, writePrivateFiles } from './private-server.js'
import { unprivilegedUser } from './unprivileged.js'

/** Where Debian has it, beside PATH. */
export const PGBOUNCER_PLACES = ['/usr/sbin']

/** Settings beside the usual, as `name = value`. */
export interface PgbouncerSettings {
  readonly mode: 'session' | 'transaction'
  /** How many connections to the server it gives out. */
  readonly size: number
  readonly more?: readonly string[]
}

/** A PgBouncer of the caller's own in front of a Postgres on this machine, for every database of it. */
export async function startPgbouncer(
  server: { readonly host: string; readonly port: number; readonly user: string; readonly password: string },
  { mode, size, more = [] }: PgbouncerSettings
): Promise<PrivateServer & { readonly port: number }> {
  const command = await findBinary('pgbouncer', PGBOUNCER_PLACES)
  if (command === null) throw new Error('no pgbouncer on PATH')
  const user = await unprivilegedUser(['postgres', 'nobody'])
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-pgbouncer-'))
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const { host, port: at, password } = server
  const lines = [
    '[databases]',
    `* = host=${host} port=${at} user=${server.user}${password === '' ? '' : ` password=${password}`}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${size}`,
    'max_client_conn = 500',
    ...more
  ]
  await writePrivateFiles(directory, { 'pgbouncer.ini': `${lines.join('\n')}\n` }, user)
  const running = await startPrivateServer({
    command,
    args: [join(directory, 'pgbouncer.ini')],
    directory,
    ...(user && { user }),
    async ready() {
      const client = new pg.Client({ host: '127.0.0.1', port, user: server.user, database: 'postgres' })
      client.on('error', () => {})
      await client.connect()
      await client.end()
    }
  })
  return { ...running, port }
}

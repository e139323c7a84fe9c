import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findBinary, freePort, type PrivateServer, startPrivateServer, writePrivateFiles } from './private-server.js'
import type { ServiceKind } from './services.js'
import { unprivilegedUser } from './unprivileged.js'

const run = promisify(execFile)
const INSTALLED = '/usr/lib/postgresql'

export const postgresService: ServiceKind = {
  variable: 'HUB_TEST_POSTGRES_URL',
  usual: async () => {
    for (const user of new Set([process.env.PGUSER ?? userInfo().username, 'postgres'])) {
      const url = address(user, process.env.PGPASSWORD ?? '', 5432)
      if (await mayCreateDatabases(url)) return url
    }
    return null
  },
  start: async () => {
    const { port, stop } = await startPrivatePostgres()
    return { url: address('postgres', '', port), stop }
  }
}

export interface PrivatePostgres extends PrivateServer {
  readonly port: number
}

/** What a private server has beside the usual. */
export interface ServerExtras {
  /** Files beside its data, in its working directory, that only it can read. */
  readonly files?: Readonly<Record<string, string>>
  /** Settings, as `name=value`. */
  readonly settings?: readonly string[]
  /** True where it takes connections over TLS alone. */
  readonly isEncrypted?: boolean
  /** The port of the server that it is a standby of, with a copy of what that one has. */
  readonly follows?: number
}

/** A Postgres of the caller's own. Rejects with the reason why there is none. */
export async function startPrivatePostgres(extras: ServerExtras = {}): Promise<PrivatePostgres> {
  const { files = {}, settings = [], isEncrypted = false, follows } = extras
  const command = await findBinary('postgres', await installedPostgres())
  if (command === null) throw new Error(`no postgres on PATH or in ${INSTALLED}`)
  const beside = [dirname(command), ...(await installedPostgres())]
  const [initdb, copy] = await Promise.all([findBinary('initdb', beside), findBinary('pg_basebackup', beside)])
  if (initdb === null || copy === null) throw new Error('no initdb or no pg_basebackup beside postgres')
  const user = await unprivilegedUser(['postgres', 'nobody'])
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-postgres-'))
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  try {
    const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
    const copied = ['-h', '127.0.0.1', '-p', `${follows}`, '-U', 'postgres', '-R', '-c', 'fast', '--no-sync']
    if (follows === undefined) await run(initdb, [...options, `--pgdata=${data}`], { cwd: directory, ...user })
    else await run(copy, [...copied, '-D', data], { cwd: directory, ...user })
    await writePrivateFiles(directory, files, user)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
  // No socket file and no fsync: what it stores lives as long as the tests do.
  const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', '-F', '-c', 'max_connections=200']
  const server = await startPrivateServer({
    command,
    args: [...args, ...settings.flatMap((setting) => ['-c', setting])],
    directory,
    ...(user && { user }),
    ready: async () => {
      if (!(await mayCreateDatabases(address('postgres', '', port), isEncrypted))) throw new Error('not ready')
    }
  })
  return { ...server, port }
}

function address(user: string, password: string, port: number): string {
  const credentials = [user, password].map(encodeURIComponent).join(':')
  return `postgres://${credentials}@127.0.0.1:${port}/postgres`
}

async function mayCreateDatabases(url: string, isEncrypted = false): Promise<boolean> {
  // Loaded only here: most test files need no database at all.
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1000,
    query_timeout: 1000,
    ...(isEncrypted && { ssl: { rejectUnauthorized: false } })
  })
  // A server that ends while we ask is one that cannot be used.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = current_user AND (rolcreatedb OR rolsuper)')
    return role.rowCount === 1
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Where Debian and its relatives keep the binaries of each version, the newest first. */
export async function installedPostgres(): Promise<readonly string[]> {
  const versions = await readdir(INSTALLED).catch(() => [])
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(INSTALLED, version, 'bin'))
}

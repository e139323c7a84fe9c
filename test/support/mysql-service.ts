import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerExtras } from './postgres-service.js'
import { findBinary, freePort, type PrivateServer, startPrivateServer, writePrivateFiles } from './private-server.js'
import type { ServiceKind } from './services.js'
import { unprivilegedUser } from './unprivileged.js'

const run = promisify(execFile)
/** Where servers are that only root has on PATH. */
export const mysqlDirectories = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec']
const SOCKETS = ['/run/mysqld/mysqld.sock', '/var/lib/mysql/mysql.sock', '/tmp/mysql.sock']

export const mysqlService: ServiceKind = {
  variable: 'HUB_TEST_MYSQL_URL',
  usual: async () => {
    const user = userInfo().username
    const urls = [address('root', '127.0.0.1', 3306), ...SOCKETS.map((path) => address(user, path, 3306))]
    for (const url of urls) if (await mayCreateDatabases(url)) return url
    return null
  },
  start: async () => {
    const { port, stop } = await startPrivateMysql()
    return { url: address('root', '127.0.0.1', port), stop }
  }
}

export interface PrivateMysql extends PrivateServer {
  readonly port: number
}

/** A MariaDB, or a MySQL where there is none, of the caller's own. Rejects with the reason why there is none. */
export async function startPrivateMysql(extras: ServerExtras = {}): Promise<PrivateMysql> {
  const { files = {}, settings = [], isEncrypted = false } = extras
  const { command, setUp } = await installed()
  const user = await unprivilegedUser(['mysql', 'nobody'])
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-mysql-'))
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  // What it stores lives as long as the tests do.
  const unsafe = ['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync']
  // A server that starts takes away what others keep in the one that they would share.
  const own = `--tmpdir=${directory}`
  try {
    const [program, ...options] = setUp
    await run(program, ['--no-defaults', `--datadir=${data}`, own, ...options, ...unsafe], { cwd: directory, ...user })
    await writePrivateFiles(directory, files, user)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
  const listen = ['--bind-address=127.0.0.1', `--port=${port}`, `--socket=${join(directory, 'socket')}`]
  // Without --gdb it would not listen to the signal that ends private servers.
  const args = ['--no-defaults', `--datadir=${data}`, own, ...listen, ...unsafe, '--max-connections=500', '--gdb']
  const url = address('root', '127.0.0.1', port)
  const server = await startPrivateServer({
    command,
    args: [...args, ...settings.map((setting) => `--${setting}`)],
    directory,
    ...(user && { user }),
    ready: async () => {
      if (!(await mayCreateDatabases(url, isEncrypted))) throw new Error('not ready')
    }
  })
  return { ...server, port }
}

/** The server that this machine has, and what makes a directory of data for it. */
async function installed(): Promise<{ readonly command: string; readonly setUp: readonly [string, ...string[]] }> {
  const [mariadb, install, mysql] = await Promise.all(
    ['mariadbd', 'mariadb-install-db', 'mysqld'].map((name) => findBinary(name, mysqlDirectories))
  )
  if (mariadb && install)
    return {
      command: mariadb,
      setUp: [install, '--auth-root-authentication-method=normal', '--skip-name-resolve', '--skip-test-db']
    }
  if (mysql) return { command: mysql, setUp: [mysql, '--initialize-insecure'] }
  throw new Error('neither mariadbd with mariadb-install-db nor mysqld on PATH')
}

function address(user: string, host: string, port: number): string {
  return `mysql://${encodeURIComponent(user)}@${encodeURIComponent(host)}:${port}/`
}

/** What a client of the server at this address needs to know. */
export function mysqlServerAt(url: URL) {
  return {
    host: decodeURIComponent(url.hostname),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password)
  }
}

/** Connects as an administrator of the tests does. */
export async function connectMysql(url: URL, isEncrypted = false) {
  // Loaded only here: most test files need no database at all.
  const { default: mysql } = await import('mysql2/promise')
  const { host, ...server } = mysqlServerAt(url)
  const place = host.startsWith('/') ? { socketPath: host } : { host }
  const connection = await mysql.createConnection({
    ...place,
    ...server,
    connectTimeout: 1000,
    ...(isEncrypted && { ssl: { rejectUnauthorized: false } })
  })
  // A server that ends while we ask is one that cannot be used.
  connection.on('error', () => undefined)
  return connection
}

async function mayCreateDatabases(url: string, isEncrypted = false): Promise<boolean> {
  try {
    const connection = await connectMysql(new URL(url), isEncrypted)
    try {
      const [grants] = await connection.query('SHOW GRANTS')
      return /GRANT (ALL PRIVILEGES|[^'"]*\bCREATE\b(?! \w)[^'"]*) ON \*\.\*/.test(JSON.stringify(grants))
    } finally {
      connection.destroy()
    }
  } catch {
    return false
  }
}

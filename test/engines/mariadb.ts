import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Place } from '../race/network.js'
import { connectMysql, mysqlDirectories } from '../support/mysql-service.js'
import { findBinary, freePort, startPrivateServer } from '../support/private-server.js'
import { unprivilegedUser } from '../support/unprivileged.js'
import { Missing, type SingleEngine } from './engine.js'
import { engineDirectory, type Machine, startMachine } from './machine.js'

const run = promisify(execFile)

export interface MariadbServer extends Machine {
  readonly place: Place
}

/** What a MariaDB server has beside the usual. */
export interface MariadbOptions {
  readonly settings?: readonly string[]
  /** The same that are only for its first start. */
  readonly first?: readonly string[]
  /** True where a start after the first has to say how far it had come, as nodes of Galera do. */
  readonly isResumed?: boolean
  /** Resolves once it serves; by default when it answers. */
  ready?(place: Place): Promise<void>
  /** How long it may take until then. */
  readonly limit_ms?: number
}

/** A MariaDB server of the experiment's own, whose commits are with the operating system before they are acknowledged. */
export async function startMariadbServer(options: MariadbOptions = {}): Promise<MariadbServer> {
  const {
    settings = [],
    first = [],
    isResumed = false,
    ready = async (place) => void (await askMariadb(place, 'SELECT 1')),
    limit_ms
  } = options
  const command = await findBinary('mariadbd', mysqlDirectories)
  const install = await findBinary('mariadb-install-db', mysqlDirectories)
  if (command === null || install === null) throw new Missing('no mariadbd with mariadb-install-db on PATH')
  const user = await unprivilegedUser(['mysql', 'nobody'])
  const root = await engineDirectory('mariadb')
  const data = join(root, 'data')
  await mkdir(data)
  if (user !== undefined) await chown(data, user.uid, user.gid)
  const account = ['--auth-root-authentication-method=normal', '--skip-name-resolve', '--skip-test-db']
  await run(install, ['--no-defaults', `--datadir=${data}`, ...account, '--innodb-flush-method=nosync'], {
    cwd: data,
    ...user
  })
  const place = { host: '127.0.0.1', port: await freePort() }
  let starts = 0
  const machine = await startMachine(data, async () => {
    const directory = await mkdtemp(join(root, 'run-'))
    if (user !== undefined) await chown(directory, user.uid, user.gid)
    const listen = ['--bind-address=127.0.0.1', `--port=${place.port}`, `--socket=${join(directory, 'socket')}`]
    const usual = ['--innodb-flush-log-at-trx-commit=1', '--innodb-flush-method=nosync', '--max-connections=300']
    const resumed = isResumed && starts > 0 ? [`wsrep-start-position=${await positionOf(command, data, user)}`] : []
    const own = [...settings, ...(starts++ === 0 ? first : resumed)].map((setting) => `--${setting}`)
    return startPrivateServer({
      command,
      args: ['--no-defaults', `--datadir=${data}`, ...listen, ...usual, '--skip-name-resolve', ...own],
      directory,
      ...(user && { user }),
      ready: () => ready(place),
      ...(limit_ms !== undefined && { limit_ms })
    })
  })
  return { place, ...machine }
}

/** How far a node of Galera had come when it was killed: the other ones then send it only what is new. */
async function positionOf(command: string, data: string, user?: { readonly uid: number; readonly gid: number }) {
  const args = ['--no-defaults', `--datadir=${data}`, '--wsrep-recover', '--skip-networking', `--socket=${data}/socket`]
  const { stdout, stderr } = await run(command, args, { cwd: data, ...user })
  return /Recovered position: (\S+)/.exec(stdout + stderr)?.[1] ?? ''
}

/** A MariaDB alone. */
export async function startMariadb(): Promise<SingleEngine> {
  const server = await startMariadbServer()
  await askMariadb(server.place, 'CREATE DATABASE hub')
  return { name: await mariadbName(server.place), db: mysqlDb, ...server }
}

export async function mariadbName(place: Place): Promise<string> {
  const [row] = await askMariadb(place, 'SELECT version() AS version')
  return `MariaDB ${String(row?.version).split('-')[0]}`
}

/** The `db` section of a hub whose MariaDB is at a place. */
export function mysqlDb({ host, port }: Place): Readonly<Record<string, unknown>> {
  return { driver: 'mysql', host, port, user: 'root', password: '', database: 'hub' }
}

const rows = z.array(z.record(z.string(), z.unknown()))

/** What a MariaDB answers to statements, of the last of them. */
export async function askMariadb(place: Place, ...texts: readonly string[]): Promise<z.infer<typeof rows>> {
  const connection = await connectMysql(new URL(`mysql://root@${place.host}:${place.port}/`))
  try {
    let answer: unknown
    for (const text of texts) [answer] = await connection.query({ sql: text, timeout: 5000 })
    return rows.catch([]).parse(answer)
  } finally {
    connection.destroy()
  }
}

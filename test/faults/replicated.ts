import type { Machine } from '../engines/machine.js'
import { startGalera, startSemiSynchronous } from '../engines/mariadb-replicas.js'
import { type Patroni, startPatroni } from '../engines/patroni.js'
import { askPostgres } from '../engines/postgres.js'
import { redisSection, startRedis } from '../engines/redis.js'
import { until } from '../engines/until.js'
import type { Experiment } from './experiment.js'
import { CALM_MS, DOWN_MS, onEngine } from './onEngine.js'
import { type Run, runFaults } from './run.js'

/** The primary is killed, comes back as a standby, and the other one is stopped until it is replaced too. */
async function failedOver(engine: Patroni, { fault, goOn, recovered, consult }: Run): Promise<void> {
  await goOn(CALM_MS)
  const first = await engine.primary()
  await fault(`kill -9 of the primary ${first.name}`, first.kill)
  await consult()
  await replaced(engine, first)
  await recovered()
  await first.start()
  await engine.whole()
  await goOn(CALM_MS)
  const second = await engine.primary()
  await fault(`SIGSTOP of the primary ${second.name}`, second.freeze)
  await replaced(engine, second)
  await recovered()
  second.thaw()
  await goOn(2 * CALM_MS)
}

/** Resolves once another node is the primary. */
async function replaced(engine: Patroni, former: Machine): Promise<void> {
  await until('another node is the primary', async () => (await engine.primary()) !== former)
}

const patroni = (mode: 'async' | 'sync'): Experiment => ({
  name: `patroni-${mode}`,
  dependency: `Postgres under Patroni, ${mode === 'sync' ? 'synchronous' : 'asynchronous'}`,
  fault: 'kill -9 and SIGSTOP of the primary; a standby takes over',
  mayLose: mode === 'async',
  async run(seed) {
    const engine = await startPatroni(mode === 'sync')
    return onEngine(seed, engine, (run) => failedOver(engine, run))
  }
})

/** What the primary acknowledges while nobody follows it is lost with it. */
const lossy: Experiment = {
  name: 'patroni-loss',
  dependency: 'Postgres under Patroni, asynchronous',
  fault: 'kill -9 of the primary while the standby is late: what it had acknowledged is lost, and accepted as lost',
  mayLose: true,
  async run(seed) {
    const engine = await startPatroni(false)
    return onEngine(seed, engine, async ({ fault, goOn, recovered, consult }) => {
      await goOn(CALM_MS)
      const first = await engine.primary()
      await fault('the standby gets nothing any more', () => askPostgres(first.place, WITHOUT_STANDBY))
      await goOn(DOWN_MS)
      await fault(`kill -9 of the primary ${first.name}`, first.kill)
      await replaced(engine, first)
      await consult()
      await recovered()
      await goOn(2 * CALM_MS)
    })
  }
}

const WITHOUT_STANDBY = `
  ALTER ROLE replicator NOLOGIN;
  SELECT pg_terminate_backend(pid) FROM pg_stat_replication`

const semiSynchronous: Experiment = {
  name: 'mariadb-semisync',
  dependency: 'MariaDB with a semi-synchronous replica',
  fault: 'kill -9 of the primary; the replica takes over',
  async run(seed) {
    const engine = await startSemiSynchronous()
    return onEngine(seed, engine, async ({ fault, goOn, recovered, consult }) => {
      await goOn(2 * CALM_MS)
      await fault('kill -9 of the primary', engine.primary.kill)
      await goOn(DOWN_MS)
      await consult()
      await engine.promote()
      await recovered()
      await goOn(2 * CALM_MS)
    })
  }
}

const galera: Experiment = {
  name: 'galera',
  dependency: 'MariaDB Galera of three, one node written to',
  fault: 'kill -9 and SIGSTOP of the node that is written to; another one takes over',
  async run(seed) {
    const engine = await startGalera()
    return onEngine(seed, engine, async ({ fault, goOn, recovered }) => {
      const [first, second, third] = engine.nodes
      if (!first || !second || !third) throw new Error('There are not three nodes.')
      await goOn(CALM_MS)
      await fault('kill -9 of the first node', first.kill)
      await engine.whole(2)
      engine.lead(second)
      await recovered()
      await goOn(CALM_MS)
      await first.start()
      await engine.whole(3)
      await goOn(CALM_MS)
      await fault('SIGSTOP of the second node', second.freeze)
      await engine.whole(2)
      engine.lead(third)
      await recovered()
      second.thaw()
      await goOn(CALM_MS)
    })
  }
}

/** What docs/engines.md advises against: each hub writes to a node of its own, and one of the nodes is killed. */
const galeraNodes: Experiment = {
  name: 'galera-nodes',
  dependency: 'MariaDB Galera of three, each written to',
  fault: 'kill -9 of a node, with which its hub is out of service until it is back',
  async run(seed) {
    const engine = await startGalera()
    const { nodes } = engine
    const [, second] = nodes
    if (!second) throw new Error('There are not three nodes.')
    const place = (index: number) => nodes[index]?.place ?? engine.place
    const redis = await startRedis()
    const options = { db: (index: number) => engine.db(place(index)), redis: redisSection(redis.place) }
    const outcome = await runFaults(options, { seed }, async ({ fault, goOn, recovered }) => {
      await goOn(4 * CALM_MS)
      await fault('kill -9 of the second node', second.kill)
      await engine.whole(2)
      await goOn(CALM_MS)
      await second.start()
      await engine.whole(3)
      await recovered()
      await goOn(2 * CALM_MS)
    })
    return { engine: engine.name, outcome }
  }
}

export const replicatedExperiments: readonly Experiment[] = [
  patroni('async'),
  patroni('sync'),
  lossy,
  semiSynchronous,
  galera,
  galeraNodes
]

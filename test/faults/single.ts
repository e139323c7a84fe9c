import type { SingleEngine } from '../engines/engine.js'
import { startMariadb } from '../engines/mariadb.js'
import { type PostgresRelease, postgresReleases, startPostgres } from '../engines/postgres.js'
import type { Experiment, Ran } from './experiment.js'
import { CALM_MS, DOWN_MS, networkTo, onEngine } from './onEngine.js'
import type { Run } from './run.js'

const LATENCY_MS = 10
const RESETS = 5
const ROUNDS = 3

/** In each round the server and one of the hubs are killed, and the hub is stopped for a while. */
async function killed(seed: number, engine: SingleEngine, rounds: number): Promise<Ran> {
  return onEngine(seed, engine, async ({ hubs, fault, goOn, recovered, consult }) => {
    await goOn(CALM_MS)
    for (let round = 0; round < rounds; round++) {
      await fault('kill -9 of the engine', engine.kill)
      await goOn(DOWN_MS)
      if (round === 0) await consult()
      await engine.start()
      await recovered()
      await goOn(CALM_MS)
      const hub = hubs[round % hubs.length]
      if (!hub) continue
      await fault(`kill -9 of ${hub.name}`, hub.kill)
      await goOn(DOWN_MS)
      await hub.start()
      await goOn(CALM_MS)
      await fault(`SIGSTOP of ${hub.name}`, hub.freeze)
      await goOn(DOWN_MS)
      hub.thaw()
      await recovered()
    }
  })
}

const version = (release: PostgresRelease): Experiment => ({
  name: `postgres-${release}`,
  dependency: `Postgres ${release}`,
  fault: 'kill -9 of the server; kill -9 and SIGSTOP of a hub',
  run: async (seed) => killed(seed, await startPostgres(release), 1)
})

/** A server alone, killed and out of reach. */
const single = (name: string, dependency: string, start: () => Promise<SingleEngine>): readonly Experiment[] => [
  {
    name: `${name}-kill`,
    dependency,
    fault: 'kill -9 of the server; kill -9 and SIGSTOP of hubs',
    run: async (seed) => killed(seed, await start(), ROUNDS)
  },
  {
    name: `${name}-reset`,
    dependency,
    fault: 'connections reset, then the server unreachable',
    async run(seed) {
      const engine = await start()
      const { network, place } = await networkTo(engine.place)
      const drive = async ({ fault, goOn, recovered }: Run) => {
        await goOn(CALM_MS)
        for (let again = 0; again < RESETS; again++) {
          await fault('every connection is reset', network.reset)
          await goOn(DOWN_MS / 3)
        }
        await recovered()
        await fault('the server is unreachable', network.down)
        await goOn(2 * DOWN_MS)
        await network.up()
        await recovered()
        await goOn(CALM_MS)
      }
      return onEngine(seed, engine, drive, place)
    }
  },
  {
    name: `${name}-silence`,
    dependency,
    fault: 'a slow network, one that passes nothing on, and the server stopped (SIGSTOP)',
    async run(seed) {
      const engine = await start()
      const { network, place } = await networkTo(engine.place)
      const drive = async ({ fault, goOn, recovered, consult }: Run) => {
        await goOn(CALM_MS)
        await fault('the network is slow', () => network.slow(LATENCY_MS))
        await goOn(CALM_MS)
        network.slow(0)
        await recovered()
        await fault('the network passes nothing on', network.freeze)
        await goOn(4 * DOWN_MS)
        network.thaw()
        await recovered()
        await goOn(CALM_MS)
        await fault('the server is stopped', engine.freeze)
        await goOn(2 * DOWN_MS)
        await consult()
        engine.thaw()
        await recovered()
        await goOn(CALM_MS)
      }
      return onEngine(seed, engine, drive, place)
    }
  }
]

export const singleExperiments: readonly Experiment[] = [
  ...single('postgres', 'Postgres', () => startPostgres()),
  ...single('mariadb', 'MariaDB', startMariadb),
  ...postgresReleases.map(version)
]

import { startPooler } from '../engines/pgbouncer.js'
import { startPostgres } from '../engines/postgres.js'
import type { Experiment } from './experiment.js'
import { CALM_MS, DOWN_MS, onEngine } from './onEngine.js'

const pooled = (mode: 'session' | 'transaction'): Experiment => ({
  name: `pgbouncer-${mode}`,
  dependency: `Postgres behind PgBouncer, ${mode} mode`,
  fault: 'kill -9 of the server',
  async run(seed) {
    const engine = await startPostgres()
    const place = await startPooler(engine.place, mode)
    const named = { ...engine, name: `${engine.name}, PgBouncer in ${mode} mode` }
    const drive: Parameters<typeof onEngine>[2] = async ({ fault, goOn, recovered }) => {
      for (let round = 0; round < 2; round++) {
        await goOn(CALM_MS)
        await fault('kill -9 of the engine', engine.kill)
        await goOn(DOWN_MS)
        await engine.start()
        await recovered()
      }
      await goOn(CALM_MS)
    }
    return onEngine(seed, named, drive, place)
  }
})

export const pooledExperiments: readonly Experiment[] = [pooled('session'), pooled('transaction')]

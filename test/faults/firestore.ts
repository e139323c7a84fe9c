import { randomUUID } from 'node:crypto'
import { Missing } from '../engines/engine.js'
import { startMachine } from '../engines/machine.js'
import { redisSection, startRedis } from '../engines/redis.js'
import type { Place } from '../race/network.js'
import { startPrivateFirestore } from '../support/firestore-service.js'
import { freePort } from '../support/private-server.js'
import type { Experiment } from './experiment.js'
import { CALM_MS, DOWN_MS, networkTo } from './onEngine.js'
import { runFaults } from './run.js'

/** Those who write at the same time keep each other from it, and the emulator is slow. */
export const FIRESTORE_CLIENTS = 8

/** An emulator of an experiment's own. Throws `Missing` where it cannot be had. */
export async function startEmulator() {
  const place = { host: '127.0.0.1', port: await freePort() }
  const emulator = await startMachine('/nowhere', () => startPrivateFirestore({ port: place.port })).catch(
    (error: unknown) => {
      throw new Missing(error instanceof Error ? error.message : String(error))
    }
  )
  return { emulator, place }
}

/** What hubs use that find an emulator at this place, as does who reads the log at the end. */
export async function firestoreAt({ host, port }: Place) {
  process.env.FIRESTORE_EMULATOR_HOST = `${host}:${port}`
  const db = { driver: 'firestore', projectId: `hub-${randomUUID()}` }
  return { db: () => db, redis: redisSection((await startRedis()).place) }
}

export const firestoreExperiments: readonly Experiment[] = [
  {
    name: 'firestore',
    dependency: 'Firestore (its emulator)',
    fault: 'contention, connections reset, the server unreachable and stopped (SIGSTOP)',
    async run(seed) {
      const { emulator, place } = await startEmulator()
      const { network, place: between } = await networkTo(place)
      const outcome = await runFaults(
        await firestoreAt(between),
        { seed, clients: FIRESTORE_CLIENTS },
        async ({ fault, goOn, recovered }) => {
          await goOn(CALM_MS)
          await fault('every connection is reset', network.reset)
          await recovered()
          await fault('the server is unreachable', network.down)
          await goOn(2 * DOWN_MS)
          await network.up()
          await recovered()
          await goOn(CALM_MS)
          await fault('the server is stopped', emulator.freeze)
          await goOn(4 * DOWN_MS)
          emulator.thaw()
          await recovered()
          await goOn(CALM_MS)
        }
      )
      return { engine: 'Firestore emulator', outcome }
    }
  }
]

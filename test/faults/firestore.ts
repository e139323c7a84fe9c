import { randomUUID } from 'node:crypto'
import { Missing } from '../engines/engine.js'
import { startMachine } from '../engines/machine.js'
import { redisSection, startRedis } from '../engines/redis.js'
import { startPrivateFirestore } from '../support/firestore-service.js'
import { freePort } from '../support/private-server.js'
import type { Experiment } from './experiment.js'
import { CALM_MS, DOWN_MS, networkTo } from './onEngine.js'
import { runFaults } from './run.js'

/** Those who write at the same time keep each other from it, and the emulator is slow. */
const CLIENTS = 8

export const firestoreExperiments: readonly Experiment[] = [
  {
    name: 'firestore',
    dependency: 'Firestore (its emulator)',
    fault: 'contention, connections reset, the server unreachable and stopped (SIGSTOP)',
    async run(seed) {
      const place = { host: '127.0.0.1', port: await freePort() }
      const emulator = await startMachine('/nowhere', () => startPrivateFirestore({ port: place.port })).catch(
        (error: unknown) => {
          throw new Missing(error instanceof Error ? error.message : String(error))
        }
      )
      const { network, place: between } = await networkTo(place)
      // The hubs find the emulator by it, and so does who reads the log at the end.
      process.env.FIRESTORE_EMULATOR_HOST = `${between.host}:${between.port}`
      const db = { driver: 'firestore', projectId: `hub-${randomUUID()}` }
      const redis = redisSection((await startRedis()).place)
      const outcome = await runFaults(
        { db: () => db, redis },
        { seed, clients: CLIENTS },
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

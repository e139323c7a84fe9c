import type { Engine } from '../engines/engine.js'
import { redisSection, startRedis } from '../engines/redis.js'
import type { Network, Place } from '../race/network.js'
import { startNetwork } from '../race/network.js'
import { afterwards } from '../support/afterwards.js'
import type { Ran } from './experiment.js'
import { type Run, runFaults } from './run.js'

/** How long clients go on undisturbed between two faults, and how long a fault lasts. */
export const CALM_MS = 3000
export const DOWN_MS = 1500

/** Runs hubs on an engine that they reach at a place, its own unless told otherwise, with a Redis of their own. */
export async function onEngine(
  seed: number,
  engine: Pick<Engine, 'name' | 'place' | 'db'>,
  drive: (run: Run) => Promise<void>,
  place: Place = engine.place
): Promise<Ran> {
  const redis = await startRedis()
  const options = { db: () => engine.db(place), redis: redisSection(redis.place) }
  return { engine: engine.name, outcome: await runFaults(options, { seed }, drive) }
}

/** A network in front of a server, and where it is. */
export async function networkTo(server: Place): Promise<{ readonly network: Network; readonly place: Place }> {
  const network = await startNetwork(server)
  afterwards(() => network.stop())
  return { network, place: { host: '127.0.0.1', port: network.port } }
}

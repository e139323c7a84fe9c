import { Missing } from '../engines/engine.js'
import { startPostgres } from '../engines/postgres.js'
import { askRedis, redisSection, startRedis, startSentinelRedis } from '../engines/redis.js'
import { findBinary } from '../support/private-server.js'
import type { Experiment, Ran } from './experiment.js'
import { CALM_MS, DOWN_MS, networkTo } from './onEngine.js'
import { type Run, runFaults } from './run.js'

async function onRedis(
  seed: number,
  engine: string,
  redis: Readonly<Record<string, unknown>>,
  drive: (run: Run) => Promise<void>
): Promise<Ran> {
  const postgres = await startPostgres()
  const outcome = await runFaults({ db: () => postgres.db(postgres.place), redis }, { seed }, drive)
  return { engine: `${engine} beside ${postgres.name}`, outcome }
}

/** Flushed, full, stopped, out of reach, killed: `command` is the server's program. */
const alone = (name: string, dependency: string, command: string): Experiment => ({
  name,
  dependency,
  fault: 'flushed, full, paused, stopped, reset, and kill -9',
  async run(seed) {
    if ((await findBinary(command)) === null) throw new Missing(`no ${command} on PATH`)
    const redis = await startRedis({ command })
    const { network, place } = await networkTo(redis.place)
    const version = /redis_version:(\S+)/.exec(String(await askRedis(redis.place, 'INFO', 'server')))?.[1]
    return onRedis(
      seed,
      `${dependency} ${version}`,
      redisSection(place),
      async ({ fault, goOn, recovered, consult }) => {
        const ask = (text: string, ...args: readonly string[]) => askRedis(redis.place, text, ...args)
        await goOn(CALM_MS)
        await fault('everything in it is flushed', () => ask('FLUSHALL'))
        await goOn(CALM_MS)
        await fault('it is full', () => ask('CONFIG', 'SET', 'maxmemory', '1'))
        await goOn(DOWN_MS)
        await consult()
        await ask('CONFIG', 'SET', 'maxmemory', '0')
        await recovered()
        await fault('its clients are paused', () => ask('CLIENT', 'PAUSE', String(2 * DOWN_MS)))
        await goOn(2 * DOWN_MS)
        await recovered()
        await fault('every connection is reset', network.reset)
        await recovered()
        await fault('it is stopped (SIGSTOP)', redis.freeze)
        await goOn(2 * DOWN_MS)
        redis.thaw()
        await recovered()
        await fault('kill -9', redis.kill)
        await goOn(DOWN_MS)
        await consult()
        await redis.start()
        await recovered()
        await goOn(CALM_MS)
      }
    )
  }
})

const sentinel: Experiment = {
  name: 'redis-sentinel',
  dependency: 'Redis with Sentinel',
  fault: 'kill -9 of the master; a replica takes over',
  async run(seed) {
    const { master, section, replaced } = await startSentinelRedis()
    return onRedis(seed, 'Redis with Sentinel', section, async ({ fault, goOn, recovered }) => {
      await goOn(CALM_MS)
      await fault('kill -9 of the master', master.kill)
      await replaced()
      await recovered()
      await goOn(CALM_MS)
    })
  }
}

export const throttleExperiments: readonly Experiment[] = [
  alone('redis', 'Redis', 'redis-server'),
  sentinel,
  alone('valkey', 'Valkey', 'valkey-server')
]

import type { Writable } from 'node:stream'
import { ConfigError, type LoadedConfig, loadConfig } from '../../src/config/load.js'
import { unshared } from '../../src/config/workers.js'
import { errorLines, exitCodeOf } from '../errors.js'
import { EXIT } from '../exitCodes.js'
import { serve } from '../serve.js'
import { stopped } from '../signals.js'
import { Team, tell } from './team.js'

export interface WorkerContext {
  readonly configPath: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Writable
  readonly stderr: Writable
  readonly verbose: boolean
  readonly acceptClock: boolean
}

/**
 * Serves as one of the primary's workers until it is told to end, gets SIGINT or SIGTERM, or the primary is gone. Resolves with the
 * exit code; why it ends otherwise is told to the primary alone, which says it once for all.
 */
export async function runWorker({ stdout, stderr, verbose, acceptClock, ...file }: WorkerContext): Promise<number> {
  // They are the primary's to forward, and reach all processes where a terminal or somebody in haste sends them.
  process.on('SIGHUP', nothing).on('SIGUSR2', nothing)
  let endsAll = false
  try {
    const team = await Team.join()
    let isFirst = true
    const load = () => {
      if (!isFirst) return reread(file, team.count)
      isFirst = false
      return team.loaded
    }
    const serving = await serve({ load, terminal: stdout, acceptClock, peers: team })
    team.reopensLogWith(serving.reopenLog)
    tell({ type: 'serving', url: serving.url })
    void serving.over.then(() => {
      endsAll = true
    })
    await stopped(serving.close, stderr, { reason: serving.over, wish: team.left })
    return EXIT.done
  } catch (error) {
    const code = exitCodeOf(error)
    tell({ type: 'ending', lines: errorLines(error, verbose), code, endsAll })
    return code
  } finally {
    // Else the process would go on for messages that may come.
    if (process.connected) process.disconnect()
  }
}

/** The file as it is now. Throws a `ConfigError` where it says what the workers that run cannot share, though fewer could. */
function reread({ configPath, env }: Pick<WorkerContext, 'configPath' | 'env'>, workers: number): LoadedConfig {
  const loaded = loadConfig(configPath, env)
  const found = unshared(loaded.config, workers)
  if (found) throw new ConfigError(`${configPath}: ${found.path.join('.')}: ${found.message} That needs a restart.`)
  return loaded
}

function nothing(): void {}

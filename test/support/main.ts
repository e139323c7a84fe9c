import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { directoryInMemory } from './directoryInMemory.js'
import { type RunOptions, runTests } from './runner.js'
import { stopServices, withoutServices } from './services.js'

const MOST_JOBS = 8

/** What differs between the commands that run tests. */
type FolderOptions = Pick<RunOptions, 'filters' | 'jobs' | 'silence_ms' | 'againAlone' | 'suffix' | 'isShown'> & {
  /** Below `test/`, with a slash at its end; empty for all of it. */
  readonly folder: string
  /** Why nothing that needs a service is to run; without it a service is found or started when the first file needs it. */
  readonly withoutServices?: string
}

/** Folders whose tests kill, measure, replace or start whole processes: each of their files has one of its own. */
const ALONE = /^(deploy|faults|limits|live|package|race|support|tls|whole)\/[^/]*$|-child/

function sharesProcess(file: string): boolean {
  return file.includes('/') && !ALONE.test(file)
}

/**
 * Runs the test files of a folder as a command of its own, until they have ended or it is interrupted. What they and their servers
 * write lies in memory where it has room; `TMPDIR` names another place.
 */
export async function runFolder({ folder, withoutServices: reason, ...options }: FolderOptions): Promise<void> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort())
  const inMemory = process.env.TMPDIR === undefined ? directoryInMemory() : undefined
  const own = inMemory && (await mkdtemp(join(inMemory, 'hub-test-run-')))
  if (own !== undefined) {
    // Servers that run as somebody else have theirs in it.
    await chmod(own, 0o755)
    process.env.TMPDIR = own
  }
  const services = reason === undefined ? {} : withoutServices(reason)
  // For what several files need and is made once for all of them.
  const shared = await mkdtemp(join(tmpdir(), 'hub-test-shared-'))
  const well = await runTests({
    ...options,
    sharesProcess,
    compiled: fileURLToPath(new URL(`../${folder}`, import.meta.url)),
    sources: fileURLToPath(new URL(`../../../test/${folder}`, import.meta.url)),
    environment: { ...process.env, ...services, HUB_TEST_SHARED: shared },
    signal: interrupted.signal,
    write: (text) => void process.stdout.write(text)
  })
  await rm(shared, { recursive: true, force: true })
  await stopServices()
  // What killed processes have left there would take memory until the machine starts again.
  if (own !== undefined) await rm(own, { recursive: true, force: true, maxRetries: 10 })
  process.exitCode = well ? 0 : 1
}

/**
 * How many files to run at once: as many as `HUB_TEST_JOBS` says, else two more than there are processors, at most eight. Files wait
 * for databases and browsers for a third of their time.
 */
export function testJobs(): number {
  const wanted = Number(process.env.HUB_TEST_JOBS)
  if (Number.isInteger(wanted) && wanted > 0) return wanted
  return Math.min(MOST_JOBS, availableParallelism() + 2)
}

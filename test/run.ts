import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runTests } from './support/runner.js'
import { serviceEnvironment, stopServices } from './support/services.js'

// node dist/test/run.js [part of a path ...]
const FILE_LIMIT_MS = 180_000
const MOST_JOBS = 8

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort())

const well = await runTests({
  compiled: fileURLToPath(new URL('.', import.meta.url)),
  sources: fileURLToPath(new URL('../../test/', import.meta.url)),
  filters: process.argv.slice(2),
  jobs: jobs(process.env.HUB_TEST_JOBS),
  limit_ms: FILE_LIMIT_MS,
  environment: { ...process.env, ...(await serviceEnvironment()) },
  signal: interrupted.signal,
  write: (text) => void process.stdout.write(text)
})
await stopServices()
process.exitCode = well ? 0 : 1

function jobs(wanted: string | undefined): number {
  const count = Number(wanted)
  if (Number.isInteger(count) && count > 0) return count
  return Math.min(MOST_JOBS, Math.max(2, availableParallelism()))
}

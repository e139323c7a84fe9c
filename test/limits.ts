import { fileURLToPath } from 'node:url'
import { runTests } from './support/runner.js'
import { serviceEnvironment, stopServices } from './support/services.js'

// node dist/test/limits.js [part of a path ...]: what is too much for a hub, at full size. One file after the other, since each
// fills the machine.
const FILE_LIMIT_MS = 1_800_000

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort())

const well = await runTests({
  compiled: fileURLToPath(new URL('./limits/', import.meta.url)),
  sources: fileURLToPath(new URL('../../test/limits/', import.meta.url)),
  suffix: '.heavy.js',
  isShown: true,
  filters: process.argv.slice(2),
  jobs: 1,
  limit_ms: FILE_LIMIT_MS,
  environment: { ...process.env, ...(await serviceEnvironment()) },
  signal: interrupted.signal,
  write: (text) => void process.stdout.write(text)
})
await stopServices()
process.exitCode = well ? 0 : 1

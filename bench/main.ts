import { stopServices } from '../test/support/services.js'
import type { Benchmark } from './benchmark.js'
import { consoleBenchmark } from './console.js'
import { desktopBenchmark } from './desktop.js'
import { firestoreBenchmark } from './firestore.js'
import { http } from './http.js'
import { largeBenchmark } from './large.js'
import { llmBenchmark } from './llm.js'
import { parseOptions, UsageError, usage } from './options.js'
import { replayBenchmark } from './replay.js'
import { searchBenchmark } from './search.js'
import { soakBenchmark } from './soak.js'
import { sqlBenchmark } from './sql.js'
import { tenantsBenchmark } from './tenants.js'
import { writersBenchmark } from './writers.js'

// node dist/bench/main.js [benchmark] [options]
const benchmarks: readonly [Benchmark, ...Benchmark[]] = [
  http,
  replayBenchmark,
  searchBenchmark,
  largeBenchmark,
  soakBenchmark,
  llmBenchmark,
  tenantsBenchmark,
  writersBenchmark,
  sqlBenchmark,
  firestoreBenchmark,
  desktopBenchmark,
  consoleBenchmark
]

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`Interrupted by ${signal}.`)))
}

/** What `check` stands for: each route beside a bare server, against the ratios that are kept. */
const CHECK = ['http', '--driver', 'all', '--seconds', '0.5', '--check', 'bench/ratios.json']

const [first, ...others] = process.argv.slice(2)
try {
  await runBenchmark(first === 'check' ? [...CHECK, ...others] : process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  process.stderr.write(isUsage ? `${error.message}\n\n${usage(benchmarks)}` : `${explain(error)}\n`)
  process.exitCode = isUsage ? 2 : 1
} finally {
  await stopServices()
}

async function runBenchmark(args: readonly string[]): Promise<void> {
  const asked = parseOptions(args)
  if (!asked) return void process.stdout.write(usage(benchmarks))
  const { name, options } = asked
  const benchmark = name === undefined ? benchmarks[0] : benchmarks.find((one) => one.name === name)
  if (!benchmark) throw new UsageError(`There is no benchmark "${name}".`)
  await benchmark.run({
    ...options,
    signal: interrupted.signal,
    print: (text) => void process.stdout.write(text),
    progress: (text) => void process.stderr.write(`${text}\n`)
  })
}

function explain(error: unknown): string {
  if (interrupted.signal.aborted) return String(interrupted.signal.reason)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

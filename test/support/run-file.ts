import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { constants, getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchProgress } from './patience.js'
import { parseEvents, type Tally, tally } from './results.js'

export interface FileResult {
  readonly tally: Tally
  /** What is wrong with the file as a whole, apart from tests that failed; null when nothing is. */
  readonly trouble: string | null
  readonly output: string
  readonly duration_ms: number
}

export interface RunFileOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How long the file may neither print nor report anything. */
  readonly silence_ms: number
  /** Ends the file early, as too long a silence does. */
  readonly signal: AbortSignal
}

const OUTPUT_LIMIT_CHARACTERS = 1_000_000
const CLOSE_LIMIT_MS = 1000

/**
 * Puts a test file behind the servers that all files share: on a machine with too much to do, one that waits for a processor
 * for seconds would be taken for one that does not answer.
 */
function putBehind(pid: number): void {
  try {
    const { PRIORITY_BELOW_NORMAL: step, PRIORITY_LOW: last } = constants.priority
    setPriority(pid, Math.min(getPriority() + step, last))
  } catch {
    // It has ended already.
  }
}

/** Runs one compiled test file in a process group of its own, of which nothing is left when this resolves. */
export async function runFile(path: string, options: RunFileOptions): Promise<FileResult> {
  const started = performance.now()
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-run-'))
  const resultsFile = join(directory, 'results')
  const child = spawn(process.execPath, ['--enable-source-maps', path], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...options.environment, HUB_TEST_RESULTS: resultsFile }
  })
  if (child.pid !== undefined) putBehind(child.pid)
  let output = ''
  let printed = 0
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text.length
      output = (output + text).slice(-OUTPUT_LIMIT_CHARACTERS)
    })
  }
  const killGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended by itself.
    }
  }
  let late = false
  const reported = () => statSync(resultsFile, { throwIfNoEntry: false })?.size ?? 0
  const stopWatching = watchProgress(
    options.silence_ms,
    () => printed + reported(),
    () => {
      late = true
      killGroup()
    }
  )
  options.signal.addEventListener('abort', killGroup)
  if (options.signal.aborted) killGroup()
  const closed = once(child, 'close')
  await once(child, 'exit')
  stopWatching()
  options.signal.removeEventListener('abort', killGroup)
  killGroup()
  // A process that left the group may still hold the pipes open.
  await Promise.race([closed, sleep(CLOSE_LIMIT_MS, undefined, { ref: false })])
  for (const stream of [child.stdout, child.stderr]) stream.destroy()

  const events = parseEvents(await readFile(resultsFile, 'utf8').catch(() => ''))
  await rm(directory, { recursive: true, force: true })
  const result = tally(events)
  const duration_ms = performance.now() - started
  const trouble = late
    ? `showed no progress within ${options.silence_ms} ms`
    : troubleOf(result, child.exitCode, child.signalCode)
  return { tally: result, trouble, output, duration_ms }
}

function troubleOf(result: Tally, exitCode: number | null, signal: NodeJS.Signals | null): string | null {
  const failures = result.failed.length + result.unfinished.length
  if (signal !== null) return `ended by ${signal}`
  if (result.unfinished.length > 0) return `ended early with exit code ${exitCode}`
  if (exitCode !== 0 && failures === 0) return `ended with exit code ${exitCode}`
  if (result.passed + failures + result.skipped.length === 0) return 'ran no test at all'
  return null
}

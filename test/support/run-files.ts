import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { constants, getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { watchProgress } from './patience.js'
import { byFile, outputByFile, parseEvents, type Tally, type TestEvent, tally } from './results.js'
import { answerServices } from './services.js'

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

const TOGETHER = fileURLToPath(new URL('together.js', import.meta.url))
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

/** What came of files that ran in one process; those it did not come to are left. */
export interface GroupResult {
  readonly results: ReadonlyMap<string, FileResult>
  readonly left: readonly string[]
}

/** Runs compiled test files one after the other in a process group of their own, of which nothing is left when this resolves. */
export async function runFiles(paths: readonly string[], options: RunFileOptions): Promise<GroupResult> {
  const started_ms = Date.now()
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-run-'))
  const resultsFile = join(directory, 'results')
  const child = spawn(process.execPath, ['--enable-source-maps', TOGETHER, ...paths], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...options.environment, HUB_TEST_RESULTS: resultsFile }
  })
  answerServices(child)
  if (child.pid !== undefined) putBehind(child.pid)
  const output = new Map<Readable, string>()
  let printed = 0
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text.length
      output.set(stream, ((output.get(stream) ?? '') + text).slice(-OUTPUT_LIMIT_CHARACTERS))
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
  const ended_ms = Date.now()
  stopWatching()
  options.signal.removeEventListener('abort', killGroup)
  killGroup()
  // A process that left the group may still hold the pipes open.
  await Promise.race([closed, sleep(CLOSE_LIMIT_MS, undefined, { ref: false })])
  for (const stream of streams) stream.destroy()

  const files = byFile(parseEvents(await readFile(resultsFile, 'utf8').catch(() => '')))
  await rm(directory, { recursive: true, force: true })
  // One that did not even come to its first file is that file's trouble.
  const ran = paths.slice(0, Math.max(1, files.size))
  const outputs = [...output.values()].map((text) => outputByFile(text, paths[0]))
  const someFailed = [...files.values()].some((events) => tally(events).failed.length > 0)
  const results = new Map<string, FileResult>()
  for (const [i, path] of ran.entries()) {
    const events = files.get(path) ?? []
    const own = tally(events)
    const next = ran[i + 1]
    const ended = next === undefined ? ended_ms : beginning(files.get(next), ended_ms)
    // Whatever ended the process ended the file that it had come to.
    const trouble =
      next !== undefined
        ? troubleOf(own)
        : late
          ? `showed no progress within ${options.silence_ms} ms`
          : troubleOf(own, child.exitCode, child.signalCode, someFailed)
    const text = outputs.map((texts) => texts.get(path) ?? '').join('')
    results.set(path, { tally: own, trouble, output: text, duration_ms: ended - beginning(events, started_ms) })
  }
  return { results, left: paths.slice(ran.length) }
}

/** When a file began; `otherwise` where it has not said so. */
function beginning([first]: readonly TestEvent[] = [], otherwise: number): number {
  return first?.event === 'file' ? first.at_ms : otherwise
}

function troubleOf(
  result: Tally,
  exitCode: number | null = 0,
  signal: NodeJS.Signals | null = null,
  someFailed = false
): string | null {
  const failures = result.failed.length + result.unfinished.length
  if (signal !== null) return `ended by ${signal}`
  if (result.unfinished.length > 0) return `ended early with exit code ${exitCode}`
  if (exitCode !== 0 && failures === 0 && !someFailed) return `ended with exit code ${exitCode}`
  if (result.passed + failures + result.skipped.length === 0) return 'ran no test at all'
  return null
}

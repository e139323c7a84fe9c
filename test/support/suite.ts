import { appendFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { collecting } from './afterwards.js'
import { type Body, failureOf, printable } from './attempt.js'
import { fileMark, serializeEvent, summary, type TestEvent, tally } from './results.js'
import { mayBeSkipped, missingServices, type ServiceName } from './services.js'

export interface Hook {
  (body: Body): void
  readonly each: (body: Body) => void
}

export interface Suite {
  /**
   * Plans a test. It fails when it neither ends nor prints anything for `timeout_ms`, a minute unless told otherwise; on a
   * busy machine that is longer.
   */
  (name: string, body: Body, options?: { readonly timeout_ms?: number }): void
  readonly before: Hook
  readonly after: Hook
  /** Plans a test that does not run here and now; it is counted, and named on stdout with the reason. */
  readonly skip: (name: string, why: string) => void
  /** Runs what was planned, after the suites of this file whose `run` was called before. */
  readonly run: () => void
}

export interface SuiteOptions {
  /** Without these services every test of the suite is skipped with the reason, or fails with it when CI=true demands them. */
  readonly needs?: readonly ServiceName[]
}

interface Planned {
  readonly test: string
  readonly name: string
  readonly body: Body
  readonly timeout_ms: number
}

interface Hooks {
  readonly before: Body[]
  readonly after: Body[]
  readonly beforeEach: Body[]
  readonly afterEach: Body[]
}

const TEST_TIMEOUT_MS = 60_000
const HOOK_TIMEOUT_MS = 60_000
const IDLE_LIMIT_MS = 20_000

// uvu drives its own queue, one that ends early without a word, unless it is told that somebody else drives it.
type UvuRun = () => Promise<readonly [errors: string | true, passed: number, skipped: number, total: number]>
const uvuRuns: UvuRun[] = []
Object.assign(globalThis, { UVU_DEFER: true, UVU_QUEUE: [uvuRuns], UVU_INDEX: 0 })
const { suite: uvuSuite } = await import('uvu')

// Taken out of the environment, so that a process which a test starts does not report into this file's results.
const resultsFile = process.env.HUB_TEST_RESULTS
delete process.env.HUB_TEST_RESULTS

const events: TestEvent[] = []
let turn = Promise.resolve()
let idleTimer: NodeJS.Timeout | undefined

/**
 * A suite of tests on uvu. Every test and every hook has a limit of time without progress; a hook that fails fails the tests
 * it serves; tests that never ran, for whatever reason, count as failed when the process ends.
 */
export function suite(name: string, options: SuiteOptions = {}): Suite {
  clearTimeout(idleTimer)
  const planned: Planned[] = []
  const skipped: { readonly test: string; readonly why: string }[] = []
  const hooks: Hooks = { before: [], after: [], beforeEach: [], afterEach: [] }
  const plan = (test: string): string => {
    report({ event: 'planned', test })
    return test
  }
  const add = (testName: string, body: Body, { timeout_ms = TEST_TIMEOUT_MS } = {}): void => {
    planned.push({ test: plan(`${name}: ${testName}`), name: testName, body, timeout_ms })
  }
  return Object.assign(add, {
    before: hook(hooks.before, hooks.beforeEach),
    after: hook(hooks.after, hooks.afterEach),
    skip: (testName: string, why: string): void => {
      skipped.push({ test: plan(`${name}: ${testName}`), why })
    },
    run: (): void => {
      turn = turn.then(async () => {
        clearTimeout(idleTimer)
        for (const { test, why } of skipped) reportSkipped(test, why)
        const { needs = [] } = options
        await runSuite(name, planned, hooks, await missingServices(needs), await mayBeSkipped(needs))
        // A handle that a test left open would keep the process here until somebody kills it.
        idleTimer = setTimeout(endIdleProcess, IDLE_LIMIT_MS).unref()
      })
    }
  })
}

/** Says that the suites which are planned from here on are of another file of this process, and that its output is. */
export function beginFile(path: string): void {
  report({ event: 'file', test: path, at_ms: Date.now() })
  for (const stream of [process.stdout, process.stderr]) stream.write(fileMark(path))
}

/** Resolves when every suite that was told to run has run. */
export function suitesEnded(): Promise<void> {
  return turn
}

async function runSuite(
  name: string,
  planned: readonly Planned[],
  hooks: Hooks,
  missing: string | null,
  maySkip: boolean
) {
  if (missing !== null && maySkip) {
    for (const { test } of planned) reportSkipped(test, missing)
    return
  }
  if (planned.length === 0) return
  let obstacle: unknown = missing === null ? undefined : new Error(`CI=true demands every service: ${missing}`)
  const uvu = uvuSuite(name)
  const ofSuite: Body[] = []
  uvu.before(async () => {
    obstacle ??= await collecting(ofSuite, () => failureOf('before', HOOK_TIMEOUT_MS, hooks.before))
  })
  for (const { test, name: testName, body, timeout_ms } of planned) {
    uvu(testName, async () => {
      const own: Body[] = []
      const run = () => failureOf('The test', timeout_ms, [...hooks.beforeEach, body])
      const failure = obstacle ?? (await collecting(own, run))
      // Cleaning up gets its own time, or a test that hangs would leave everything behind.
      const hooked = obstacle ?? (await failureOf('after.each', HOOK_TIMEOUT_MS, hooks.afterEach))
      const cleanup = await failureOf('Cleaning up', HOOK_TIMEOUT_MS, own)
      const thrown = failure ?? hooked ?? cleanup
      if (thrown === undefined) return report({ event: 'passed', test })
      report({ event: 'failed', test, text: inspect(thrown) })
      throw printable(thrown)
    })
  }
  uvu.after(async () => {
    const hooked = await failureOf('after', HOOK_TIMEOUT_MS, hooks.after)
    const cleanup = await failureOf('Cleaning up', HOOK_TIMEOUT_MS, ofSuite)
    const failure = hooked ?? cleanup
    if (failure === undefined || obstacle !== undefined) return
    report({ event: 'failed', test: `${name}: after`, text: inspect(failure) })
    process.stdout.write(`\n${inspect(failure)}\n`)
  })
  uvu.run()
  const [errors] = (await uvuRuns.pop()?.()) ?? ['uvu has changed the way it queues suites\n']
  if (typeof errors === 'string') process.stdout.write(`\n${errors}\n`)
}

function hook(once: Body[], each: Body[]): Hook {
  return Object.assign((body: Body) => void once.push(body), { each: (body: Body) => void each.push(body) })
}

function reportSkipped(test: string, why: string): void {
  report({ event: 'skipped', test, why })
  process.stdout.write(`skipped ${test} (${why})\n`)
}

function report(event: TestEvent): void {
  events.push(event)
  if (event.event === 'failed') process.exitCode = 1
  if (resultsFile !== undefined) appendFileSync(resultsFile, serializeEvent(event))
}

function endIdleProcess(): void {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const resources = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  report({ event: 'failed', test: 'the process ends after its last test', text: `Still open: ${resources}` })
  process.stdout.write(`All tests have ended, but something keeps the process alive: ${resources}\n`)
  process.exit(1)
}

process.on('exit', () => {
  // A process that only borrows from a suite, such as a benchmark, is no test.
  if (events.length === 0 && resultsFile === undefined) return
  const { passed, failed, skipped, unfinished } = tally(events)
  for (const test of unfinished) process.stdout.write(`did not run to its end: ${test}\n`)
  if (unfinished.length > 0) process.exitCode = 1
  process.stdout.write(`${summary(passed, failed.length + unfinished.length, skipped.length)}\n`)
})

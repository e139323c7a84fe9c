import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { summary } from './results.js'
import { type FileResult, runFiles } from './run-files.js'

export interface RunOptions {
  /** Where the compiled test files are. */
  readonly compiled: string
  /** Where their sources are, at the same relative paths. */
  readonly sources: string
  /** How the names of test files end once compiled; `.test.js` by default. */
  readonly suffix?: string
  /** Prints also what files write that do well. */
  readonly isShown?: boolean
  /** A file runs when its path contains one of these; all run when there are none. */
  readonly filters: readonly string[]
  /** How many files run at once. */
  readonly jobs: number
  /** True for a file that may share a process with others of its folder; no file may unless told. */
  readonly sharesProcess?: (file: string) => boolean
  /** A file is ended that has neither printed nor reported anything for so long. */
  readonly silence_ms: number
  /** So many failed files at most are run once more when all have run, each alone; what they say then counts. None unless told. */
  readonly againAlone?: number
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly write: (text: string) => void
}

/** So many files share a process at most. */
const TOGETHER_MAX = 24

/** So many lines of what a failed test said stand at the end. */
const LINES_AT_END = 12

interface Totals {
  passed: number
  failed: number
  /** What failed, for the end: the middle of a long run is seldom read, and a file that is cut off may not have printed it. */
  readonly failures: string[]
  /** What failed beside other files and passed alone: a defect of the test or of the product all the same, which is named. */
  readonly flaky: string[]
  readonly skipped: string[]
}

/** Runs test files and prints one line for each with the full output of those that fail, then what failed and the totals. True when all is well. */
export async function runTests(options: RunOptions): Promise<boolean> {
  const totals: Totals = { passed: 0, failed: 0, failures: [], flaky: [], skipped: [] }
  const files = await findFiles(options)
  if (files.length === 0) options.write(`No test file matches ${options.filters.join(' ') || options.compiled}\n`)
  const queue = groupsOf(files, options).values()
  const failed = new Map<string, FileResult>()
  const nameOf = (path: string) =>
    relative(process.cwd(), join(options.sources, sourceOf(relative(options.compiled, path))))
  const worker = async () => {
    for (const group of queue) {
      for (let rest = group.map((file) => join(options.compiled, file)); rest.length > 0; ) {
        if (options.signal.aborted) return
        const { results, left } = await runFiles(rest, options)
        for (const [path, result] of results) {
          printFile(nameOf(path), result, options)
          if (failuresIn(result) > 0) failed.set(path, result)
          else count(nameOf(path), result, totals)
        }
        rest = [...left]
      }
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, worker))
  // Many that fail have one cause, which is no matter of what ran beside them.
  const isRunAgain = failed.size <= (options.againAlone ?? 0) && !options.signal.aborted
  for (const [path, first] of failed) {
    const last = isRunAgain ? (await runFiles([path], options)).results.get(path) : undefined
    if (last) printFile(`${nameOf(path)}, alone`, last, options)
    if (last && failuresIn(last) === 0) totals.flaky.push(...toldFailures(nameOf(path), first))
    count(nameOf(path), last ?? first, totals)
  }
  if (totals.skipped.length > 0) options.write(`\nSkipped:\n${totals.skipped.join('')}`)
  if (totals.flaky.length > 0) options.write(`\nFailed beside others, passed alone:\n${totals.flaky.join('')}`)
  if (totals.failures.length > 0) options.write(`\nFailed:\n${totals.failures.join('')}`)
  options.write(`\n${summary(totals.passed, totals.failed, totals.skipped.length)}\n`)
  return totals.failed === 0 && files.length > 0 && !options.signal.aborted
}

/**
 * Compiled test files, without those whose source is gone: the compiler does not delete what it once wrote. The last folders come
 * first: theirs take longest, and nobody waits for one of them alone at the end.
 */
async function findFiles({ compiled, sources, filters, suffix = '.test.js' }: RunOptions): Promise<readonly string[]> {
  const files = await readdir(compiled, { recursive: true })
  return files
    .filter((file) => file.endsWith(suffix) && existsSync(join(sources, sourceOf(file))))
    .filter((file) => filters.length === 0 || filters.some((filter) => sourceOf(file).includes(filter)))
    .toSorted()
    .toReversed()
}

/** The files as they share processes: those of a folder, so many at most that no process is waited for at the end. */
function groupsOf(files: readonly string[], { sharesProcess = () => false }: RunOptions): readonly string[][] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    const folder = dirname(file)
    const group = sharesProcess(file) ? open.get(folder) : undefined
    if (group && group.length < TOGETHER_MAX) group.push(file)
    else {
      const next = [file]
      groups.push(next)
      if (sharesProcess(file)) open.set(folder, next)
    }
  }
  return groups
}

/** What failed in a file, each with the beginning of what it said. */
function toldFailures(name: string, { tally: { failed, unfinished }, trouble }: FileResult): readonly string[] {
  const said = failed.map(({ test, text }) => {
    const lines = text.trim().split('\n').slice(0, LINES_AT_END)
    return [test, ...lines.map((line) => `    ${line}`)].join('\n')
  })
  const cut = unfinished.map((test) => `did not run to its end: ${test}`)
  return [...said, ...cut, ...(trouble === null ? [] : [trouble])].map((text) => `  ${name}  ${text}\n`)
}

/** How many failures a file counts as. Trouble that no test stands for, a crash before the first one for instance, is one of its own. */
function failuresIn({ tally: { failed, unfinished }, trouble }: FileResult): number {
  return failed.length + unfinished.length + (trouble !== null && unfinished.length === 0 ? 1 : 0)
}

function sourceOf(file: string): string {
  return file.replace(/\.js$/, '.ts')
}

function count(name: string, result: FileResult, totals: Totals): void {
  totals.passed += result.tally.passed
  totals.failed += failuresIn(result)
  totals.failures.push(...toldFailures(name, result))
  totals.skipped.push(...result.tally.skipped.map(({ test, why }) => `  ${name}  ${test} (${why})\n`))
}

function printFile(name: string, result: FileResult, { write, isShown }: RunOptions): void {
  const failures = failuresIn(result)
  const seconds = `${(result.duration_ms / 1000).toFixed(1)} s`
  const told = summary(result.tally.passed, failures, result.tally.skipped.length)
  write(`${failures > 0 ? 'FAIL' : 'ok  '} ${name}  ${told}  ${seconds}\n`)
  if ((failures > 0 || isShown) && result.output.trim() !== '') write(`${result.output.replace(/^/gm, '     | ')}\n`)
}

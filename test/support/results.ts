/** What a test file reports while it runs, one JSON object a line, so that a file that dies has reported until then. */
export type TestEvent =
  /** What follows is of this file, where several run in one process. */
  | { readonly event: 'file'; readonly test: string; readonly at_ms: number }
  | { readonly event: 'planned'; readonly test: string }
  | { readonly event: 'passed'; readonly test: string }
  | { readonly event: 'failed'; readonly test: string; readonly text: string }
  | { readonly event: 'skipped'; readonly test: string; readonly why: string }

export interface Tally {
  readonly passed: number
  readonly failed: readonly { readonly test: string; readonly text: string }[]
  readonly skipped: readonly { readonly test: string; readonly why: string }[]
  /** Planned, and neither passed nor failed nor skipped: the file ended before them. They count as failed. */
  readonly unfinished: readonly string[]
}

/** Adds up events in any order. Two tests of one name count as two. */
export function tally(events: readonly TestEvent[]): Tally {
  const open = new Map<string, number>()
  const failed: { test: string; text: string }[] = []
  const skipped: { test: string; why: string }[] = []
  let passed = 0
  for (const event of events) {
    if (event.event === 'file') continue
    open.set(event.test, (open.get(event.test) ?? 0) + (event.event === 'planned' ? 1 : -1))
    if (event.event === 'passed') passed += 1
    else if (event.event === 'failed') failed.push({ test: event.test, text: event.text })
    else if (event.event === 'skipped') skipped.push({ test: event.test, why: event.why })
  }
  const unfinished = [...open].flatMap(([test, count]) => Array<string>(Math.max(0, count)).fill(test))
  return { passed, failed, skipped, unfinished }
}

/** Events by the file that they are of, in the order in which the files began. */
export function byFile(events: readonly TestEvent[]): ReadonlyMap<string, readonly TestEvent[]> {
  const files = new Map<string, TestEvent[]>()
  let own: TestEvent[] = []
  for (const event of events) {
    if (event.event === 'file') {
      own = []
      files.set(event.test, own)
    }
    own.push(event)
  }
  return files
}

const MARK = '\u001e'

/** What stands in the output of a process where that of a file begins. */
export function fileMark(path: string): string {
  return `${MARK}${path}${MARK}\n`
}

/** The output of a process by the file that it is of; what comes before any mark is that of the `first`. */
export function outputByFile(output: string, first = ''): ReadonlyMap<string, string> {
  const [head = '', ...parts] = output.split(MARK)
  const files = new Map([[first, head]])
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [path = '', text = ''] = parts.slice(i, i + 2)
    files.set(path, (files.get(path) ?? '') + text.slice(1))
  }
  return files
}

/** The one line by which a person and a script read the outcome. */
export function summary(passed: number, failed: number, skipped: number): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

export function serializeEvent(event: TestEvent): string {
  return `${JSON.stringify(event)}\n`
}

/** Reads what `serializeEvent` wrote. A last line that was cut off by the end of its process is left out. */
export function parseEvents(text: string): readonly TestEvent[] {
  return text.split('\n').slice(0, -1).map(parseEvent)
}

function parseEvent(line: string): TestEvent {
  const value: unknown = JSON.parse(line)
  if (typeof value === 'object' && value !== null && 'event' in value && 'test' in value) {
    const { event, test } = value
    if (typeof test === 'string') {
      if (event === 'planned' || event === 'passed') return { event, test }
      if (event === 'file' && 'at_ms' in value && typeof value.at_ms === 'number')
        return { event, test, at_ms: value.at_ms }
      if (event === 'failed' && 'text' in value && typeof value.text === 'string')
        return { event, test, text: value.text }
      if (event === 'skipped' && 'why' in value && typeof value.why === 'string') return { event, test, why: value.why }
    }
  }
  throw new Error(`Not a test event: ${line}`)
}

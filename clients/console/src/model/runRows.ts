import { fieldOf, textIn } from './auditEntry.js'
import { count } from './numbers.js'
import { urlMasked } from './urlSecrets.js'

/** One request of a run. What the client has not sent is null. */
export interface RunRow {
  /** Which of the run it was, from 1. */
  readonly nth: number
  readonly name: string | null
  readonly method: string | null
  /** With what is secret in it masked. */
  readonly url: string | null
  /** How it ended, in the client's word: `passed`, `failed`, `skipped`. */
  readonly outcome: string | null
  readonly error: string | null
  /** What the server answered: `404 Not Found`. */
  readonly answer: string | null
  readonly took: string | null
  readonly tests: { readonly passed: number; readonly failed: number } | null
}

/** The requests of a run in their order, as far as its payload tells of them: clients name the same in several ways. */
export function rowsOfRun(payload: unknown): readonly RunRow[] {
  const results = fieldOf(payload, 'results')
  return Array.isArray(results) ? results.map(rowOf) : []
}

function rowOf(result: unknown, index: number): RunRow {
  const request = fieldOf(result, 'request')
  const response = fieldOf(result, 'response')
  const url = textIn(result, 'requestUrl', 'url') ?? textIn(request, 'url')
  const took = numberIn(response, 'timeMs') ?? numberIn(result, 'durationMs')
  const [passed, failed] = [numberIn(result, 'testsPassed'), numberIn(result, 'testsFailed')]
  const status = numberIn(response, 'status')
  return {
    nth: index + 1,
    name: textIn(result, 'requestName', 'name'),
    method: textIn(result, 'requestMethod', 'method'),
    url: url === null ? null : urlMasked(url),
    outcome: textIn(result, 'status'),
    error: textIn(result, 'error') ?? textIn(response, 'error'),
    answer: status === null ? null : `${status} ${textIn(response, 'statusText') ?? ''}`.trim(),
    took: took === null ? null : `${count(Math.round(took))} ms`,
    tests: passed === null && failed === null ? null : { passed: passed ?? 0, failed: failed ?? 0 }
  }
}

function numberIn(of: unknown, field: string): number | null {
  const value = fieldOf(of, field)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Whether a request did not do what it was run for. */
export const isFailed = ({ outcome, tests }: RunRow): boolean => outcome === 'failed' || (tests?.failed ?? 0) > 0

/** All that the client has sent, as a text, with what is secret in URLs masked. */
export const payloadText = (payload: unknown): string =>
  JSON.stringify(
    payload,
    (key, value) => (/url$/i.test(key) && typeof value === 'string' ? urlMasked(value) : value),
    2
  )

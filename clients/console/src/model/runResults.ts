import type { Schemas } from '@collections-hub/client'
import { counted } from './numbers.js'

/** What is known of a run before its payload is. */
type Run = Pick<Schemas['RunResult'], 'kind' | 'collectionName' | 'requestName' | 'summary'>

/** What came of a run, in a word or two and how it looks. */
export interface Outcome {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly text: string
}

/** What came of a run: what failed counts most. A client may have sent results of which none says how it ended. */
export function outcomeOf({ summary: { passed, failed, skipped } }: Run): Outcome {
  if (failed > 0) return { tone: 'bad', text: counted(failed, 'failed', 'failed') }
  if (passed > 0) return { tone: 'good', text: 'passed' }
  return { tone: 'plain', text: skipped > 0 ? 'skipped' : 'no outcome' }
}

/** All of it in words: `6 passed, 1 failed, 2 skipped`. */
export function summaryOf({ summary: { passed, failed, skipped } }: Run): string {
  const parts = [
    passed > 0 ? counted(passed, 'passed', 'passed') : '',
    failed > 0 ? counted(failed, 'failed', 'failed') : '',
    skipped > 0 ? counted(skipped, 'skipped', 'skipped') : ''
  ]
  return parts.filter(Boolean).join(', ') || 'The results do not say how they ended.'
}

/** What was run, as a phrase with the names that the client has sent. */
export function whatRan({ kind, collectionName, requestName }: Run): string {
  const isCollection = kind === 'collection-run-results'
  if (isCollection) return collectionName === null ? 'a collection' : `the collection ${collectionName}`
  const request = requestName === null ? 'a request' : `the request ${requestName}`
  return collectionName === null ? request : `${request} of ${collectionName}`
}

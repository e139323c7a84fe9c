import firestore from '@google-cloud/firestore'
import { StorageUnavailable } from '../storage.js'
import { isObject } from './documents.js'

/** The gRPC codes that this driver tells apart. */
const { CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, INVALID_ARGUMENT } = firestore.GrpcStatus
const { NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED } = firestore.GrpcStatus

type Why = 'missing' | 'exists' | 'changed' | 'contended'

const REFUSALS: ReadonlyMap<number | undefined, Why> = new Map([
  [NOT_FOUND, 'missing'],
  [ALREADY_EXISTS, 'exists'],
  [FAILED_PRECONDITION, 'changed'],
  [ABORTED, 'contended']
])

/**
 * Nothing was written: a document was `missing`, or one `exists` that must not, or one has `changed` meanwhile, or others
 * were writing the same ones.
 */
export class Refused extends StorageUnavailable {
  constructor(
    readonly why: Why,
    options: ErrorOptions
  ) {
    super(`Firestore refused a commit: ${why}.`, options)
  }
}

/** What a failed commit means: `Refused` where a condition of it did not hold. */
export function translateCommit(error: unknown): unknown {
  const why = REFUSALS.get(codeOf(error))
  return why ? new Refused(why, { cause: error }) : translate(error)
}

/**
 * What any other failure means. All that Firestore says about itself is `StorageUnavailable`; a question that it does not
 * understand stays the mistake that it is.
 */
export function translate(error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof StorageUnavailable || error instanceof TypeError || code === INVALID_ARGUMENT) return error
  if (code === FAILED_PRECONDITION) {
    // A question without its index fails with this code, and only its text, which goes into the log, says which one it is.
    return new StorageUnavailable('Firestore cannot answer. Are its indexes those of firestore.indexes.json?', {
      cause: error
    })
  }
  const said = code === undefined ? 'did not answer' : `refused (${code})`
  return new StorageUnavailable(`Firestore ${said}.`, { cause: error })
}

/** True for what Firestore itself says to a question, and not the connection to it. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && ![CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE].includes(code)
}

/** The gRPC code of a failure; undefined for one that did not come from Firestore. */
function codeOf(error: unknown): number | undefined {
  return isObject(error) && typeof error.code === 'number' ? error.code : undefined
}

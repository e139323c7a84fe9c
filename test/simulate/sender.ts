import { setTimeout as sleep } from 'node:timers/promises'
import { knownRefusal } from '../../src/http/errors.js'
import { type Answer, type F, type Sent, SPENT, UNAUTHORIZED } from '../checking/history.js'
import type { Recorder } from '../checking/recorder.js'
import { type HubPlace, type OpenHub, Unanswered } from './hubs.js'
import type { Random } from './random.js'
import type { Token } from './scene.js'
import type { Owner } from './scheduler.js'

/** Something that a client asks for. */
export interface Request<Of extends F> {
  readonly f: Of
  readonly sent: Sent<Of>
  readonly work: (hub: OpenHub) => Promise<Answer<Of>>
  /** Whose it is, where it shows a token. */
  readonly token?: Token
  /** True for what may be sent again without harm where nobody has answered. */
  readonly isRepeatable?: boolean
}

/** Sends the requests of one client and keeps what comes of each. Null where there was no answer, or a refusal. */
export type Sender = <Of extends F>(request: Request<Of>) => Promise<Answer<Of> | null>

/** What is certain not to have changed anything, whatever came of it. */
const READS: ReadonlySet<F> = new Set(['read', 'list', 'head', 'feed', 'use'])
const ATTEMPTS_MAX = 6
const AGAIN_MAX_MS = 400

export interface Sending {
  readonly random: Random
  readonly places: readonly [HubPlace, ...HubPlace[]]
  readonly recorder: Recorder
  readonly owner: Owner
  /** Draws the number of a new process. */
  readonly process: () => number
}

/** A sender with a process of its own, and another one behind each request whose outcome nobody knows. */
export function senderOf({ random, places, recorder, owner, process }: Sending): Sender {
  let mine = process()
  return async ({ f, sent, work, token, isRepeatable = false }) => {
    let place = random.pick(places)
    const handle = recorder.invoke(mine, f, sent, { hub: place.name, ...(token && { token: token.id }) })
    let isUnknown = false
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await place.ask(owner, f, work)
        handle.ok(answer)
        return answer
      } catch (error) {
        const { text, status } = refusalOf(error)
        if (status < 500 && !isUnknown) {
          handle.fail(text, status)
          return null
        }
        isUnknown = true
        if (isRepeatable && status === 503 && attempt < ATTEMPTS_MAX) {
          await sleep(random.below(AGAIN_MAX_MS))
          place = random.pick(places)
          continue
        }
        if (READS.has(f)) handle.fail(text, status)
        else {
          handle.info(text, status)
          mine = process()
        }
        return null
      }
    }
  }
}

/** What a client learns of a failure, and what a history calls it. */
function refusalOf(error: unknown): { readonly text: string; readonly status: number } {
  if (error instanceof Unanswered) return { text: error.message, status: error.isLate ? 504 : 503 }
  const refusal = knownRefusal(error)
  if (!refusal) return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), status: 500 }
  const { status, message } = refusal
  if (status === 401) return { text: UNAUTHORIZED, status }
  // Nothing is left of the budget, or others hold what is; an invitation is over.
  return { text: status === 402 || status === 429 || status === 410 ? SPENT : message, status }
}

import { LIMITS } from '../../limits.js'

/** What is known of a subscription when it is decided who has the next turn. */
export interface Candidate {
  readonly id: string
  /** Whose subscription it is: turns are shared between accounts. */
  readonly account: string
  /** Its receiver takes long again and again. */
  readonly isSlow: boolean
  readonly state: 'running' | 'due' | 'resting'
}

/** What an account has and wants of the turns. */
interface Share {
  running: number
  /** The place of its last turn in the order of all. */
  last: number
  next: Candidate | null
}

/**
 * The subscription that has the next turn, of all in the order of their last turns; null where nobody may have one now.
 *
 * The account with the fewest turns under way comes first, then the one whose last turn is the longest ago, and of its subscriptions
 * the slow ones last. An account holds fewer places than it leaves free, so whoever has none gets one at once, and slow
 * subscriptions of all accounts together hold few, however many there are.
 */
export function nextTurn(all: readonly Candidate[]): Candidate | null {
  const running = all.filter(({ state }) => state === 'running')
  const free = LIMITS.webhooksAtOnce.max - running.length
  const isRoomForSlow = running.filter(({ isSlow }) => isSlow).length < LIMITS.slowWebhooksAtOnce.max
  const shares = new Map<string, Share>()
  for (const [place, one] of all.entries()) {
    const share = shares.get(one.account) ?? { running: 0, last: place, next: null }
    shares.set(one.account, share)
    share.last = place
    if (one.state === 'running') share.running++
    const mayBeNext = one.state === 'due' && (!one.isSlow || isRoomForSlow)
    if (mayBeNext && (!share.next || (share.next.isSlow && !one.isSlow))) share.next = one
  }
  const [first] = [...shares.values()]
    .filter((share) => share.next !== null && share.running < free)
    .sort((a, b) => a.running - b.running || a.last - b.last)
  return first?.next ?? null
}

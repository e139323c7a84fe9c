import { LIMITS } from '../limits.js'

/** How long a ticket is good for. */
export const TICKET_SECONDS = 30

/** What became of a wish for a ticket. */
export type TicketIssue = 'issued' | 'tooManyOfToken' | 'tooMany'

/**
 * Tickets by the sha256 of their text, which is kept nowhere: each stands for a token, once, for `TICKET_SECONDS`. Every method
 * rejects with `ThrottleUnavailable` when the store does not answer at once.
 */
export interface Tickets {
  /** Keeps a ticket, unless its token has had as many within the last seconds as it may have, or there are too many in all. */
  issue(hash: string, tokenId: string): Promise<TicketIssue>
  /** The id of the token that a ticket stands for, the first time; null for a ticket that is unknown, used or over. */
  take(hash: string): Promise<string | null>
}

interface Ticket {
  readonly tokenId: string
  readonly end_ms: number
  isUsed: boolean
}

/** Tickets of this process alone, forgotten when it ends. `now` is in milliseconds on a clock that never goes back. */
export function createMemoryTickets(now: () => number): Tickets {
  // In the order in which they end; a used one stays until then, since it counts.
  const tickets = new Map<string, Ticket>()
  const ofToken = new Map<string, number>()
  const dropEnded = (time: number) => {
    for (const [hash, { tokenId, end_ms }] of tickets) {
      if (end_ms > time) return
      tickets.delete(hash)
      const others = (ofToken.get(tokenId) ?? 1) - 1
      if (others > 0) ofToken.set(tokenId, others)
      else ofToken.delete(tokenId)
    }
  }
  return {
    async issue(hash, tokenId) {
      const time = now()
      dropEnded(time)
      const count = ofToken.get(tokenId) ?? 0
      if (count >= LIMITS.ticketsOfToken.max) return 'tooManyOfToken'
      if (tickets.size >= LIMITS.tickets.max) return 'tooMany'
      tickets.set(hash, { tokenId, end_ms: time + TICKET_SECONDS * 1000, isUsed: false })
      ofToken.set(tokenId, count + 1)
      return 'issued'
    },
    async take(hash) {
      const ticket = tickets.get(hash)
      if (!ticket || ticket.isUsed || ticket.end_ms <= now()) return null
      ticket.isUsed = true
      return ticket.tokenId
    }
  }
}

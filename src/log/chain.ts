import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from './canonical.js'
import type { Sealed, StoredEvent } from './event.js'

/** The chain before the first event. */
export const GENESIS = '0'.repeat(64)

/** Seals a text under a fresh salt of 128 bits. */
export function seal(text: string): Sealed {
  const salt = randomBytes(16).toString('hex')
  return { text, salt, commitment: commit(salt, text) }
}

/** True unless the text is there and is not the one that was sealed. An erased text cannot contradict its commitment. */
export function isIntact({ text, salt, commitment }: Sealed): boolean {
  return text === null || salt === null || commit(salt, text) === commitment
}

/**
 * The chain value of an event, from the chain before it and its envelope; sealed texts enter by their commitment. It is
 * what the event's own `chain` must be.
 */
export function link(previous: string, event: Omit<StoredEvent, 'chain'> & { readonly chain?: string }): string {
  const { who, payload, chain: _, ...envelope } = event
  return sha256(`${previous}\n${canonicalJson({ ...envelope, who: who.commitment, payload: payload.commitment })}`)
}

function commit(salt: string, text: string): string {
  return sha256(`${salt}\n${text}`)
}

/** Lower-case hex sha256 of a text in UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

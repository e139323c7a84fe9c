import { hash, randomBytes } from 'node:crypto'
import type { Sealed, StoredEvent } from './event.js'

/** The chain before the first event. */
export const GENESIS = '0'.repeat(64)

/** Seals a text under a fresh salt of 128 bits. */
export function seal(text: string): Sealed {
  const salt = randomBytes(16).toString('hex')
  return { text, salt, commitment: commit(salt, text) }
}

/**
 * True for a text that is the one that was sealed, and for one that was erased: its salt is gone, and what may be left in its
 * place only the event of the erasure can say. A salt without its text is neither.
 */
export function isIntact({ text, salt, commitment }: Sealed): boolean {
  return salt === null || (text !== null && commit(salt, text) === commitment)
}

/**
 * The chain value of an event, from the chain before it and its envelope; sealed texts enter by their commitment. It is
 * what the event's own `chain` must be where the chain is not sealed with a key.
 */
export function link(previous: string, event: Omit<StoredEvent, 'chain'>): string {
  return sha256(linkText(previous, event))
}

/** What a link is computed of. It begins with the 64 hex digits of a chain value. */
export function linkText(previous: string, event: Omit<StoredEvent, 'chain'>): string {
  return `${previous}\n${envelopeText(event)}`
}

/**
 * The canonical JSON of an envelope, written out: its keys are always the same, so nobody has to sort them. Every chain that
 * was ever written depends on these bytes.
 */
function envelopeText(e: Omit<StoredEvent, 'chain'>): string {
  const { stringify } = JSON
  return (
    `{"actorId":${stringify(e.actorId)},"at":${stringify(e.at)},"causation":${e.causation},` +
    `"commandId":${stringify(e.commandId)},"correlationId":${stringify(e.correlationId)},` +
    `"payload":${stringify(e.payload.commitment)},"position":${e.position},"requestId":${stringify(e.requestId)},` +
    `"schema":${e.schema},"stream":${stringify(e.stream)},"tokenId":${stringify(e.tokenId)},` +
    `"type":${stringify(e.type)},"version":${e.version},"who":${stringify(e.who.commitment)}}`
  )
}

function commit(salt: string, text: string): string {
  return sha256(`${salt}\n${text}`)
}

/** Lower-case hex sha256 of a text in UTF-8. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

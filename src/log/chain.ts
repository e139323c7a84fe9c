import { createHash, createHmac, createSecretKey, hash, randomFillSync } from 'node:crypto'
import type { Head, Sealed, StoredEvent } from './event.js'

/** The chain before the first event. */
export const GENESIS = '0'.repeat(64)

const SALT_BYTES = 16
// Asking the system for many at once takes as long as asking it for one.
const salts = Buffer.alloc(256 * SALT_BYTES)
let drawn = salts.length

/** Seals a text under a fresh salt of 128 bits. */
export function seal(text: string): Sealed {
  if (drawn === salts.length) {
    randomFillSync(salts)
    drawn = 0
  }
  const salt = salts.toString('hex', drawn, drawn + SALT_BYTES)
  drawn += SALT_BYTES
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
function linkText(previous: string, event: Omit<StoredEvent, 'chain'>): string {
  return `${previous}\n${envelopeText(event)}`
}

/**
 * The canonical JSON of an envelope: its keys are always the same and stand here in their order, so nobody has to sort them. Every
 * chain that was ever written depends on these bytes.
 */
function envelopeText(e: Omit<StoredEvent, 'chain'>): string {
  return JSON.stringify({
    actorId: e.actorId,
    at: e.at,
    causation: e.causation,
    commandId: e.commandId,
    correlationId: e.correlationId,
    payload: e.payload.commitment,
    position: e.position,
    requestId: e.requestId,
    schema: e.schema,
    stream: e.stream,
    tokenId: e.tokenId,
    type: e.type,
    version: e.version,
    who: e.who.commitment
  })
}

function commit(salt: string, text: string): string {
  return sha256(`${salt}\n${text}`)
}

/** Lower-case hex sha256 of a text in UTF-8. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

/** The type of event from which on the chain is sealed with another key. */
export const CHAIN_SEALED = 'ChainSealed'

/** The chain value of an event, from the chain before it. */
export type Link = (previous: string, event: Omit<StoredEvent, 'chain'>) => string

/** How events are linked and the log's head is sealed: with a key, or plainly. */
export interface Sealing {
  /** The fingerprint of the key, which tells nothing of it; null where there is none. */
  readonly keyId: string | null
  readonly link: Link
  /** What the head's `seal` has to be; undefined where there is no key. */
  readonly sealHead: (head: Head) => string | undefined
}

/** Without a key: whoever knows the log can continue it. */
export const PLAIN: Sealing = { keyId: null, link, sealHead: () => undefined }

/** With a key: nobody else can append an event, write one anew, or say that the log ends earlier. */
export function sealingWith(secret: Buffer): Sealing {
  const key = createSecretKey(secret)
  const hmac = (text: string) => createHmac('sha256', key).update(text)
  const keyId = createHash('sha256').update('collections-hub chain key\n').update(secret).digest('hex').slice(0, 16)
  return {
    keyId,
    link: (previous, event) => hmac(linkText(previous, event)).digest('hex'),
    // No link begins with this word, so none can be taken for a head.
    sealHead: ({ position, chain, at, generation }) =>
      `${keyId}.${hmac(`head\n${position}\n${chain}\n${at}\n${generation}`).digest('base64url')}`
  }
}

/** The id of the key that a head is sealed with; null where it is not. */
export function keyIdOf({ seal }: Head): string | null {
  return seal?.split('.')[0] ?? null
}

/** True where the head is one that the sealing has made. */
export function isSealedBy(sealing: Sealing, head: Head): boolean {
  return head.seal === sealing.sealHead(head)
}

/** The keys at hand: the one in force, and those that were before it. */
export interface Keyring {
  readonly inForce: Sealing
  readonly former: readonly Sealing[]
}

/** A keyring without keys. */
export const NO_KEYS: Keyring = { inForce: PLAIN, former: [] }

/** The sealing with the key of an id, null standing for none; undefined where the key is not at hand. */
export function sealingOf({ inForce, former }: Keyring, keyId: string | null): Sealing | undefined {
  return [PLAIN, inForce, ...former].find((sealing) => sealing.keyId === keyId)
}

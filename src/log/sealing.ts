import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { link, linkText } from './chain.js'
import type { Head, StoredEvent } from './event.js'

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

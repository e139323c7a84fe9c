import { createHmac } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, errors as joseErrors } from 'jose'
import { errors } from '../errors.js'
import type { ExpiringTexts } from '../throttle/expiringTexts.js'

const DIRECTLY = { alg: 'dir', enc: 'A256GCM' } as const

/**
 * What of programs that ask for tokens is on its way, kept beside the tickets. Who reads the store has neither names nor texts of it:
 * names are kept as keyed hashes, texts are encrypted, both by the key that the hubs of a database share.
 */
export interface Store {
  get(kind: string, name: string): Promise<string | null>
  /** 503 where there is no room for more of its kind. */
  set(kind: string, name: string, text: string, seconds: number): Promise<void>
  /** True for the first who asks within so many seconds: of several together one alone. */
  claim(kind: string, name: string, seconds: number): Promise<boolean>
  /** The how many-eth it is of this name, within so many seconds from the first. */
  count(kind: string, name: string, seconds: number): Promise<number>
  delete(kind: string, name: string): Promise<void>
}

/** One in what is kept, under a key that is nowhere in it. */
export function storeIn(texts: ExpiringTexts, key: Buffer): Store {
  const encryptionKey = createHmac('sha256', key).update('texts').digest()
  const keyOf = (kind: string, name: string) =>
    `oauth:${kind}:${createHmac('sha256', key).update(`${kind}:${name}`).digest('base64url')}`
  return {
    async get(kind, name) {
      const sealed = await texts.get(keyOf(kind, name))
      return sealed === null ? null : opened(sealed, encryptionKey)
    },
    async set(kind, name, text, seconds) {
      const sealed = await new CompactEncrypt(Buffer.from(text)).setProtectedHeader(DIRECTLY).encrypt(encryptionKey)
      if (!(await texts.set(keyOf(kind, name), sealed, seconds))) throw errors.authorizationFull()
    },
    claim: (kind, name, seconds) => texts.claim(keyOf(kind, name), seconds),
    count: (kind, name, seconds) => texts.count(keyOf(kind, name), seconds),
    delete: (kind, name) => texts.delete(keyOf(kind, name))
  }
}

/** The text; null where it was sealed with another key. */
async function opened(sealed: string, key: Uint8Array): Promise<string | null> {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: [DIRECTLY.alg],
      contentEncryptionAlgorithms: [DIRECTLY.enc]
    })
    return Buffer.from(plaintext).toString()
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) return null
    throw error
  }
}

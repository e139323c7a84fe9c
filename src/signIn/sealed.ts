import { CompactEncrypt, compactDecrypt, EncryptJWT, errors, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { MADE_KEYS } from '../config/keys.js'
import { keyMadeIn } from '../lib/keyFile.js'

/** How long a sign-in may be on its way. */
export const ON_ITS_WAY_SECONDS = 600

const onItsWay = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Whose account it is to be bound to; null to sign in. */
  bindTo: z.string().nullable(),
  /** The token of the session that the browser had when it left; null where it had none. One of an older release does not say. */
  replaces: z.string().nullable().default(null)
})
/** What a browser keeps of a sign-in while it is at the provider. */
export type OnItsWay = Readonly<z.infer<typeof onItsWay>>

/** Seals what others keep, so that they cannot read or change it. */
export interface Seals {
  /** What a browser keeps: in ten minutes it is none any more. */
  seal(content: OnItsWay): Promise<string>
  /** What was sealed; null for what was not sealed here, or too long ago. */
  open(sealed: string): Promise<OnItsWay | null>
  /** What the database keeps, as long as it likes. */
  sealText(text: string): Promise<string>
  /** The text; null for what was not sealed with this key. */
  openText(sealed: string): Promise<string | null>
}

const DIRECTLY = { alg: 'dir', enc: 'A256GCM' } as const
const BY_KEY = { keyManagementAlgorithms: [DIRECTLY.alg], contentEncryptionAlgorithms: [DIRECTLY.enc] }

/** Seals with the key in a file, which all hubs of a database share. Throws `UnusableKey`. */
export function sealsWith(keyFile: string): Seals {
  const key = new Uint8Array(keyMadeIn(keyFile, MADE_KEYS.signIn))
  return {
    seal: (content) =>
      new EncryptJWT(content)
        .setProtectedHeader(DIRECTLY)
        .setIssuedAt()
        .setExpirationTime(`${ON_ITS_WAY_SECONDS}s`)
        .encrypt(key),
    open: (sealed) =>
      nullIfForeign(async () => onItsWay.safeParse((await jwtDecrypt(sealed, key, BY_KEY)).payload).data ?? null),
    sealText: (text) => new CompactEncrypt(Buffer.from(text)).setProtectedHeader(DIRECTLY).encrypt(key),
    openText: (sealed) =>
      nullIfForeign(async () => Buffer.from((await compactDecrypt(sealed, key, BY_KEY)).plaintext).toString())
  }
}

async function nullIfForeign<T>(open: () => Promise<T>): Promise<T | null> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

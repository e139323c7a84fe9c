import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { keyFileBytes } from '../lib/keyFile.js'

/** How long a sign-in may be on its way. */
export const ON_ITS_WAY_SECONDS = 600

const onItsWay = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Whose account it is to be bound to; null to sign in. */
  bindTo: z.string().nullable()
})
/** What a browser keeps of a sign-in while it is at the provider. */
export type OnItsWay = Readonly<z.infer<typeof onItsWay>>

/** Seals what a browser keeps, so that it cannot read or change it, and what was sealed ten minutes ago is none any more. */
export interface Seals {
  seal(content: OnItsWay): Promise<string>
  /** What was sealed; null for what was not sealed here, or too long ago. */
  open(sealed: string): Promise<OnItsWay | null>
}

/** Seals with the key in a file, which all hubs of a database share. Throws what the file system says. */
export function sealsWith(keyFile: string): Seals {
  const key = new Uint8Array(keyFileBytes(keyFile))
  return {
    seal: (content) =>
      new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuedAt()
        .setExpirationTime(`${ON_ITS_WAY_SECONDS}s`)
        .encrypt(key),
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM']
        })
        return onItsWay.safeParse(payload).data ?? null
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    }
  }
}

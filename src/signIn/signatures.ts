import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { ProviderUnreachable, type providerFetch } from './fetch.js'

/** How far clocks may be apart. */
export const CLOCK_SECONDS = 30
/** What was signed longer ago is not believed any more, whatever it says of its own end. */
const SIGNED_SECONDS_MAX = 600
/** Where nobody knows who sends a token, keys are not asked for again more often: anybody can name a key that there is not. */
const KEYS_EVERY_MS = 5000
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** What a provider has signed, by the keys that it hands out. Both reject with what `jose` says, or `ProviderUnreachable`. */
export interface Signatures {
  /** The claims of a token that the provider itself has sent: where no key fits, its keys are asked for again. */
  sent(token: string): Promise<JWTPayload>
  /** The claims of a token that anybody may have sent. */
  brought(
    token: string,
    required: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'>
  ): Promise<JWTPayload>
}

/** Verifies with the keys at this address. */
export function signaturesBy(address: URL, fetch: ReturnType<typeof providerFetch>): Signatures {
  const keys = createRemoteJWKSet(address, {
    cooldownDuration: KEYS_EVERY_MS,
    [customFetch]: async (url, { method, headers }) => {
      const answer = await fetch(url, { method, headers: Object.fromEntries(headers) })
      if (!answer.ok) throw new ProviderUnreachable('The provider does not hand out its keys.')
      return answer
    }
  })
  const always = { algorithms: ALGORITHMS, clockTolerance: CLOCK_SECONDS, maxTokenAge: SIGNED_SECONDS_MAX }
  const brought: Signatures['brought'] = async (token, required) =>
    (await jwtVerify(token, keys, { ...required, ...always })).payload
  return {
    brought,
    async sent(token) {
      try {
        return await brought(token, {})
      } catch (error) {
        if (!mayBeRotated(error)) throw error
        await keys.reload()
        return brought(token, {})
      }
    }
  }
}

function mayBeRotated(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
}

import { publicUrl } from '../net/serverUrl.js'
import { type Check, detailOf, type Finding, failed, finding, skipped, warning } from './check.js'
import type { DoctorPorts } from './doctorPorts.js'

/** Further apart than this, what providers sign is not valid yet, or not any more. */
const CLOCKS_APART_MS = 20_000
const DISCOVERY =
  'See that this machine may reach it, and that issuer is what the provider calls itself: ISSUER/.well-known/openid-configuration says it.'

/** Each provider of sign-in says what the hub needs of it, and leads browsers back to where the hub is. */
export const signIns: Check<DoctorPorts> = {
  name: 'sign-in',
  async run({ config, askSignInProvider }) {
    const { signIn, server } = config()
    if (!signIn) return skipped('People sign in with tokens alone.')
    const asked = signIn.providers.map(async (provider): Promise<Finding> => {
      const told = { subject: provider.id }
      try {
        const { keys, clock_ms } = await askSignInProvider(provider)
        if (keys === 0) return failed('It has no key that ID tokens could be signed with.', DISCOVERY, told)
        if (Math.abs(clock_ms) > CLOCKS_APART_MS)
          return warning(
            `Its clock and that of this machine are ${Math.round(Math.abs(clock_ms) / 1000)} seconds apart.`,
            'Keep both right by NTP.',
            told
          )
        return finding('ok', `It answers. It leads back to ${redirectAddress(server, provider.id)}.`, undefined, told)
      } catch (error) {
        return failed('It cannot be used.', DISCOVERY, { ...told, detail: detailOf(error) })
      }
    })
    return [...(await Promise.all(asked)), ...addressFindings(server.publicUrl)]
  }
}

function redirectAddress(server: Parameters<typeof publicUrl>[0], id: string): string {
  return `${publicUrl(server).replace(/\/+$/, '')}/auth/sign-in/${id}/callback`
}

function addressFindings(address: string | undefined): readonly Finding[] {
  if (address !== undefined) return []
  const text = 'server.publicUrl is not set, so providers lead browsers to this machine alone.'
  return [failed(text, 'Set server.publicUrl to the address that people reach the hub at.')]
}

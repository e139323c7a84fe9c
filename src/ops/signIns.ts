import { groupsTable } from '../../projections/groups.js'
import { nameKey } from '../../projections/keys.js'
import type { SignInProviderConfig } from '../config/types.js'
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
  async run({ config, askSignInProvider, storage }) {
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
    const groups = await groupFindings(signIn.providers, storage)
    return [...(await Promise.all(asked)), ...addressFindings(server.publicUrl), ...groups]
  }
}

/** Rules that name groups which are not there. What keeps the database from answering, another check tells. */
async function groupFindings(
  providers: readonly SignInProviderConfig[],
  storage: DoctorPorts['storage']
): Promise<readonly Finding[]> {
  const named = providers.flatMap(({ id, groupRules }) => groupRules.map(({ group }) => ({ id, group })))
  if (named.length === 0) return []
  try {
    const { rows, head } = await storage()
    const groups = await rows((await head()).generation).list(groupsTable, 'byName', [], { body: false })
    const there = new Set(groups.map((row) => row.nameKey))
    return named
      .filter(({ group }) => !there.has(nameKey(group)))
      .map(({ id, group }) =>
        warning(
          `A rule names the group "${group}", which is not there, and makes nobody a member.`,
          `Make it: \`hub group create --name "${group}"\`, or take the rule away.`,
          { subject: id }
        )
      )
  } catch {
    return []
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

import { nameKey } from '../../commands/keys.js'
import { membershipsOf } from '../../commands/people/group/membership.js'
import { groupsTable } from '../../commands/people/group/table.js'
import { nameOf } from '../../commands/record.js'
import type { UserRow } from '../../queries/callers.js'
import { listUsers } from '../../queries/users.js'
import type { SignInProviderConfig } from '../config/types.js'
import { publicUrl } from '../net/serverUrl.js'
import { type Check, detailOf, type Finding, failed, finding, skipped, warning } from './check.js'
import type { DoctorPorts } from './doctorPorts.js'

/** Further apart than this, what providers sign is not valid yet, or not any more. */
const CLOCKS_APART_MS = 20_000
/** More are not named one by one. */
const NAMED_MAX = 20
const DISCOVERY =
  'See that this machine may reach it, and that issuer is what the provider calls itself: ISSUER/.well-known/openid-configuration says it.'

/** Each provider of sign-in says what the hub needs of it, and leads browsers back to where the hub is. */
export const signIns: Check<DoctorPorts> = {
  name: 'sign-in',
  async run({ config, askSignInProvider, storage }) {
    const { signIn, server } = config()
    if (!signIn) {
      const left = await groupFindings([], storage)
      return left.length > 0 ? left : skipped('People sign in with tokens alone.')
    }
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

/** Rules that name groups which are not there, and members by rules that are not. What keeps the database from answering, another check tells. */
async function groupFindings(
  providers: readonly SignInProviderConfig[],
  storage: DoctorPorts['storage']
): Promise<readonly Finding[]> {
  const named = providers.flatMap(({ id, groupRules }) => groupRules.map(({ value, group }) => ({ id, value, group })))
  try {
    const { rows, head } = await storage()
    const read = rows((await head()).generation)
    const groups = await read.list(groupsTable, 'byName', [], { body: false })
    const there = new Set(groups.map((row) => row.nameKey))
    const missing = named
      .filter(({ group }) => !there.has(nameKey(group)))
      .map(({ id, group }) =>
        warning(
          `A rule names the group "${group}", which is not there, and makes nobody a member.`,
          `Make it: \`hub group create --name "${group}"\`, or take the rule away.`,
          { subject: id }
        )
      )
    const rules = new Set(named.map(({ id, value }) => `${id}:${value}`))
    const ids = new Set(groups.map(({ id }) => id))
    return [...missing, ...leftFindings(rules, ids, await listUsers(read))]
  } catch {
    return []
  }
}

/** Accounts that are in groups by rules which the configuration has no more: they leave them as they sign in, but a token needs no sign-in. */
function leftFindings(
  rules: ReadonlySet<string>,
  groups: ReadonlySet<string>,
  users: readonly UserRow[]
): readonly Finding[] {
  const left = new Map<string, string[]>()
  for (const user of users)
    for (const { id, rule } of membershipsOf(user))
      if (rule !== null && groups.has(id) && !rules.has(rule)) left.set(rule, [...(left.get(rule) ?? []), nameOf(user)])
  return [...left].map(([rule, names]) => {
    const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
    return warning(
      `The configuration has no rule "${rule}" any more, by which these are in a group: ${names.slice(0, NAMED_MAX).join(', ')}${more}.`,
      'They leave it with their next sign-in. To take them out before, run `hub group remove`.'
    )
  })
}

function redirectAddress(server: Parameters<typeof publicUrl>[0], id: string): string {
  return `${publicUrl(server).replace(/\/+$/, '')}/auth/sign-in/${id}/callback`
}

function addressFindings(address: string | undefined): readonly Finding[] {
  if (address !== undefined) return []
  const text = 'server.publicUrl is not set, so providers lead browsers to this machine alone.'
  return [failed(text, 'Set server.publicUrl to the address that people reach the hub at.')]
}

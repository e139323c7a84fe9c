import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { emitImported } from '../../commands/takeover/events.js'
import { bootstrapUser } from './records.js'
import type { Sink } from './sink.js'
import type { LegacySource } from './source.js'
import { BOOTSTRAP_ID, BOOTSTRAP_NAME, type People, personOf } from './users.js'

/** What of the hub that takes over must be known. */
export interface Here {
  /** The accounts by their names, with their ids. */
  readonly names: ReadonlyMap<string, string>
  /** The id of the token or invitation whose secret has this hash; null where there is none. */
  readonly holderOf: (kind: Secret, hash: string) => Promise<string | null>
}
export type Secret = 'token' | 'invitation'

/** Takes tokens and invitations over, and returns when each token was used last. Tokens without an owner go to `bootstrapId`, or where it is null to an account of their own. */
export async function tokens(
  source: LegacySource,
  sink: Sink,
  people: People,
  bootstrapId: string | null,
  here: Here,
  now: string
): Promise<ReadonlyMap<string, string>> {
  const isFree = secretsOf(here)
  const uses = new Map<string, string>()
  let hasOwnerless = false
  for await (const token of source.records('api_tokens')) {
    const { id, name, tokenPrefix: prefix, createdAt, revokedAt, lastUsedAt } = token
    const hash = token.tokenHash.toLowerCase()
    const userId = token.userId === null ? (bootstrapId ?? BOOTSTRAP_ID) : personOf(people, token.userId)
    if (userId === null) source.refuse('api_tokens', id, 'its user is gone')
    else if (!(await isFree('token', id, hash))) source.refuse('api_tokens', id, 'another token has its secret')
    else {
      if (token.userId === null && !hasOwnerless) {
        hasOwnerless = true
        if (bootstrapId === null) await sink.add(source, 'users', bootstrapUser(now))
        const which = bootstrapId === null ? '' : ` that is there (${bootstrapId}), with the access that it has`
        source.report('api_tokens').notes.push(`Tokens without an owner go to the user "${BOOTSTRAP_NAME}"${which}.`)
      }
      if (userId === SYSTEM_ID && revokedAt === null)
        source.report('api_tokens').notes.push(systemNote(id, name, prefix))
      const data = { userId, name, prefix, hash, createdAt, revokedAt, ...makers(people, token) }
      const isTaken = await sink.add(source, 'api_tokens', emitImported(id, 'TokenImported', data))
      if (isTaken && lastUsedAt !== null) uses.set(id, lastUsedAt)
    }
  }
  for await (const invitation of source.records('user_invitations')) {
    const { id, codePrefix: prefix, createdAt, expiresAt, redeemedAt, revokedAt } = invitation
    const hash = invitation.codeHash.toLowerCase()
    const userId = personOf(people, invitation.userId)
    if (userId === null) source.refuse('user_invitations', id, 'its user is gone')
    else if (!(await isFree('invitation', id, hash)))
      source.refuse('user_invitations', id, 'another invitation has its secret')
    else {
      const times = { createdAt, expiresAt, redeemedAt, revokedAt }
      const data = { userId, prefix, hash, ...times, ...makers(people, invitation) }
      await sink.add(source, 'user_invitations', emitImported(id, 'InvitationImported', data))
    }
  }
  return uses
}

interface Made {
  readonly createdByUserId: string | null
  readonly updatedByUserId: string | null
}
const makers = (people: People, { createdByUserId, updatedByUserId }: Made) => ({
  createdBy: personOf(people, createdByUserId),
  updatedBy: personOf(people, updatedByUserId)
})

/** Nobody manages tokens of the system account over HTTP, so the report has to say which there are. */
function systemNote(id: string, name: string, prefix: string): string {
  return `${id} "${name}" (${prefix}) opens the hub as an administrator, the internal account. To withdraw it: hub user token revoke ${id}`
}

/** Tells whether nobody else has a secret, neither here nor among those that were asked about before. */
function secretsOf(here: Here) {
  const seen = new Set<string>()
  return async (kind: Secret, id: string, hash: string): Promise<boolean> => {
    const isFree = !seen.has(`${kind} ${hash}`) && ((await here.holderOf(kind, hash)) ?? id) === id
    seen.add(`${kind} ${hash}`)
    return isFree
  }
}

import { z } from 'zod'
import { name } from '../../commands/content.js'
import type { Provisioned } from '../../commands/people/directory/decide.js'
import { detailsOf } from '../../commands/people/directory/details.js'
import { versionOf } from '../../commands/people/directory/version.js'
import { groupIn, groupsOf } from '../../commands/people/group/membership.js'
import type { UserRow } from '../../queries/callers.js'
import { boundedText, LIMITS, listOf } from '../limits.js'
import type { ReadStore } from '../storage/storage.js'
import { inAnyCase } from './anyCase.js'
import { USER_SCHEMA } from './library.js'

const text = boundedText(LIMITS.label)
  .nullish()
  .transform((value) => value || null)
/** Some directories send yes and no as texts, in whatever case. */
const yes = z.union([
  z.boolean(),
  boundedText(LIMITS.id)
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true')
])
const email = inAnyCase(
  z.object({
    value: text.describe('The address.'),
    type: text.optional().describe('What it is for: `work`, for one.'),
    primary: yes.optional().describe('True for the one that is kept of several.')
  })
)

/** A user as a directory sends one (RFC 7643, section 4.1), of which the hub keeps this and leaves out the rest. */
export const sentUser = inAnyCase(
  z.object({
    userName: name.describe('What the account is called, unlike any other.'),
    externalId: text.describe('What the directory knows them by.'),
    active: yes
      .nullish()
      .transform((value) => value ?? null)
      .describe('False for whom nothing is let in as; left out, that stays as it is.'),
    displayName: text.describe('What people call them.'),
    name: inAnyCase(
      z.object({ givenName: text.describe('The first names.'), familyName: text.describe('The last names.') })
    )
      .nullish()
      .describe('Their name in its parts.'),
    emails: listOf(email, LIMITS.scimValues, `At most ${LIMITS.scimValues.max} mail addresses.`)
      .nullish()
      .describe('Their mail addresses, of which the primary is kept, else that of work, else the first.')
  })
)

/** What the hub keeps of what a directory says of somebody. */
export function provisioned({ userName, active, ...sent }: z.infer<typeof sentUser>): Provisioned {
  const emails = (sent.emails ?? []).filter((one) => one.value !== null)
  const ofWork = emails.find(({ type }) => type?.toLowerCase() === 'work')
  const { value = null } = emails.find(({ primary }) => primary) ?? ofWork ?? emails[0] ?? {}
  const details = {
    externalId: sent.externalId,
    displayName: sent.displayName,
    givenName: sent.name?.givenName ?? null,
    familyName: sent.name?.familyName ?? null,
    email: value
  }
  return { name: userName, isActive: active, details }
}

/** An account as directories see one, below this address. */
export async function userResource(row: UserRow, base: string, read: Pick<ReadStore, 'get'>) {
  const { externalId, displayName, givenName, familyName, email } = detailsOf(row)
  const rows = row.groups === null ? [] : await groupsOf(row, read)
  const groups = rows.map((one) => ({ value: one.id, display: groupIn(one).name }))
  const told = groups.map(({ value, display }) => `${value} ${display}`)
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...(externalId !== null && { externalId }),
    userName: row.name,
    ...((givenName ?? familyName) !== null && {
      name: { ...(familyName !== null && { familyName }), ...(givenName !== null && { givenName }) }
    }),
    ...(displayName !== null && { displayName }),
    active: row.disabledAt === null,
    ...(email !== null && { emails: [{ value: email, type: 'work', primary: true }] }),
    ...(groups.length > 0 && { groups }),
    meta: {
      resourceType: 'User',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${base}/Users/${row.id}`,
      version: `W/"${versionOf(row.revision, told)}"`
    }
  }
}

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import type { Caller } from '../../../commands/context.js'
import { nameKey } from '../../../commands/keys.js'
import { requireManager } from '../../../commands/people/grant/decide.js'
import { GRANT_ROLES } from '../../../commands/people/user/events.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { nounOf } from '../../../commands/records/kind.js'
import { kinds, LOCKABLES, type Lockable } from '../../../commands/records/kinds.js'
import { sharingOf } from '../../../queries/sharing.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'
import type { ReadStore } from '../../storage/storage.js'
import { sharingOperations } from '../access.js'
import { listAnswer, oneOf } from '../answers.js'
import { named } from '../openapi/names.js'
import { done, json } from '../reply.js'
import { idParams, routes } from '../route.js'

const sharing = named('Sharing', 'Somebody who has a record, and what they may do with it.', {
  userId: z.string().describe('The id of the account.'),
  name: z.string().describe('What it is called.'),
  role: z.enum(GRANT_ROLES).describe('What it may do: `viewer`, `editor` or `manager`.'),
  by: z
    .enum(['list', 'grant', 'group'])
    .describe(
      'Whether its access list holds the record, it was given to it, which can be taken back here, or a group has it.'
    ),
  group: z.string().optional().describe('What the group is called; left out where it is not by one.')
})
const person = idParams.extend({
  user: boundedText(LIMITS.label).describe('The account: its id, or its name in whatever case.')
})
const given = z.object({ role: z.enum(GRANT_ROLES).describe('What the account may do with it.') })

export const grantInput = z.object({
  kind: z.enum(LOCKABLES).describe('The kind of the record, which stands on its own.'),
  id: id.describe('The id of the record.'),
  role: given.shape.role
})
const allGrants = z.object({
  grants: listOf(grantInput, LIMITS.accessList, `An account has at most ${LIMITS.accessList.max} grants.`).describe(
    'All of them, in place of those before.'
  )
})

/** Who has a record that stands on its own: its managers share it, without an administrator. */
export function grantRoutes(app: FastifyInstance): void {
  for (const kind of LOCKABLES) sharingRoutes(app, kind)

  routes(app, 'users')('PUT', '/admin/users/:id/grants', 'setGrants', null, {
    summary: 'Say what an account has beside its access lists',
    about:
      'In place of what it had so. What of it is deleted by now is left out. A viewer looks at a record, an editor changes it as a list allows, a manager shares it as well. What a list holds may be changed, whatever is granted. Administrators have none.',
    takesIfMatch: true,
    body: allGrants,
    takes: 'content',
    handle: ({ params, body, ifRevision, run }) =>
      done(run({ type: 'SetGrants', userId: params.id, grants: body.grants, ifRevision }))
  })
}

/** The routes by which managers of a kind of record say who has one. */
function sharingRoutes(app: FastifyInstance, kind: Lockable): void {
  const route = routes(app, 'users')
  const { path } = kinds[kind]
  const operations = sharingOperations(kind)
  const [one, the] = [oneOf(kinds[kind]), `the ${nounOf(kinds[kind])}`]

  route('GET', `/${path}/:id/sharing`, operations.list, listAnswer('sharing', sharing), {
    summary: `List who has ${one}`,
    about: `For administrators, for managers of ${the}, and for who has made it. By name; administrators, who have all, are not among them.`,
    handle: async ({ readModel, params, caller }) => {
      await requireManager(caller, kind, params.id, readModel)
      return json({ sharing: await sharingOf(readModel, kind, params.id) })
    }
  })

  route('PUT', `/${path}/:id/sharing/:user`, operations.share, null, {
    summary: `Give somebody a role on ${one}`,
    about:
      'In place of the role that they had by a grant. 409 where their access list has it already, which only an administrator changes; nobody gives themselves one.',
    params: person,
    body: given,
    refuses: [409],
    handle: async ({ readModel, params, body, caller, run }) => {
      const userId = await sharedTo(kind, params, caller, readModel)
      return done(run({ type: 'GrantAccess', userId, kind, id: params.id, role: body.role }))
    }
  })

  route('DELETE', `/${path}/:id/sharing/:user`, operations.unshare, null, {
    summary: `Take from somebody what they were given of ${one}`,
    about: 'It is in force with their next request. What their access list has only an administrator takes away (409).',
    params: person,
    refuses: [409],
    handle: async ({ readModel, params, caller, run }) => {
      const userId = await sharedTo(kind, params, caller, readModel)
      return done(run({ type: 'GrantAccess', userId, kind, id: params.id, role: null }))
    }
  })
}

/** The account that a record is shared with, by its id or its name; 404 where either is not there. Who may not share learns of neither. */
async function sharedTo(
  kind: Lockable,
  { id: recordId, user }: z.infer<typeof person>,
  caller: Caller,
  read: ReadStore
): Promise<string> {
  await requireManager(caller, kind, recordId, read)
  const { success, data } = id.safeParse(user)
  if (success && (await read.get(usersTable, data))) return data
  const [row] = await read.list(usersTable, 'byNameKey', [nameKey(user)], { limit: 1, body: false })
  if (!row) throw errors.notFound('User')
  return row.id
}

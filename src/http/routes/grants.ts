import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { allows, type Caller } from '../../../commands/context.js'
import { requireManager } from '../../../commands/people/grant/decide.js'
import { grantsOf } from '../../../commands/people/grant/grants.js'
import { GRANT_ROLES } from '../../../commands/people/user/events.js'
import { lockables } from '../../../commands/records/kinds.js'
import { nameKey } from '../../../projections/keys.js'
import { usersTable } from '../../../projections/users.js'
import { accountOf, type UserRow } from '../../../queries/callers.js'
import { listUsers } from '../../../queries/users.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'
import type { ReadStore } from '../../storage/storage.js'
import { listAnswer } from '../answers.js'
import { named } from '../openapi/names.js'
import { json, noContent } from '../reply.js'
import { declared, routes } from '../route.js'
import { byId, idParams } from './input.js'

const sharing = named('Sharing', 'Somebody who has a collection, and what they may do with it.', {
  userId: z.string().describe('The id of the account.'),
  name: z.string().describe('What it is called.'),
  role: z.enum(GRANT_ROLES).describe('What it may do: `viewer`, `editor` or `manager`.'),
  by: z
    .enum(['list', 'grant'])
    .describe('Whether its access list holds the collection, or it was given to it: only that can be taken back here.')
})
const person = idParams.extend({
  user: boundedText(LIMITS.label).describe('The account: its id, or its name in whatever case.')
})
const given = z.object({ role: z.enum(GRANT_ROLES).describe('What the account may do with it.') })

const grantInput = z.object({
  kind: z.enum(lockables.map(({ kind }) => kind)).describe('The kind of the record, which stands on its own.'),
  id: id.describe('The id of the record.'),
  role: given.shape.role
})
const allGrants = z.object({
  grants: listOf(grantInput, LIMITS.accessList, `An account has at most ${LIMITS.accessList.max} grants.`).describe(
    'All of them, in place of those before.'
  )
})

/** Who has a collection: its managers share it, without an administrator. */
export function grantRoutes(app: FastifyInstance): void {
  const route = routes(app, 'users')

  const list = declared('listSharing', 'List who has a collection', listAnswer('sharing', sharing), {
    params: idParams,
    about:
      'For administrators, for managers of the collection, and for who has made it. By name; administrators, who have all, are not among them.'
  })
  route('GET', '/collections/:id/sharing', list, async ({ hub, params, caller }) => {
    const { readModel } = hub.ledger
    await requireManager(caller, 'collection', params.id, readModel)
    const people = (await listUsers(readModel)).flatMap((row) => sharedWith(row, params.id))
    return json({ sharing: people })
  })

  const giving = declared('shareCollection', 'Give somebody a role on a collection', null, {
    params: person,
    body: given,
    refuses: [409],
    about:
      'In place of the role that they had by a grant. 409 where their access list has it already, which only an administrator changes; nobody gives themselves one.'
  })
  route('PUT', '/collections/:id/sharing/:user', giving, async ({ hub, params, body, caller, run }) => {
    const userId = await sharedTo(params, caller, hub.ledger.readModel)
    await run({ type: 'GrantAccess', userId, kind: 'collection', id: params.id, role: body.role })
    return noContent
  })

  const setting = declared('setGrants', 'Say what an account has beside its access lists', null, {
    ...byId,
    body: allGrants,
    takes: 'content',
    about:
      'In place of what it had so. A viewer looks at a record, an editor changes it as a list allows, a manager of a collection shares it as well. What a list holds may be changed, whatever is granted. Administrators have none.'
  })
  route('PUT', '/admin/users/:id/grants', setting, async ({ params, body, run }) => {
    await run({ type: 'SetGrants', userId: params.id, grants: body.grants })
    return noContent
  })

  const taking = declared('unshareCollection', 'Take from somebody what they were given of a collection', null, {
    params: person,
    refuses: [409],
    about: 'It is in force with their next request. What their access list has only an administrator takes away (409).'
  })
  route('DELETE', '/collections/:id/sharing/:user', taking, async ({ hub, params, caller, run }) => {
    const userId = await sharedTo(params, caller, hub.ledger.readModel)
    await run({ type: 'GrantAccess', userId, kind: 'collection', id: params.id, role: null })
    return noContent
  })
}

function sharedWith(row: UserRow, collectionId: string) {
  const account = accountOf(row)
  if (account.role === 'admin') return []
  const told = { userId: row.id, name: account.name }
  if (allows(account.collectionAccess, collectionId)) return [{ ...told, role: 'editor', by: 'list' }]
  const grant = grantsOf(row).find(({ kind, id }) => kind === 'collection' && id === collectionId)
  return grant ? [{ ...told, role: grant.role, by: 'grant' }] : []
}

/** The account that a collection is shared with, by its id or its name; 404 where either is not there. Who may not share learns of neither. */
async function sharedTo(
  { id: collectionId, user }: z.infer<typeof person>,
  caller: Caller,
  read: ReadStore
): Promise<string> {
  await requireManager(caller, 'collection', collectionId, read)
  const { success, data } = id.safeParse(user)
  if (success && (await read.get(usersTable, data))) return data
  const [row] = await read.list(usersTable, 'byNameKey', [nameKey(user)], { limit: 1, body: false })
  if (!row) throw errors.notFound('User')
  return row.id
}

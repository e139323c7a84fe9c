import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, id, name } from '../../../commands/content.js'
import { GROUP } from '../../../commands/people/group/decide.js'
import { group as content } from '../../../commands/people/group/events.js'
import { existing } from '../../../commands/records/kind.js'
import { groupsTable } from '../../../projections/groups.js'
import { allGroups, type GroupRow, groupRecord } from '../../../queries/groups.js'
import { membersOf } from '../../directory/members.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'
import { fieldsOf, group, listAnswer, member } from '../answers.js'
import { freshList } from '../lists.js'
import { paged } from '../paging.js'
import { json, noContent, record } from '../reply.js'
import { declared, routes } from '../route.js'
import { changedAccess, newAccess } from './accessInput.js'
import { grantInput } from './grants.js'
import { byId, changedById, idParams } from './input.js'

const of = content.shape
const grants = listOf(grantInput, LIMITS.accessList, `A group has at most ${LIMITS.accessList.max} grants.`)
const externalId = boundedText(LIMITS.label).nullable()

/** A new group, as administrators send it. */
const newGroup = z.object({
  name: alike(name, of.name),
  ...newAccess,
  grants: alike(grants.default([]), of.grants),
  externalId: alike(externalId.default(null), of.externalId)
})
const changes = z.object({
  name: alike(name.optional(), of.name),
  ...changedAccess,
  grants: alike(grants.optional(), of.grants),
  externalId: alike(externalId.optional(), of.externalId)
})
const person = idParams.extend({ user: id.describe('The id of the account.') })

/** Groups, and who is in them (section 5, Roles). */
export function groupRoutes(app: FastifyInstance): void {
  const route = routes(app, 'users')

  const list = declared('listGroups', 'List all groups', listAnswer('groups', group), {
    ...paged,
    about: 'They come by name.'
  })
  route('GET', '/admin/groups', list, async ({ hub, query }) =>
    freshList(
      hub.ledger.readModel,
      {
        ...allGroups,
        name: 'groups',
        fields: fieldsOf(group),
        records: (rows: readonly GroupRow[]) => rows.map(groupRecord)
      },
      query
    )
  )

  const creation = declared(
    'createGroup',
    'Make a group',
    { 201: group },
    {
      isTagged: true,
      body: newGroup,
      takes: 'content',
      about: 'It has no members at first. A name that another group has, in whatever case, is refused with 400.'
    }
  )
  route('POST', '/admin/groups', creation, async ({ body, change }) => {
    const row = await change({ type: 'CreateGroup', id: randomUUID(), group: body }, groupsTable)
    return record(groupRecord(row), row, 201)
  })

  const getting = declared('getGroup', 'Get a group', group, {
    ...byId,
    isTagged: true,
    about: 'Who is in it, `/admin/groups/ID/members` tells.'
  })
  route('GET', '/admin/groups/:id', getting, async ({ hub, params }) => {
    const row = await existing(GROUP, params.id, hub.ledger.readModel)
    return record(groupRecord(row), row)
  })

  const update = declared('updateGroup', 'Change a group; what is left out stays', group, {
    ...changedById,
    isTagged: true,
    body: changes,
    takes: 'content',
    about: 'It is in force with the next request of each member.'
  })
  route('PUT', '/admin/groups/:id', update, async ({ params, body, ifRevision, change }) => {
    const row = await change({ type: 'UpdateGroup', id: params.id, changes: body, ifRevision }, groupsTable)
    return record(groupRecord(row), row)
  })

  const deletion = declared('deleteGroup', 'Delete a group', null, {
    ...changedById,
    about: 'Its members lose what they had by it, with their next request.'
  })
  route('DELETE', '/admin/groups/:id', deletion, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteGroup', id: params.id, ifRevision })
    return noContent
  })

  const listing = declared('listMembers', 'List who is in a group', listAnswer('members', member), {
    ...byId,
    about: 'By name, and with what has made them a member.'
  })
  route('GET', '/admin/groups/:id/members', listing, async ({ hub, params }) => {
    const { readModel } = hub.ledger
    await existing(GROUP, params.id, readModel)
    return json({ members: await membersOf(readModel, params.id) })
  })

  const adding = declared('addMember', 'Make an account a member of a group', null, {
    params: person,
    about: 'Nothing happens where it is one already.'
  })
  route('PUT', '/admin/groups/:id/members/:user', adding, async ({ params, run }) => {
    await run({ type: 'ChangeMembers', id: params.id, add: [params.user], remove: [], by: 'administrator' })
    return noContent
  })

  const removal = declared('removeMember', 'Take an account out of a group', null, {
    params: person,
    about: 'Where a rule of a sign-in has made it a member, the next sign-in does so again.'
  })
  route('DELETE', '/admin/groups/:id/members/:user', removal, async ({ params, run }) => {
    await run({ type: 'ChangeMembers', id: params.id, add: [], remove: [params.user], by: 'administrator' })
    return noContent
  })
}

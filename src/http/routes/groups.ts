import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, id, name } from '../../../commands/content.js'
import { GROUP } from '../../../commands/people/group/decide.js'
import { group as content } from '../../../commands/people/group/events.js'
import { groupsTable } from '../../../commands/people/group/table.js'
import { existing } from '../../../commands/records/kind.js'
import { allGroups, type GroupRow, groupRecord } from '../../../queries/groups.js'
import { membersOf } from '../../directory/members.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'
import { created, fieldsOf, group, listAnswer, member } from '../answers.js'
import { freshList } from '../lists.js'
import { paged } from '../paging.js'
import { done, json, record } from '../reply.js'
import { idParams, routes } from '../route.js'
import { changedAccess, newAccess } from './accessInput.js'
import { grantInput } from './grants.js'

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

  route('GET', '/admin/groups', 'listGroups', listAnswer('groups', group), {
    summary: 'List all groups',
    about: 'They come by name.',
    ...paged,
    handle: async ({ readModel, query }) =>
      freshList(
        readModel,
        {
          ...allGroups,
          name: 'groups',
          fields: fieldsOf(group),
          records: (rows: readonly GroupRow[]) => rows.map(groupRecord)
        },
        query
      )
  })

  route('POST', '/admin/groups', 'createGroup', created(group), {
    summary: 'Make a group',
    about: 'It has no members at first. A name that another group has, in whatever case, is refused with 400.',
    isTagged: true,
    body: newGroup,
    takes: 'content',
    handle: async ({ body, change }) =>
      record(groupRecord, await change({ type: 'CreateGroup', id: randomUUID(), group: body }, groupsTable), 201)
  })

  route('GET', '/admin/groups/:id', 'getGroup', group, {
    summary: 'Get a group',
    about: 'Who is in it, `/admin/groups/ID/members` tells.',
    isTagged: true,
    handle: async ({ readModel, params }) => record(groupRecord, await existing(GROUP, params.id, readModel))
  })

  route('PUT', '/admin/groups/:id', 'updateGroup', group, {
    summary: 'Change a group; what is left out stays',
    about: 'It is in force with the next request of each member.',
    takesIfMatch: true,
    isTagged: true,
    body: changes,
    takes: 'content',
    handle: async ({ params, body, ifRevision, change }) =>
      record(groupRecord, await change({ type: 'UpdateGroup', id: params.id, changes: body, ifRevision }, groupsTable))
  })

  route('DELETE', '/admin/groups/:id', 'deleteGroup', null, {
    summary: 'Delete a group',
    about: 'Its members lose what they had by it, with their next request.',
    takesIfMatch: true,
    handle: ({ params, ifRevision, run }) => done(run({ type: 'DeleteGroup', id: params.id, ifRevision }))
  })

  route('GET', '/admin/groups/:id/members', 'listMembers', listAnswer('members', member), {
    summary: 'List who is in a group',
    about: 'By name, and with what has made them a member.',
    handle: async ({ readModel, params }) => {
      await existing(GROUP, params.id, readModel)
      return json({ members: await membersOf(readModel, params.id) })
    }
  })

  route('PUT', '/admin/groups/:id/members/:user', 'addMember', null, {
    summary: 'Make an account a member of a group',
    about: 'Nothing happens where it is one already.',
    params: person,
    handle: ({ params, run }) =>
      done(run({ type: 'ChangeMembers', id: params.id, add: [params.user], remove: [], by: 'administrator' }))
  })

  route('DELETE', '/admin/groups/:id/members/:user', 'removeMember', null, {
    summary: 'Take an account out of a group',
    about: 'Where a rule of a sign-in has made it a member, the next sign-in does so again.',
    params: person,
    handle: ({ params, run }) =>
      done(run({ type: 'ChangeMembers', id: params.id, add: [], remove: [params.user], by: 'administrator' }))
  })
}

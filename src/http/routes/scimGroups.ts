import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { existing } from '../../../commands/records/kind.js'
import { groupsTable } from '../../../projections/groups.js'
import { nameKey } from '../../../projections/keys.js'
import { allGroups, type GroupRow } from '../../../queries/groups.js'
import type { Hub } from '../../app/hub.js'
import { groupResource, membersAnd, sentGroup } from '../../directory/groups.js'
import { type ListQuery, listOfResources, listQuery, nameAsked, namesIn } from '../../directory/list.js'
import { patchBody, patched, understood } from '../../directory/patch.js'
import { LIMITS } from '../../limits.js'
import type { ReadStore } from '../../storage/storage.js'
import { parse } from '../parse.js'
import { noContent } from '../reply.js'
import { declared, routes } from '../route.js'
import { answered, expectedVersions, resourceReply, SCIM, scimReply } from '../scim.js'
import { byId, changedById } from './input.js'
import { onWhatIsThere, scimBase } from './scim.js'

const told = { speaks: SCIM } as const
const GROUP = { title: 'Group', table: groupsTable } as const

/** Groups as a directory keeps them (RFC 7644). What they give their members, administrators say. */
export function scimGroupRoutes(app: FastifyInstance): void {
  const route = routes(app, 'directory')

  const list = declared(
    'listScimGroups',
    'List groups, as a directory does',
    { 200: answered },
    {
      ...told,
      query: listQuery,
      about: `By name, ${LIMITS.scimPage.max} at most at once. A filter of \`displayName eq\` looks the name up, in whatever case.`
    }
  )
  route('GET', '/scim/v2/Groups', list, async ({ hub, query }) => {
    const { readModel } = hub.ledger
    const resourceOf = (row: GroupRow) => groupResource(row, scimBase(hub), readModel, wantsMembers(query))
    return scimReply(await listOfResources(...(await groupsAsked(query, readModel)), resourceOf))
  })

  const creation = declared(
    'createScimGroup',
    'Make a group, as a directory does',
    { 201: answered },
    {
      ...told,
      refuses: [404, 409],
      isTagged: true,
      body: sentGroup,
      takes: 'content',
      takesKey: false,
      about:
        'It is made with all of its members, or not at all, and gives them nothing until an administrator says what.'
    }
  )
  route('POST', '/scim/v2/Groups', creation, async ({ hub, body, run }) => {
    const id = randomUUID()
    await run({ type: 'ProvisionGroup', id, group: contentOf(body), members: idsOf(body) })
    return groupReply(hub, id, 201)
  })

  const getting = declared(
    'getScimGroup',
    'Get a group, as a directory does',
    { 200: answered },
    {
      ...told,
      ...byId,
      isTagged: true,
      query: listQuery,
      about: '`excludedAttributes=members` leaves out who is in it.'
    }
  )
  route('GET', '/scim/v2/Groups/:id', getting, async ({ hub, params, query }) => groupReply(hub, params.id, 200, query))

  const replacing = declared(
    'replaceScimGroup',
    'Have a group be as a directory says',
    { 200: answered },
    {
      ...told,
      ...changedById,
      isTagged: true,
      refuses: [409],
      body: sentGroup,
      takes: 'content',
      about: 'Its members are exactly those that are sent. What it gives them stays.'
    }
  )
  route('PUT', '/scim/v2/Groups/:id', replacing, async ({ hub, params: { id }, body, request, run }) => {
    const members = { add: [], remove: [], all: idsOf(body) }
    const ifVersion = expectedVersions(request)
    await run({ type: 'UpdateProvisionedGroup', id, changes: contentOf(body), members, ifVersion })
    return groupReply(hub, id, 200)
  })

  const patching = declared(
    'patchScimGroup',
    'Change a group, as a directory does',
    { 200: answered },
    {
      ...told,
      ...changedById,
      isTagged: true,
      refuses: [409],
      body: patchBody,
      takes: 'content',
      about: `The operations of RFC 7644, section 3.5.2: all of them, or none; ${LIMITS.membersChanged.max} members at most at once.`
    }
  )
  route('PATCH', '/scim/v2/Groups/:id', patching, async ({ hub, params: { id }, body, request, run }) => {
    const { readModel } = hub.ledger
    const { change: members, others } = membersAnd(understood('Group', body.Operations))
    const ifVersion = expectedVersions(request)
    const command = { type: 'UpdateProvisionedGroup', id, members, ifVersion } as const
    const change = async () => {
      // Who is in it is changed as it is said: what was read of that does not matter.
      if (others.length === 0) return run({ ...command, changes: {} })
      const row = await existing(GROUP, id, readModel)
      const after = await patched('Group', await groupResource(row, scimBase(hub), readModel, false), others)
      return run({ ...command, changes: contentOf(parse(sentGroup, after, 'body')), ifRevision: [row.revision] })
    }
    await onWhatIsThere(change, ifVersion !== undefined)
    return groupReply(hub, id, 200)
  })

  const deletion = declared('deleteScimGroup', 'Delete a group, as a directory does', null, {
    ...told,
    ...changedById,
    about: 'Its members lose what they had by it, with their next request.'
  })
  route('DELETE', '/scim/v2/Groups/:id', deletion, async ({ params, request, run }) => {
    await run({ type: 'DeleteProvisionedGroup', id: params.id, ifVersion: expectedVersions(request) })
    return noContent
  })
}

type Sent = z.infer<typeof sentGroup>
const contentOf = ({ displayName: name, externalId }: Sent) => ({ name, externalId })
const idsOf = ({ members }: Sent) => (members ?? []).map(({ value }) => value)

async function groupReply(hub: Hub, id: string, status: number, query: ListQuery = {}) {
  const { readModel } = hub.ledger
  const row = await existing(GROUP, id, readModel)
  return resourceReply(await groupResource(row, scimBase(hub), readModel, wantsMembers(query)), status, query)
}

/** False where who is in a group need not be looked up. */
function wantsMembers({ attributes, excludedAttributes, filter }: ListQuery): boolean {
  if (filter?.toLowerCase().includes('members')) return true
  const [wanted, unwanted] = [namesIn(attributes), namesIn(excludedAttributes)]
  return wanted ? wanted.has('members') : !unwanted?.has('members')
}

async function groupsAsked(query: ListQuery, read: ReadStore): Promise<[readonly GroupRow[], ListQuery]> {
  const name = nameAsked(query.filter, 'displayName')
  const rows =
    name === null
      ? await read.list(groupsTable, allGroups.index, allGroups.under)
      : await read.list(groupsTable, 'byNameKey', [nameKey(name)])
  return [rows, name === null ? query : { ...query, filter: undefined }]
}

import type { z } from 'zod'
import { nameKey } from '../../../commands/keys.js'
import { GROUP } from '../../../commands/people/group/decide.js'
import { groupsTable } from '../../../commands/people/group/table.js'
import { existing } from '../../../commands/records/kind.js'
import { allGroups, type GroupRow } from '../../../queries/groups.js'
import { groupOutline, groupResource, membersAnd, sentGroup } from '../../directory/groups.js'
import { type ListQuery, listOfResources, namesIn, partOfList, textAsked } from '../../directory/list.js'
import { patched } from '../../directory/patch.js'
import { LIMITS } from '../../limits.js'
import { wholeRows } from '../../readmodel/manyRows.js'
import type { Outline, PagedReads } from '../../storage/storage.js'
import { parse } from '../parse.js'
import { expectedVersions, scimBase } from '../scim.js'
import { onWhatIsThere, type ScimKind } from './scimResources.js'

/** Groups as a directory keeps them. What they give their members, administrators say. */
export const scimGroups: ScimKind<typeof sentGroup> = {
  name: 'Group',
  one: 'a group',
  many: 'groups',
  body: sentGroup,
  takes: 'content',
  refuses: [404, 409],
  about: {
    list: `By name, ${LIMITS.scimPage.max} at most at once. A filter of \`displayName eq\` looks the name up, in whatever case.`,
    create:
      'It is made with all of its members, or not at all, and gives them nothing until an administrator says what.',
    get: '`excludedAttributes=members` leaves out who is in it.',
    replace: 'Its members are exactly those that are sent. What it gives them stays.',
    patch: `The operations of RFC 7644, section 3.5.2: all of them, or none; ${LIMITS.membersChanged.max} members at most at once.`,
    remove: 'Its members lose what they had by it, with their next request.'
  },
  async list(hub, query) {
    const { readModel } = hub.ledger
    const base = scimBase(hub)
    const resourceOf = (row: GroupRow) => groupResource(row, base, readModel, wantsMembers(query))
    // Who is in a group is looked up where that is compared, or the version that tells it.
    const isOfMembers = /members|version/i.test(query.filter ?? '')
    const comparedOf = (row: GroupRow) =>
      isOfMembers ? groupResource(row, base, readModel, true) : groupOutline(row, base)
    if (query.filter !== undefined)
      return listOfResources(...(await groupsAsked(query, readModel)), resourceOf, comparedOf)
    return partOfList(await everyGroup(readModel), query, (part) => groupsOf(part, readModel), resourceOf)
  },
  async get(hub, id, query) {
    const { readModel } = hub.ledger
    const row = await existing(GROUP, id, readModel)
    return groupResource(row, scimBase(hub), readModel, wantsMembers(query))
  },
  async create({ run }, id, body) {
    await run({ type: 'ProvisionGroup', id, group: contentOf(body), members: idsOf(body) })
    return id
  },
  replace({ request, run }, id, body) {
    const members = { add: [], remove: [], all: idsOf(body) }
    const ifVersion = expectedVersions(request)
    return run({ type: 'UpdateProvisionedGroup', id, changes: contentOf(body), members, ifVersion })
  },
  patch({ hub, request, run }, id, operations) {
    const { readModel } = hub.ledger
    const { change: members, others } = membersAnd(operations)
    const ifVersion = expectedVersions(request)
    const command = { type: 'UpdateProvisionedGroup', id, members, ifVersion } as const
    const change = async () => {
      // Who is in it is changed as it is said: what was read of that does not matter.
      if (others.length === 0) return run({ ...command, changes: {} })
      const row = await existing(GROUP, id, readModel)
      const after = patched('Group', await groupResource(row, scimBase(hub), readModel, false), others)
      return run({ ...command, changes: contentOf(parse(sentGroup, after, 'body')), ifRevision: [row.revision] })
    }
    return onWhatIsThere(change, ifVersion !== undefined)
  },
  remove: ({ request, run }, id) => run({ type: 'DeleteProvisionedGroup', id, ifVersion: expectedVersions(request) })
}

type Sent = z.infer<typeof sentGroup>
const contentOf = ({ displayName: name, externalId }: Sent) => ({ name, externalId })
const idsOf = ({ members }: Sent) => (members ?? []).map(({ value }) => value)

/** False where who is in a group need not be looked up. */
function wantsMembers({ attributes, excludedAttributes }: ListQuery): boolean {
  const [wanted, unwanted] = [namesIn(attributes), namesIn(excludedAttributes)]
  return wanted ? wanted.has('members') : !unwanted?.has('members')
}

const everyGroup = (read: PagedReads) => read.outline(allGroups.table, allGroups.index, allGroups.under)

async function groupsOf(some: readonly Outline[], read: PagedReads): Promise<readonly GroupRow[]> {
  const ids = some.map(({ id }) => id)
  const rows: GroupRow[] = []
  for await (const row of wholeRows(read, groupsTable, ids)) rows.push(row)
  return rows
}

async function groupsAsked(query: ListQuery, read: PagedReads): Promise<[readonly GroupRow[], ListQuery]> {
  const name = textAsked(query.filter, 'displayName')
  if (name === null) return [await groupsOf(await everyGroup(read), read), query]
  return [await read.list(groupsTable, 'byNameKey', [nameKey(name)]), { ...query, filter: undefined }]
}

import { z } from 'zod'
import { id, name } from '../../commands/content.js'
import type { MembersChange } from '../../commands/people/directory/decide.js'
import { versionOf } from '../../commands/people/directory/version.js'
import { groupIn } from '../../commands/people/group/membership.js'
import { membersTable } from '../../commands/people/group/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import type { GroupRow } from '../../queries/groups.js'
import { errors } from '../errors.js'
import { giveWay } from '../lib/turns.js'
import { boundedText, LIMITS, listOf } from '../limits.js'
import { columnsOf, outlinedColumns } from '../readmodel/manyRows.js'
import type { PagedReads } from '../storage/storage.js'
import { inAnyCase } from './anyCase.js'
import { GROUP_SCHEMA } from './library.js'
import type { Change } from './patch.js'

const members = listOf(
  inAnyCase(z.object({ value: id.describe('The id of the account.') })),
  LIMITS.membersNamed,
  `At most ${LIMITS.membersNamed.max} members at once.`
)

/** A group as a directory sends one (RFC 7643, section 4.2). */
export const sentGroup = inAnyCase(
  z.object({
    displayName: name.describe('What the group is called, unlike any other.'),
    externalId: boundedText(LIMITS.label)
      .nullish()
      .transform((value) => value || null)
      .describe('What the directory knows it by.'),
    members: members.nullish().describe('Who is in it.')
  })
)

const ONE = /^members\[\s*value\s+eq\s+"([^"]{1,255})"\s*\]$/i

/** Parts operations on members from the rest: those are carried out as they are said, and not on what was read before. */
export function membersAnd(operations: readonly Change[]): {
  readonly change: MembersChange
  readonly others: readonly Change[]
} {
  let [add, remove] = [new Set<string>(), new Set<string>()]
  let all: Set<string> | null = null
  const others: Change[] = []
  const adding = (ids: readonly string[]) => {
    for (const one of ids) {
      remove.delete(one)
      if (all) all.add(one)
      else add.add(one)
    }
  }
  const removing = (ids: readonly string[]) => {
    for (const one of ids) {
      add.delete(one)
      if (all) all.delete(one)
      else remove.add(one)
    }
  }
  const replacing = (ids: readonly string[]) => {
    all = new Set(ids)
    ;[add, remove] = [new Set(), new Set()]
  }
  for (const operation of operations) {
    const { op, path, value } = operation
    const one = ONE.exec(path)?.[1]
    if (one !== undefined && op === 'remove') removing([one])
    else if (path.toLowerCase() === 'members') {
      const ids = value === undefined || value === null ? null : idsIn(value)
      if (op === 'add') adding(ids ?? [])
      else if (op === 'remove' && ids) removing(ids)
      else replacing(op === 'remove' ? [] : (ids ?? []))
    } else others.push(operation)
  }
  return { change: { add: [...add], remove: [...remove], all: all && [...all] }, others }
}

function idsIn(value: unknown): readonly string[] {
  const sent: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (sent.length > LIMITS.membersNamed.max)
    throw errors.scimRefused(`members: At most ${LIMITS.membersNamed.max} members at once.`, 'tooMany')
  const { success, data } = members.safeParse(sent)
  if (!success) throw errors.scimRefused('members: Each has a value, which is the id of an account.', 'invalidValue')
  return data.map((one) => one.value)
}

/** What directories see of a group that stands in its row. */
export function groupOutline(row: GroupRow, base: string) {
  const { name, externalId } = groupIn(row)
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    meta: {
      resourceType: 'Group',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${base}/Groups/${row.id}`
    }
  }
}

/** A group as directories see one, with who is in it unless that is not asked for; its version is of both, and of what they are called. */
export async function groupResource(
  row: GroupRow,
  base: string,
  read: Pick<PagedReads, 'list' | 'outline' | 'getAll'>,
  withMembers: boolean
) {
  const ids = (await columnsOf(read, membersTable, 'byGroup', [row.id])).map(({ userId }) => ({ id: userId }))
  const people = await outlinedColumns(read, usersTable, ids)
  const [named, called] = [people.map(({ id }) => id), people.map(({ id, name }) => `${id} ${name}`)]
  const version = `W/"${versionOf(row.revision, named, called)}"`
  // They may be very many.
  await giveWay()
  const members = people.toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
  const { meta, ...outline } = groupOutline(row, base)
  return {
    ...outline,
    ...(withMembers &&
      members.length > 0 && { members: members.map(({ id, name }) => ({ value: id, display: name })) }),
    meta: { ...meta, version }
  }
}

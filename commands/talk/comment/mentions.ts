import { LIMITS } from '../../../src/limits.js'
import { allows, type Context } from '../../context.js'
import { grantsOf, reachOf } from '../../people/grant/grants.js'
import { groupIn, groupsOf, withGroups } from '../../people/group/membership.js'
import { account } from '../../people/user/events.js'
import { usersTable } from '../../people/user/table.js'
import type { Found } from './discussed.js'

/** A name ends where neither a letter nor a digit follows, nor what names are joined with. */
const GOES_ON = /^[\p{L}\p{M}\p{N}_.-]/u

/**
 * Those of these names that a text mentions: `@` and the whole name, in whatever case. A name may be the beginning of another
 * one: `@Al Bert` mentions Al too.
 */
export function mentionedIn<T extends { readonly name: string }>(text: string, people: readonly T[]): readonly T[] {
  // Names are kept in composed form.
  const folded = text.normalize('NFC').toLowerCase()
  const byName = new Map<string, T[]>()
  for (const one of people) {
    const name = one.name.toLowerCase()
    byName.set(name, [...(byName.get(name) ?? []), one])
  }
  const lengths = [...new Set([...byName.keys()].map((name) => name.length))]
  const found = new Set<T>()
  let looked = 0
  for (let at = folded.indexOf('@'); at >= 0 && looked < LIMITS.mentionsLooked.max; at = folded.indexOf('@', at + 1)) {
    looked++
    for (const length of lengths) {
      const end = at + 1 + length
      if (GOES_ON.test(folded.slice(end, end + 2))) continue
      for (const one of byName.get(folded.slice(at + 1, end)) ?? []) found.add(one)
    }
  }
  return people.filter((one) => found.has(one))
}

/** The ids of the users whom a comment on this thing mentions and who may see it, but for its author; at most so many. */
export async function mentionsOf(
  text: string,
  { collectionId }: Found,
  { caller, read }: Pick<Context, 'caller' | 'read'>
): Promise<string[]> {
  if (!text.includes('@')) return []
  const people = await read.list(usersTable, 'byName', [], { body: false })
  const ids: string[] = []
  for (const { id } of mentionedIn(text, people)) {
    if (ids.length === LIMITS.mentions.max) break
    const row = id === caller.userId ? null : await read.get(usersTable, id)
    if (row?.role !== 'user' || row.disabledAt !== null) continue
    const own = { ...account.parse(JSON.parse(row.body)), grants: grantsOf(row) }
    const { grants, ...lists } = withGroups(own, (await groupsOf(row, read)).map(groupIn))
    const { collectionAccess } = { ...lists, ...reachOf(lists, grants) }
    if (collectionId === null || allows(collectionAccess, collectionId)) ids.push(id)
  }
  return ids
}

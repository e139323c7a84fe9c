import { errors } from '../../../src/errors.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import { id as recordId } from '../../content.js'
import type { Caller } from '../../context.js'
import { type Found, findDiscussed, requireSayer, requireSeen } from '../comment/discussed.js'
import { DISCUSSED_KINDS, type Discussed } from '../comment/events.js'

/** The id of the group that discusses a thing. */
export function groupOf({ kind, id }: Discussed): string {
  return `thread:${kind}:${id}`
}

/** The thing that a group discusses; null where the id is of no group. */
export function discussedIn(groupId: string): Discussed | null {
  const [, kindText, idText] = /^thread:([A-Za-z]+):(.+)$/.exec(groupId) ?? []
  const kind = DISCUSSED_KINDS.find((one) => one === kindText)
  const id = recordId.safeParse(idText)
  return kind && id.success ? { kind, id: id.data } : null
}

type Place = Found & { readonly target: Discussed }

/** The thing that a group discusses, where it stands: 400 for no group, 404 where it is not there. */
async function findGroup(groupId: string, read: Pick<ReadStore, 'get'>): Promise<Place> {
  const target = discussedIn(groupId)
  if (!target) throw errors.groupMalformed()
  const found = await findDiscussed(target, read)
  if (!found) throw errors.notFound('Discussion target')
  return { target, ...found }
}

/** The same for who may see it: 403 for others. */
export async function requireGroup(groupId: string, caller: Caller, read: Pick<ReadStore, 'get'>): Promise<Place> {
  const place = await findGroup(groupId, read)
  requireSeen(caller, place)
  return place
}

/** The same for who may write about it, which viewers may not: 403 for others. */
export async function requireMember(groupId: string, caller: Caller, read: Pick<ReadStore, 'get'>): Promise<Place> {
  const place = await findGroup(groupId, read)
  requireSayer(caller, place)
  return place
}

import { itemPositionOf } from '../../commands/kind.js'
import { isMember, kinds, MEMBERS, type Member } from '../../commands/kinds.js'
import { usersTable } from '../../projections/users.js'
import { nameInColumns } from '../../queries/names.js'
import { deletionOf } from '../../queries/tombstones.js'
import { type Touch, touchesIn } from '../../queries/versions.js'
import { slices } from '../limits.js'
import type { EventHeader } from '../log/event.js'
import type { PagedReads, Storage } from '../storage/storage.js'

/** One thing that happened in a collection. */
export interface Activity {
  readonly position: number
  readonly at: string
  readonly type: string
  readonly kind: 'collection' | Member
  readonly id: string
  /** What the record is called now, or was when it was deleted; null where it is elsewhere, or went with what it was in. */
  readonly name: string | null
  /** The account with the name that it has now; null where it is gone. */
  readonly actor: { readonly id: string; readonly name: string | null }
  /** What happened by one command has the same. */
  readonly commandId: string
}

/** One page of what happened, the newest first. `next` is the `before` of the page behind it; null where nothing is left. */
export interface ActivityPage {
  readonly events: readonly Activity[]
  readonly next: number | null
}

export interface ActivitySource {
  readonly storage: Pick<Storage, 'readHeaders'>
  readonly view: Pick<PagedReads, 'get' | 'list' | 'getAll' | 'listPart'>
}

/** So many headers are read at once. */
const AT_ONCE = 16

/**
 * What happened to a collection and in it before a position: to its folders, requests and documents while they were there, and
 * imports into it. Only headers are read, and it costs what the page costs.
 */
export async function activityOf(
  source: ActivitySource,
  collectionId: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined }
): Promise<ActivityPage> {
  // One more than the page has, which tells whether another one follows.
  const found = await touchesIn(source.view, collectionId, { before, limit: limit + 1 })
  const touches = found.slice(0, limit)
  const events = await told(source, collectionId, touches)
  return { events, next: found.length > limit ? (touches.at(-1)?.position ?? null) : null }
}

/** These events as they are told, with the names of now. */
async function told(source: ActivitySource, collectionId: string, touches: readonly Touch[]) {
  const actorIds = [...new Set(touches.map(({ actorId }) => actorId))]
  const accounts = await source.view.getAll(usersTable, actorIds, { body: false })
  const actors = new Map(accounts.map(({ id, name }) => [id, name]))
  const names = await namesOf(source, collectionId, touches)
  const commands = await commandsOf(source, touches)
  return touches.map(({ kind, subject: id, position, at, type, actorId }): Activity => {
    const actor = { id: actorId, name: actors.get(actorId) ?? null }
    const name = names.get(`${kind}-${id}`) ?? null
    const commandId = commands.get(position) ?? ''
    return { position, at, type, kind: isMember(kind) ? kind : 'collection', id, name, actor, commandId }
  })
}

async function commandsOf(
  { storage }: ActivitySource,
  touches: readonly Touch[]
): Promise<ReadonlyMap<number, string>> {
  const headers: EventHeader[] = []
  for (const some of slices(touches, AT_ONCE))
    headers.push(...(await Promise.all(some.map(({ position }) => storage.readHeaders(position - 1, 1)))).flat())
  return new Map(headers.map(({ position, commandId }) => [position, commandId]))
}

/**
 * What these are called, by kind and id: now where they are in the collection, else when they were deleted from it. What has left may
 * be called by another name elsewhere, which is not for everybody who sees this.
 */
async function namesOf({ view }: ActivitySource, collectionId: string, touches: readonly Touch[]) {
  const names = new Map<string, string>()
  for (const kind of ['collection', ...MEMBERS] as const) {
    const gone = new Set(touches.flatMap((one) => (one.kind === kind ? one.subject : [])))
    for (const row of await view.getAll(kinds[kind].table, [...gone], { body: false })) {
      gone.delete(row.id)
      const isHere = kind === 'collection' || itemPositionOf(row).collectionId === collectionId
      if (isHere) names.set(`${kind}-${row.id}`, nameInColumns(row))
    }
    for (const id of kind === 'collection' ? [] : gone) {
      const deletion = await deletionOf(view, kind, id)
      if (deletion?.collectionId === collectionId) names.set(`${kind}-${id}`, deletion.name)
    }
  }
  return names
}

import type { JsonText } from '../commands/record.js'
import type { Discussed } from '../commands/talk/comment/events.js'
import { groupOf } from '../commands/talk/mls/group.js'
import { mlsCommitsTable, mlsWelcomesTable } from '../commands/talk/mls/table.js'
import type { PagedReads, ReadStore } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

/** Behind every id of a commit. */
const LAST_ID = '~'

/** Some commits of the group that discusses a thing, and the epoch behind which the next page begins; null where none is. */
export interface CommitPage {
  readonly records: readonly JsonText[]
  readonly next: string | null
}

/** The commits of later epochs than this one, or all, by epoch: as many as fit a page. */
export async function commitsAfter(
  read: Pick<PagedReads, 'listPart' | 'getPage'>,
  { kind, id }: Discussed,
  epoch: number | null,
  limit: number
): Promise<CommitPage> {
  const after = epoch === null ? undefined : [epoch, LAST_ID]
  const part = await read.listPart(mlsCommitsTable, 'byGroup', [kind, id], { after, limit: limit + 1 })
  const wanted = part.slice(0, limit).map((row) => row.id)
  const rows = await read.getPage(mlsCommitsTable, wanted)
  const last = rows.at(-1)
  const hasMore = last !== undefined && last.id !== part.at(-1)?.id
  return { records: rows.map(({ body }) => body), next: hasMore ? String(last.epoch) : null }
}

/** At which epoch the group is that discusses a thing, and since when; null where nothing was sent in it. */
export async function groupState(read: Pick<ReadStore, 'list'>, target: Discussed): Promise<JsonText | null> {
  const under = [target.kind, target.id]
  const one = { limit: 1, body: false }
  const [[first], [last]] = await Promise.all([
    read.list(mlsCommitsTable, 'byGroup', under, one),
    read.list(mlsCommitsTable, 'byGroup', under, { ...one, reverse: true })
  ])
  if (!first || !last) return null
  const { epoch: currentEpoch, createdAt: updatedAt } = last
  return JSON.stringify({ mlsGroupId: groupOf(target), currentEpoch, createdAt: first.createdAt, updatedAt })
}

/** Welcomes to the group that discusses a thing, for the devices of an account or one of them, oldest first. */
export function listWelcomes(
  { kind, id }: Discussed,
  ownerId: string,
  deviceId: string | undefined
): Rows<typeof mlsWelcomesTable.columns> {
  return deviceId === undefined
    ? { table: mlsWelcomesTable, index: 'byOwner', under: [kind, id, ownerId] }
    : { table: mlsWelcomesTable, index: 'byDevice', under: [kind, id, ownerId, deviceId] }
}

import { tombstonesTable } from '../../projections/tombstones.js'
import { type EventHeader, subjectOf } from '../log/event.js'
import type { PagedReads } from '../storage/storage.js'
import { kindIn } from './streams.js'
import type { Touched } from './touched.js'

/**
 * Tells whether what an event is about was in a collection then: the collection itself, or one of the records that are `known` by
 * their streams. What has taken a request or a document to another collection concerns both.
 */
export function whereabouts(
  view: Pick<PagedReads, 'list'>,
  collectionId: string,
  known: ReadonlyMap<string, Touched>
): (header: EventHeader) => Promise<boolean> {
  return async ({ stream, position }) => {
    const kind = kindIn(stream)
    if (kind === 'collection') return subjectOf(stream) === collectionId
    const record = known.get(stream)
    if (!record) return false
    // A folder never leaves its collection but by being deleted.
    if (kind === 'folder') return true
    const rows = await view.list(tombstonesTable, 'bySubject', [record.id], { body: false })
    const left = rows.filter((row) => row.kind === kind)
    const isThereAt = (moment: number) => {
      const next = left.find((row) => row.position >= moment)
      if (next) return next.collectionId === collectionId
      return record.isHere || (record.takenAt ?? 0) >= moment
    }
    return isThereAt(position) || (left.some((row) => row.position === position) && isThereAt(position + 1))
  }
}

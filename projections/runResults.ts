import { z } from 'zod'
import type { UserEvent } from '../commands/people/user/events.js'
import type { RunResultEvent } from '../commands/records/runResult/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import { nullify, projector, put, remove, table } from './define.js'

/** Shared run results as lists show them: without their payloads. The collection is the one that the export names as its own. */
export const runResultsTable = table({
  name: 'runResults',
  columns: { createdAt: 'time', createdBy: 'id?', collectionId: 'id?' },
  indexes: {
    byCreator: { by: ['createdBy'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'createdBy'
})

/** The payloads of shared run results, each as the client sent it. */
export const runPayloadsTable = table({ name: 'runPayloads', columns: {}, indexes: {}, scope: 'id' })

export const runResults = projector<RunResultEvent | UserEvent | ImportEvent>(runResultsTable, 2, {
  RunResultImported: (e) => {
    const { payload, createdAt, createdBy, ...shown } = e.data
    const columns = { createdAt, createdBy, collectionId: ranIn(payload) }
    return [put(runResultsTable, e, columns, { id: e.subject, ...shown })]
  },
  RunResultShared: (e) => {
    const { payload, ...shown } = e.data
    const columns = { createdAt: e.at, createdBy: e.actorId, collectionId: ranIn(payload) }
    return [put(runResultsTable, e, columns, { id: e.subject, ...shown })]
  },
  RunResultDeleted: (e) => [remove(runResultsTable, e.subject)],
  UserDeleted: (e) => [nullify(runResultsTable, e, ['createdBy'], e.subject)]
})

const uuid = z.uuid().nullish().catch(null)
// Clients call it `uuid`; one of them once called it `id`.
const ran = z.object({ collection: z.object({ uuid, id: uuid }).nullish().catch(null) })

/** The collection that the export of a run names as its own; null where it names none. */
export function ranIn(payload: unknown): string | null {
  const { collection } = ran.parse(payload)
  return collection?.uuid ?? collection?.id ?? null
}

export const runPayloads = projector<RunResultEvent | ImportEvent>(runPayloadsTable, 1, {
  RunResultImported: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultShared: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultDeleted: (e) => [remove(runPayloadsTable, e.subject)]
})

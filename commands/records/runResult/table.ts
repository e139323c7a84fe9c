import { z } from 'zod'
import { table } from '../../table.js'

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

const uuid = z.uuid().nullish().catch(null)
// Clients call it `uuid`; one of them once called it `id`.
const ran = z.object({ collection: z.object({ uuid, id: uuid }).nullish().catch(null) })

/** The collection that the export of a run names as its own; null where it names none. */
export function ranIn(payload: unknown): string | null {
  const { collection } = ran.parse(payload)
  return collection?.uuid ?? collection?.id ?? null
}

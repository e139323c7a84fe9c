import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { KINDS } from '../../../commands/records/kinds.js'
import { type DeletedRecord, deletedRecords } from '../../../queries/deleted.js'
import { listDeleted, listOwnDeleted, type TombstoneRow } from '../../../queries/tombstones.js'
import type { Ledger } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { undelete } from '../../records/history/undelete.js'
import { deletedRecord, listAnswer, undeleted } from '../answers.js'
import { json, type Reply } from '../reply.js'
import { routes } from '../route.js'
import { pageSize } from './input.js'

const DELETED_MAX = 1000

const page = z.object({ limit: pageSize(DELETED_MAX, 100).describe('How many records are listed at most.') })
const one = z.object({
  kind: z.enum(KINDS).describe('What kind of record it is.'),
  id: id.describe('The id that it had.')
})

const deleted = listAnswer('deleted', deletedRecord)
// A large one is several commands. Repeated, it finds what is back.
const undeletion = { refuses: [404, 409], body: one, takesKey: false } as const

/** What is deleted, and bringing it back: for users what they have deleted themselves, for administrators everything. */
export function deletedRoutes(app: FastifyInstance): void {
  const route = routes(app, 'history')

  route('GET', '/deleted', 'listOwnDeletedRecords', deleted, {
    summary: 'List what the caller has deleted and can bring back, the newest first',
    about:
      'Only what the caller may still see is listed, 100 records where `limit` does not say. What went with something else is counted there, in `held`.',
    query: page,
    handle: async ({ hub: { ledger }, caller, query }) =>
      listed(ledger, await listOwnDeleted(ledger.readModel, caller, query.limit))
  })

  route('POST', '/undelete', 'undeleteOwnRecord', undeleted, {
    summary: 'Bring back what the caller has deleted, with all that went with it',
    about:
      'It comes back under its id and to its place, with all that went with it by the deletions of the caller. 409 where it is not deleted, or what it belongs to is; 404 where somebody else deleted it, or it is erased. Repeated, it finds what is back.',
    ...undeletion,
    handle: async ({ hub, origin, body, caller }) =>
      json({ ...body, restored: await undelete(hub.ledger, origin, body.kind, body.id, caller) })
  })

  route('GET', '/admin/deleted', 'listDeletedRecords', deleted, {
    summary: 'List what is deleted and can be brought back, the newest first',
    about:
      'Whoever has deleted them, 100 records where `limit` does not say. What went with something else is counted there, in `held`.',
    query: page,
    handle: async ({ hub: { ledger }, query }) => listed(ledger, await listDeleted(ledger.readModel, query.limit))
  })

  route('POST', '/admin/undelete', 'undeleteRecord', undeleted, {
    summary: 'Bring back what is deleted, with all that went with it',
    about:
      'It comes back under its id and to its place, with all that went with it. 409 where it is not deleted, or what it belongs to is; 404 where it is erased. Repeated, it finds what is back.',
    ...undeletion,
    handle: async ({ hub, origin, body }) =>
      json({ ...body, restored: await undelete(hub.ledger, origin, body.kind, body.id) })
  })
}

/** The reply to a list of deletions. What went with each can be long: others have their turn in between. */
async function listed({ readModel }: Ledger, rows: readonly TombstoneRow[]): Promise<Reply> {
  const deleted: DeletedRecord[] = []
  for await (const record of deletedRecords(readModel, rows)) {
    deleted.push(record)
    await giveWay()
  }
  return json({ deleted })
}

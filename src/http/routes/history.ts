import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { allows } from '../../../commands/context.js'
import { accessible, existing } from '../../../commands/records/kind.js'
import { KINDS, kinds, MEMBERS, type RestorableKind } from '../../../commands/records/kinds.js'
import { sequenceOf } from '../../../commands/records/sequences.js'
import { avatarsOf } from '../../../queries/avatars.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { momentOf } from '../../log/logQuery.js'
import { activity, activityOf } from '../../records/history/activity.js'
import { difference, diffOf, type History, historyOf } from '../../records/history/history.js'
import { positionIn } from '../../records/history/past.js'
import { restore } from '../../records/history/restore.js'
import { placedAt, type Tree, treeAt } from '../../records/history/tree.js'
import type { ReadStore, Row } from '../../storage/storage.js'
import { history, oneOf, records, tagOf, tree as treeAnswer } from '../answers.js'
import { numberInUrl } from '../paging.js'
import { json, placedRecord, type Reply } from '../reply.js'
import { type RouteCall, routes } from '../route.js'
import { pageSize } from './input.js'

const VERSIONS_MAX = 200

/** The number of a version, or a position of the log. */
const counted = numberInUrl.min(1)
const page = z.object({
  limit: pageSize(VERSIONS_MAX, 50).describe('How many versions a page has at most.'),
  before: counted.optional().describe('A version: those older than it are listed. Left out, the newest are.')
})
const range = z.object({
  from: counted.describe('The version that is compared.'),
  to: counted.describe('The version that it is compared with.')
})
const choice = z.object({ version: z.int().min(1).describe('The number of the version, as the history has it.') })
/** When a record is looked at; now where nothing is said. */
export const moment = z.object({
  at: boundedText(LIMITS.label, 'at may be given once, as a text.')
    .optional()
    .describe('A position of the log, or a time or day (ISO 8601); now where it is left out.')
})

/** The history of records: versions, differences, restoring, and whole collections as they were. Access is that of now. */
export function historyRoutes(app: FastifyInstance): void {
  const route = routes(app, 'history')
  for (const kind of KINDS) {
    const { label, path } = kinds[kind]
    const what = oneOf(kinds[kind])

    route('GET', `/${path}/:id/history`, `list${label}Versions`, history, {
      summary: `List the versions of ${what}, the newest first`,
      about:
        'Takes access to the record as it is now. Each version says which fields it changed. That a neighbour was put elsewhere is none. 50 are listed where `limit` does not say.',
      query: page,
      handle: async ({ params, query, hub, readModel, caller }) => {
        await accessible(kinds[kind], params.id, caller, readModel)
        return json(await withAvatars(readModel, await historyOf(hub.ledger, kind, params.id, query)))
      }
    })

    route('GET', `/${path}/:id/diff`, `compare${label}Versions`, difference, {
      summary: `Tell what differs between two versions of ${what}`,
      about: 'Takes access to the record as it is now. 404 for a version that there is not.',
      query: range,
      handle: async ({ params, query, hub, readModel, caller }) => {
        await accessible(kinds[kind], params.id, caller, readModel)
        return json(await diffOf(hub.ledger, kind, params.id, query))
      }
    })

    route('POST', `/${path}/:id/restore`, `restore${label}`, records[kind], {
      summary: `Give ${what} the content of one of its versions`,
      about:
        'That makes one more version, and takes nothing out of the history. A request or a document goes back to the folder that it was in, where that is there. 400 for a version without content.',
      takesIfMatch: true,
      isTagged: true,
      body: choice,
      handle: async ({ params, body, hub, readModel, caller, origin, ifRevision }) => {
        await accessible(kinds[kind], params.id, caller, readModel)
        const record = kinds[kind]
        const seesParent = (id: string) => record.isMember || allows(caller[record.access], id)
        const options = { ifRevision, seesParent }
        return placedRecord(record, await restore(hub.ledger, origin, kind, params.id, body.version, options))
      }
    })
  }

  route('GET', '/collections/:id/tree', 'getCollectionTree', treeAnswer, {
    summary: 'Get a collection with all that it holds, as it is or as it was',
    about:
      'With `at` it is what was in the collection at that moment, with the access of now. It comes as a stream, however large.',
    query: moment,
    handle: async ({ params, query, hub: { ledger }, caller }) => {
      await accessible(kinds.collection, params.id, caller, ledger.readModel)
      const position =
        query.at === undefined
          ? ledger.readModel.head.position
          : await positionIn(ledger, momentOf(query.at, 'at'), 'at')
      const tree = await treeAt(ledger, params.id, position)
      if (!tree) throw errors.notThere(kinds.collection.title)
      return { status: 200, body: { partBytes: tree.partBytes, parts: () => partsOf(tree, position) } }
    }
  })
}

/** The versions with what stands now for who made them; nothing stands for an account that is gone, or whose name is erased. */
async function withAvatars(read: Pick<ReadStore, 'getAll'>, { versions, count }: History) {
  const avatars = await avatarsOf(
    read,
    versions.flatMap(({ by }) => (by.name === null ? [] : by.id))
  )
  const told = versions.map((one) => {
    const avatar = one.by.name === null ? undefined : avatars.get(one.by.id)
    return avatar ? { ...one, by: { ...one.by, avatar } } : one
  })
  return { versions: told, count }
}

/** The reply to a question for a tree, a page of records at a time. */
async function* partsOf(tree: Tree, position: number): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`{"position":${position},"collection":${tree.collection}`)
  for (const kind of MEMBERS) {
    yield Buffer.from(`,"${kinds[kind].plural}":[`)
    let isFirst = true
    for await (const records of tree.records(kind)) {
      if (records.length === 0) continue
      yield Buffer.from(`${isFirst ? '' : ','}${records.join(',')}`)
      isFirst = false
    }
    yield Buffer.from(']')
  }
  yield Buffer.from('}')
}

/** The answer to a question for one record: as it is now, or with `?at=` as it was then. `row` is the one of now. */
export async function asOf(
  { query: { at }, hub }: Pick<RouteCall<unknown, unknown, z.infer<typeof moment>>, 'query' | 'hub'>,
  kind: RestorableKind,
  row: Row
): Promise<Reply> {
  const { ledger } = hub
  const { table } = kinds[kind]
  if (at === undefined)
    return placedRecord(kinds[kind], { row, place: await ledger.readModel.placeOf(sequenceOf(table), table, row) })
  const past = await placedAt(ledger, kind, row.id, await positionIn(ledger, momentOf(at, 'at'), 'at'))
  if (!past) throw errors.notThere(kinds[kind].title)
  return placedRecord(kinds[kind], past)
}

const EVENTS_MAX = 200

const eventPage = z.object({
  limit: pageSize(EVENTS_MAX, 50).describe('How many events a page has at most.'),
  before: counted.optional().describe('The `next` of the page before. Left out, the newest are listed.')
})

/** What happened in a collection, a page at a time. Access is that of now. */
export function activityRoutes(app: FastifyInstance): void {
  routes(app, 'history')('GET', '/collections/:id/activity', 'listCollectionActivity', activity, {
    summary: 'List what happened to a collection and in it, the newest first',
    about:
      'Changes of its folders, requests and documents while they were in it, of itself, and imports into it. 50 events where `limit` does not say; the next page begins `before` the `next` of this one.',
    query: eventPage,
    handle: async ({ params, query, hub, readModel, caller }) => {
      await accessible(kinds.collection, params.id, caller, readModel)
      return json(await activityOf(hub.ledger, params.id, query))
    }
  })
}

/** Single records for administrators, who see all of them in lists already: each kind by its id, as it is or as it was. */
export function adminRecordRoutes(app: FastifyInstance): void {
  for (const one of KINDS) {
    const { path, label } = kinds[one]
    routes(app, tagOf(one))('GET', `/admin/${path}/:id`, `get${label}AsAdmin`, records[one], {
      summary: `Get ${oneOf(kinds[one])} of anybody, as it is or as it was`,
      about: 'With `at` it is answered as it was at that moment; 404 where it was not there then.',
      isTagged: true,
      query: moment,
      handle: async (call) => asOf(call, one, await existing(kinds[one], call.params.id, call.hub.ledger.readModel))
    })
  }
}

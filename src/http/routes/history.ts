import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { existingCollection } from '../../../commands/collection/decide.js'
import { allows, type Caller, requireCollection } from '../../../commands/context.js'
import { accessibleFolder } from '../../../commands/folder/decide.js'
import { accessibleItem } from '../../../commands/item/decide.js'
import { existing, requireAccess } from '../../../commands/lockable.js'
import type { RestorableKind } from '../../../projections/departures.js'
import { environmentsTable } from '../../../projections/environments.js'
import { sequenceOf } from '../../../projections/sequences.js'
import { snippetsTable } from '../../../projections/snippets.js'
import { KINDS, kinds } from '../../../queries/kinds.js'
import type { PlacedRow } from '../../../queries/record.js'
import { errors } from '../../errors.js'
import { diffOf, historyOf, things } from '../../history/history.js'
import { placedAt } from '../../history/members.js'
import { restore } from '../../history/restore.js'
import { type Tree, treeAt } from '../../history/tree.js'
import { boundedText, LIMITS } from '../../limits.js'
import { momentOf, positionAt } from '../../log/moment.js'
import type { ReadStore, Row } from '../../storage/storage.js'
import { type Answer, json, placedRecord } from '../reply.js'
import { type Call, routes } from '../route.js'
import { idParams } from './input.js'

const VERSIONS_MAX = 200

const version = z.coerce.number().int().min(1)
const page = z.object({
  limit: z.coerce.number().int().min(1).max(VERSIONS_MAX).default(50),
  before: version.optional()
})
const range = z.object({ from: version, to: version })
const choice = z.object({ version: z.int().min(1) })
/** When a record is looked at; now where nothing is said. */
export const moment = z.object({ at: boundedText(LIMITS.label, 'at may be given once, as a text.').optional() })

const paths: Readonly<Record<RestorableKind, string>> = {
  collection: '/collections',
  environment: '/environments',
  snippet: '/snippets',
  folder: '/folders',
  request: '/requests',
  document: '/documents'
}

/** The history of records: versions, differences, restoring, and whole collections as they were. Access is that of now. */
export function historyRoutes(app: FastifyInstance): void {
  const route = routes(app)
  for (const kind of KINDS) {
    const path = `${paths[kind]}/:id`

    route('GET', `${path}/history`, { params: idParams, query: page, access: 'user' }, async (call) => {
      const { params, query, hub, caller } = call
      await visible(kind, params.id, caller, hub.ledger.view)
      return json(await historyOf(hub.ledger, kind, params.id, query))
    })

    route('GET', `${path}/diff`, { params: idParams, query: range, access: 'user' }, async (call) => {
      const { params, query, hub, caller } = call
      await visible(kind, params.id, caller, hub.ledger.view)
      return json(await diffOf(hub.ledger, kind, params.id, query))
    })

    route('POST', `${path}/restore`, { params: idParams, body: choice, access: 'user' }, async (call) => {
      const { params, body, hub, caller, agent, ifRevision } = call
      await visible(kind, params.id, caller, hub.ledger.view)
      const seesEnvironment = (id: string) => allows(caller.environmentAccess, id)
      const options = { ifRevision, seesEnvironment }
      return shown(kind, await restore(hub.ledger, agent, kind, params.id, body.version, options))
    })
  }

  route('GET', '/collections/:id/tree', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, query, hub, caller } = call
    const { ledger } = hub
    await visible('collection', params.id, caller, ledger.view)
    const position =
      query.at === undefined
        ? ledger.view.head.position
        : await positionAt(ledger.storage, momentOf(query.at, 'at'), 'at')
    const tree = await treeAt(ledger, params.id, position)
    if (!tree) throw errors.notThere(things.collection)
    return { status: 200, body: { partBytes: tree.partBytes, parts: () => partsOf(tree, position) } }
  })
}

/** The reply to a question for a tree, a page of records at a time. */
async function* partsOf(tree: Tree, position: number): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`{"position":${position},"collection":${tree.collection}`)
  for (const kind of ['folder', 'request', 'document'] as const) {
    yield Buffer.from(`,"${kind}s":[`)
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
  { query: { at }, hub }: Pick<Call<unknown, unknown, z.infer<typeof moment>>, 'query' | 'hub'>,
  kind: RestorableKind,
  row: Row
): Promise<Answer> {
  const { ledger } = hub
  const { table } = kinds[kind]
  if (at === undefined) return shown(kind, { row, place: await ledger.view.placeOf(sequenceOf(table), table, row) })
  const past = await placedAt(ledger, kind, row.id, await positionAt(ledger.storage, momentOf(at, 'at'), 'at'))
  if (!past) throw errors.notThere(things[kind])
  return shown(kind, past)
}

function shown(kind: RestorableKind, placed: PlacedRow): Answer {
  return placedRecord(kinds[kind].record(placed.row, placed.place), placed)
}

/** Refuses as the record's own route does: 403 outside the caller's access, 404 where it is not there. */
async function visible(kind: RestorableKind, id: string, caller: Caller, view: ReadStore): Promise<void> {
  switch (kind) {
    case 'collection':
      requireCollection(caller, id)
      await existingCollection(id, view)
      return
    case 'environment':
      requireAccess(caller, kind, id)
      await existing(kind, environmentsTable, id, view)
      return
    case 'snippet':
      requireAccess(caller, kind, id)
      await existing(kind, snippetsTable, id, view)
      return
    case 'folder':
      await accessibleFolder(id, caller, view)
      return
    default:
      await accessibleItem(kind, id, caller, view)
  }
}

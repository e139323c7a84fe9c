import type { Decision } from '../../src/ledger/decision.js'
import type { Rules } from '../../src/ledger/sequencing.js'
import type { EventCodec } from '../../src/log/codec.js'
import type { Cause, DecodedEvent, NewEvent } from '../../src/log/event.js'
import type { Effect } from '../../src/readmodel/readModel.js'
import type { ReadStore, Row, RowOp, TableSpec } from '../../src/storage/storage.js'

/** A domain of the log's own tests: items, in groups that can go as a whole, and notes that leave no row. */
export const items = {
  name: 'items',
  columns: { group: 'id', size: 'integer', owner: 'id?' },
  indexes: { byGroup: { by: ['group'], order: ['size'] } },
  scope: 'group'
} as const satisfies TableSpec
/** A second table, which items do not touch. */
export const marks = {
  name: 'marks',
  columns: { label: 'id' },
  indexes: { byLabel: { by: ['label'], order: [] } },
  scope: 'id'
} as const satisfies TableSpec

const cause: Cause = { actorId: 'actor', actorName: 'Ada', tokenId: null, address: null, requestId: null }

type Data = { readonly group?: string; readonly size?: number; readonly owner?: string | null }
const dataOf = (event: DecodedEvent): Data => event.data as Data

const projections: Readonly<Record<string, (event: DecodedEvent) => readonly RowOp[]>> = {
  ItemMade: (e) => {
    const { group = '', size = 0, owner = null } = dataOf(e)
    const row = {
      id: e.subject,
      version: e.version,
      revision: e.position,
      group,
      size,
      owner,
      body: `{"at":"${e.at}"}`
    }
    return [{ op: 'put', table: items, row } as RowOp]
  },
  ItemChanged: (e) => [
    { op: 'patch', table: items, id: e.subject, set: { ...dataOf(e), version: e.version, revision: e.position } }
  ],
  ItemGone: (e) => [{ op: 'delete', table: items, id: e.subject }],
  GroupGone: (e) => [{ op: 'deleteWhere', table: items, column: 'group', value: e.subject }],
  OwnerGone: (e) => [{ op: 'nullify', table: items, columns: ['owner'], value: e.subject, revision: e.position }],
  MarkMade: (e) => [
    {
      op: 'put',
      table: marks,
      row: { id: e.subject, version: e.version, revision: e.position, label: 'x', body: '{}' } as Row
    }
  ],
  Noted: () => [],
  Poisoned: () => [],
  Unprojectable: () => {
    throw new Error('This cannot be projected.')
  }
}

const codec: EventCodec = {
  knows: (type) => !type.startsWith('Unknown'),
  schemaOf: () => 1,
  begins: (type) => type === 'ItemMade' || type === 'MarkMade',
  decode: (_type, _schema, json) => JSON.parse(json),
  read: (_type, parsed) => parsed
}

export const rules: Rules = {
  codec,
  project: (event) => projections[event.type]?.(event) ?? [],
  tableOf: (stream) => (stream.startsWith('item-') ? items : stream.startsWith('mark-') ? marks : null)
}

/** What an event of a type may change. */
export function effectOf(type: string): Effect | null {
  if (type.startsWith('Unknown')) return null
  if (type === 'MarkMade') return { tables: [marks], oneRowOf: null }
  return {
    tables: type === 'Noted' || type === 'Poisoned' ? [] : [items],
    oneRowOf: type === 'ItemMade' || type === 'ItemChanged' ? items : null
  }
}

/** How a command of this domain decides. */
export type Decide = Decision['decide']

export class Refused extends Error {}

/** Makes an item, which must not be there yet. */
export const make =
  (id: string, data: Data = {}): Decide =>
  async (read) => {
    if (await read.get(items, id)) throw new Refused(`${id} is there`)
    return { events: [emit(`item-${id}`, 'ItemMade', { group: 'g', size: 0, ...data })], cause }
  }

/** Changes an item, which must be there. */
export const set =
  (id: string, data: Data): Decide =>
  async (read) => {
    if (!(await read.get(items, id))) throw new Refused(`${id} is not there`)
    return { events: [emit(`item-${id}`, 'ItemChanged', data)], cause }
  }

/** Adds one to the size of an item. */
export const grow =
  (id: string): Decide =>
  async (read) => {
    const item = await read.get(items, id)
    if (!item) throw new Refused(`${id} is not there`)
    return { events: [emit(`item-${id}`, 'ItemChanged', { size: item.size + 1 })], cause }
  }

/** Emits these events whatever there is. */
export const emits =
  (...events: readonly NewEvent[]): Decide =>
  async () => ({ events, cause })

/** Looks at what there is and changes nothing. */
export const looks =
  (look: (read: ReadStore) => Promise<unknown>): Decide =>
  async (read) => {
    await look(read)
    return { events: [], cause }
  }

/** One event of a stream. */
export function emit(stream: string, type: string, data: unknown = {}): NewEvent {
  return { stream, type, data }
}

import { indexOf, select } from '../order.js'
import type { Columns, ListOptions, ReadStore, Row, TableSpec, Value } from '../storage.js'
import type { Client } from './client.js'
import type { KnownParts } from './knownParts.js'
import { isPossible, isPossibleId, rowsCollection } from './layout.js'
import type { Query } from './query.js'
import { fieldsWithoutBody, partIdsOf, rowName, rowsOf } from './rows.js'
import { indexable } from './values.js'
import type { Answer, ServerTime } from './wire.js'

/** How many documents one question can name. */
const NAMES_MAX = 1000

/** Reading the rows of one generation, in lists and one after another. */
export interface RowReads extends ReadStore {
  scan(table: TableSpec, afterId: string, limit: number): Promise<readonly Row[]>
}

/** Reads the rows of the generation below `parent`, as they are or as they were at a moment. */
export function rowReads(client: Client, parent: string, known: KnownParts, at?: ServerTime): RowReads {
  const rowsIn = <C extends Columns>(table: TableSpec<C>, answer: Answer, withBody = true) => {
    // An older state says nothing about what a commit is about to replace.
    if (!at) for (const document of answer.documents) known.note(document.name, partIdsOf(document))
    return rowsOf(client, parent, table, answer, withBody)
  }
  const getAll = async <C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]> => {
    const names = [...new Set(ids)].filter(isPossibleId).map((id) => rowName(parent, table, id))
    const asked: Promise<readonly Row<C>[]>[] = []
    for (let i = 0; i < names.length; i += NAMES_MAX) {
      const answer = client.get(names.slice(i, i + NAMES_MAX), at)
      asked.push(answer.then((found) => rowsIn(table, found)))
    }
    return (await Promise.all(asked)).flat()
  }

  return {
    get: async (table, id) => (await getAll(table, [id]))[0] ?? null,
    getAll,
    async list(table, index, key, options = {}) {
      const { ids, limit, body } = options
      if (limit === 0 || !key.every(isPossible)) return []
      // Firestore takes no more than a few alternatives in one question: so the rows of an access list are read by their
      // ids, which are no more than the list has, and the rest of the question is answered here.
      if (ids) return shown(select(await getAll(table, ids), indexOf(table, index), key, options), options)
      const fields = body === false ? fieldsWithoutBody(table) : undefined
      const answer = await client.query(parent, { ...listQuery(table, index, key, options), fields }, at)
      return rowsIn(table, answer, body !== false)
    },
    count: async (table, index, key) =>
      key.every(isPossible) ? client.count(parent, listQuery(table, index, key, {})) : 0,
    async scan(table, afterId, limit) {
      const from = afterId === '' ? undefined : { name: rowName(parent, table, afterId), inclusive: false }
      return rowsIn(table, await client.query(parent, { collection: rowsCollection(table), from, limit }, at))
    }
  }
}

function listQuery(table: TableSpec, index: string, key: readonly Value[], { limit, reverse }: ListOptions): Query {
  const { by, order } = indexOf(table, index)
  const where = by.map((field, i) => ({ field, equals: indexable(key[i] ?? null) }))
  return { collection: rowsCollection(table), where, order, reverse: reverse ?? false, limit }
}

// Rows of a table have the columns of its spec, with or without their bodies.
function shown<C extends Columns>(rows: readonly Row[], { body }: ListOptions): readonly Row<C>[] {
  return (body === false ? rows.map((row) => ({ ...row, body: '' })) : rows) as readonly Row<C>[]
}

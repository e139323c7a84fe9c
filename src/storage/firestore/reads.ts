import { fitting, LIMITS, slices } from '../../limits.js'
import { indexOf, select, selectPart } from '../order.js'
import type { Columns, ListOptions, Outline, Row, RowOptions, RowReads, TableSpec, Value } from '../storage.js'
import { isPossible, isPossibleId, rowId, rowsCollection } from './layout.js'
import { type RowPlace, readWhole } from './parts.js'
import { fieldsWithoutBody, PARTS, partIdsOf, rowName, rowsOf } from './rows.js'
import { indexable, integerOf } from './values.js'
import { type Document, type Query, type QueryResult, type ServerTime, textBytes } from './wire.js'

/** How many documents one question can name. */
const NAMES_MAX = 1000
/** So many documents are never more than a page, however large they are. */
const NAMES_MIN = 4

/** Reads the rows of a generation, as they are or as they were at a moment. */
export function rowReads({ client, parent, known }: RowPlace, at?: ServerTime): RowReads {
  const rowsIn = <C extends Columns>(table: TableSpec<C>, answer: QueryResult, withBody = true) => {
    // An older state says nothing about what a commit is about to replace.
    if (!at) for (const document of answer.documents) known.note(document.name, partIdsOf(document))
    return rowsOf(client, parent, table, answer, withBody)
  }
  const getAll = async <C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]> => {
    const names = [...new Set(ids)].filter(isPossibleId).map((id) => rowName(parent, table, id))
    const asked = [...slices(names, NAMES_MAX)].map((some) =>
      readWhole(async () => rowsIn(table, await client.get(some, at)))
    )
    return (await Promise.all(asked)).flat()
  }

  // How large the rows are is seen when they come: where that is too much, fewer of them are asked for from then on.
  let atOnce = 64
  const getPage = async <C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[]
  ): Promise<readonly Row<C>[]> => {
    const names = ids.filter(isPossibleId).map((id) => rowName(parent, table, id))
    for (let from = 0; from < names.length; ) {
      const some = names.slice(from, from + atOnce)
      const answer = await client.get(some, at, LIMITS.page.max)
      if (answer.isCut && some.length > NAMES_MIN) {
        atOnce = Math.max(NAMES_MIN, Math.floor(some.length / 4))
        continue
      }
      if (!answer.isCut) atOnce = Math.min(NAMES_MAX, 2 * atOnce)
      const byName = new Map(answer.documents.map((document) => [document.name, document]))
      const documents = some.flatMap((name) => byName.get(name) ?? [])
      if (documents.length > 0) return rowsIn(table, { ...answer, documents: fitting(documents, LIMITS.page, bytesOf) })
      from += some.length
    }
    return []
  }
  async function* pagesOf<C extends Columns>(table: TableSpec<C>, ids: readonly string[]) {
    for (let rest = [...new Set(ids)]; rest.length > 0; ) {
      const page = await getPage(table, rest)
      const last = page.at(-1)
      if (!last) return
      yield page
      rest = rest.slice(rest.indexOf(last.id) + 1)
    }
  }
  /** The rows of these ids that belong to a list, in its order, as `each` leaves them page by page; null where it says so. */
  const among = async <C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options: Selected,
    each: (page: readonly Row<C>[]) => readonly Row<C>[] | null
  ): Promise<readonly Row<C>[] | null> => {
    const rows: Row<C>[] = []
    for await (const page of pagesOf(table, options.ids)) {
      const some = each(page)
      if (!some) return null
      rows.push(...some)
    }
    return shown(select(rows, indexOf(table, index), key, options), {})
  }

  /** Values of an index's order and then of the id, or the first few of them, as a question names them. */
  const placeOf = (table: TableSpec, index: string, values: readonly Value[]): readonly Value[] => {
    const columns = indexOf(table, index).order.length
    return values.map((value, i) => (i < columns ? indexable(value) : rowName(parent, table, String(value))))
  }

  return {
    get: async (table, id) => (await getAll(table, [id]))[0] ?? null,
    async getAll(table, ids, options = {}) {
      if (options.body !== false) return getAll(table, ids)
      const rows: Row<typeof table.columns>[] = []
      for await (const page of pagesOf(table, ids)) rows.push(...shown<typeof table.columns>(page, options))
      return rows
    },
    getPage,
    async wholeList(table, index, key, selection = {}) {
      const { wholeList, wholeListRows } = LIMITS
      const { ids } = selection
      if (!key.every(isPossible)) return []
      if (ids) {
        let bytes = 0
        return among(table, index, key, { ...selection, ids }, (page) => {
          for (const { body } of page) bytes += Buffer.byteLength(body)
          return bytes <= wholeList.max ? page : null
        })
      }
      const query = listQuery(table, index, key, { ...selection, limit: wholeListRows.max + 1 })
      const answer = await client.query(parent, query, at, wholeList.max)
      const { documents, isCut } = answer
      const isWhole =
        !isCut && documents.length <= wholeListRows.max && !documents.some((one) => partIdsOf(one).size > 0)
      return isWhole ? rowsIn(table, answer) : null
    },
    async outline(table, index, key, selection = {}) {
      const { ids } = selection
      if (!key.every(isPossible)) return []
      if (ids) {
        const sizes = new Map<string, number>()
        const rows = await among(table, index, key, { ...selection, ids }, (page) =>
          page.map((row) => {
            sizes.set(row.id, Buffer.byteLength(row.body))
            return { ...row, body: '' }
          })
        )
        return (rows ?? []).map(({ id, revision }) => ({ id, revision, bytes: sizes.get(id) ?? 0 }))
      }
      const query = { ...listQuery(table, index, key, selection), fields: ['revision', PARTS] }
      return (await client.query(parent, query, at)).documents.map(toOutline)
    },
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
    async listPart(table, index, key, { after, ...options }) {
      const { ids, limit } = options
      if (limit === 0 || !key.every(isPossible) || after?.some((value) => !isPossible(value))) return []
      if (ids) {
        const rows = selectPart(await getAll(table, ids), indexOf(table, index), key, { ...options, after })
        return shown(rows, { body: false })
      }
      const behind = after && placeOf(table, index, after)
      const query = { ...listQuery(table, index, key, options), behind, fields: fieldsWithoutBody(table) }
      return rowsIn(table, await client.query(parent, query, at), false)
    },
    async count(table, index, key, before) {
      if (!key.every(isPossible)) return 0
      const end = before && placeOf(table, index, before)
      return client.count(parent, { ...listQuery(table, index, key, {}), before: end })
    },
    async scan(table, afterId, limit) {
      const from = afterId === '' ? undefined : { name: rowName(parent, table, afterId), inclusive: false }
      const answer = await client.query(parent, { collection: rowsCollection(table), from, limit }, at, LIMITS.page.max)
      return rowsIn(table, { ...answer, documents: fitting(answer.documents, LIMITS.page, bytesOf) })
    }
  }
}

function listQuery(table: TableSpec, index: string, key: readonly Value[], { limit, reverse }: ListOptions): Query {
  const { by, order } = indexOf(table, index)
  const where = by.map((field, i) => ({ field, equals: indexable(key[i] ?? null) }))
  return { collection: rowsCollection(table), where, order, reverse: reverse ?? false, limit }
}

type Selected = Pick<ListOptions, 'reverse'> & { readonly ids: readonly string[] }

/** How large a row is. A text in parts is compressed: how long it is nobody knows before it is read, but it is not short. */
function bytesOf(document: Document): number {
  return partIdsOf(document).size > 0 ? LIMITS.page.max : textBytes(document)
}

function toOutline(document: Document): Outline {
  return { id: rowId(document.name), revision: integerOf(document.fields.revision) ?? 0, bytes: bytesOf(document) }
}

// Rows of a table have the columns of its spec, with or without their bodies.
function shown<C extends Columns>(rows: readonly Row[], { body }: RowOptions): readonly Row<C>[] {
  return (body === false ? rows.map((row) => ({ ...row, body: '' })) : rows) as readonly Row<C>[]
}

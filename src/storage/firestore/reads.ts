import { FieldPath, type Firestore, type Query, type Timestamp } from '@google-cloud/firestore'
import { fitting, LIMITS, slices } from '../../limits.js'
import { indexOf, select } from '../order.js'
import type {
  Columns,
  ListOptions,
  Outline,
  PartOptions,
  Row,
  RowOptions,
  RowReads,
  TableSpec,
  Value
} from '../storage.js'
import { type Answer, textBytes } from './client.js'
import { type Document, indexable, integerOf } from './documents.js'
import { documentId, isPossible, isPossibleId, rowId, rowsCollection } from './layout.js'
import { partIdsOf } from './parts.js'
import { BODY_BYTES, fieldsWithoutBody, type RowPlace, rowPath, rowsOf } from './rows.js'

/** How many documents one question can name. */
const NAMES_MAX = 1000
/** How many rows are asked for at a time that may be large: as many documents of a MiB are what is then in memory. */
const AT_ONCE_MAX = 64
const AT_ONCE_MIN = 4

/** Reads the rows of a generation. */
export function rowReads(place: RowPlace): RowReads {
  const { client, parent } = place
  /** The documents of rows by their ids, or some fields of them, in answers of so many as one question can name. */
  const named = (table: TableSpec, ids: readonly string[], fields?: readonly string[]): Promise<readonly Answer[]> => {
    const paths = [...new Set(ids)].filter(isPossibleId).map((id) => rowPath(parent, table, id))
    return Promise.all([...slices(paths, NAMES_MAX)].map((some) => client.get(some, { fields })))
  }
  const getAll = async <C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[],
    { body }: RowOptions = {}
  ): Promise<readonly Row<C>[]> => {
    const answers = await named(table, ids, body === false ? fieldsWithoutBody(table) : undefined)
    return (await Promise.all(answers.map((answer) => rowsOf(place, table, answer, body !== false)))).flat()
  }

  // How large the rows are is seen when they come: where that is too much, fewer of them are asked for from then on.
  let atOnce = AT_ONCE_MAX
  const getPage = async <C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[]
  ): Promise<readonly Row<C>[]> => {
    const paths = ids.filter(isPossibleId).map((id) => rowPath(parent, table, id))
    for (let from = 0; from < paths.length; ) {
      const some = paths.slice(from, from + atOnce)
      const answer = await client.get(some)
      const documents = fitting(answer.documents, LIMITS.page, bytesOf)
      const isCut = documents.length < answer.documents.length
      atOnce = isCut ? Math.max(AT_ONCE_MIN, documents.length) : Math.min(AT_ONCE_MAX, 2 * atOnce)
      if (documents.length > 0) return rowsOf(place, table, { ...answer, documents })
      from += some.length
    }
    return []
  }
  /** The rows of an access list whose texts are no more than so long together; null where they are. */
  const fewOf = async <C extends Columns>(table: TableSpec<C>, ids: readonly string[], bytesMax: number) => {
    const rows: Row<C>[] = []
    let bytes = 0
    for (let rest = [...new Set(ids)]; rest.length > 0; ) {
      const page = await getPage(table, rest)
      const last = page.at(-1)
      if (!last) break
      for (const { body } of page) bytes += Buffer.byteLength(body)
      if (bytes > bytesMax) return null
      rows.push(...page)
      rest = rest.slice(rest.indexOf(last.id) + 1)
    }
    return rows
  }
  /** The rows under a key, of which an index has the order. */
  const listOf = (
    store: Firestore,
    table: TableSpec,
    index: string,
    key: readonly Value[],
    { limit, reverse }: ListOptions = {}
  ): Query => {
    const { by, order } = indexOf(table, index)
    let query: Query = store.collection(`${parent}/${rowsCollection(table)}`)
    for (const [i, column] of by.entries()) query = query.where(column, '==', indexable(key[i] ?? null))
    for (const column of [...order, FieldPath.documentId()]) query = query.orderBy(column, reverse ? 'desc' : 'asc')
    return limit === undefined ? query : query.limit(limit)
  }
  const listed = async <C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options: ListOptions & Pick<PartOptions, 'after'>
  ): Promise<readonly Row<C>[]> => {
    const { ids, limit, body, after } = options
    if (limit === 0 || ![...key, ...(after ?? [])].every(isPossible)) return []
    // Firestore takes no more than a few alternatives in one question: so the rows of an access list are read by their
    // ids, which are no more than the list has, and the rest of the question is answered here.
    if (ids) return select(await getAll(table, ids, options), indexOf(table, index), key, options)
    const answer = await client.query((store) => {
      const list = listOf(store, table, index, key, options)
      const part = after ? list.startAfter(...placeOf(table, index, after)) : list
      return body === false ? part.select(...fieldsWithoutBody(table)) : part
    })
    return rowsOf(place, table, answer, body !== false)
  }

  return {
    get: async (table, id) => (await getAll(table, [id]))[0] ?? null,
    getAll,
    getPage,
    async wholeList(table, index, key, selection = {}) {
      const { wholeList, wholeListRows } = LIMITS
      const { ids } = selection
      if (!key.every(isPossible)) return []
      if (ids) {
        const rows = await fewOf(table, ids, wholeList.max)
        const found = rows && select(rows, indexOf(table, index), key, selection)
        return found && found.length <= wholeListRows.max ? found : null
      }
      const options = { ...selection, limit: wholeListRows.max + 1 }
      const answer = await client.query((store) => listOf(store, table, index, key, options), wholeList.max)
      const { documents, isCut } = answer
      const isWhole =
        !isCut && documents.length <= wholeListRows.max && !documents.some((one) => partIdsOf(one).size > 0)
      return isWhole ? rowsOf(place, table, answer) : null
    },
    async outline(table, index, key, selection = {}) {
      const { ids } = selection
      if (!key.every(isPossible)) return []
      if (ids) {
        const answers = await named(table, ids, [...fieldsWithoutBody(table), BODY_BYTES])
        const outlines = new Map(
          answers.flatMap(({ documents }) => documents.map(toOutline)).map((one) => [one.id, one])
        )
        const rows = (await Promise.all(answers.map((answer) => rowsOf(place, table, answer, false)))).flat()
        return select(rows, indexOf(table, index), key, selection).flatMap(({ id }) => outlines.get(id) ?? [])
      }
      const { documents } = await client.query((store) =>
        listOf(store, table, index, key, selection).select('revision', BODY_BYTES)
      )
      return documents.map(toOutline)
    },
    list: (table, index, key, options = {}) => listed(table, index, key, options),
    listPart: (table, index, key, part) => listed(table, index, key, { ...part, body: false }),
    async count(table, index, key, before) {
      if (!key.every(isPossible)) return 0
      return client.count((store) => {
        const list = listOf(store, table, index, key)
        return before ? list.endBefore(...placeOf(table, index, before)) : list
      })
    },
    scan: scanOf(place)
  }
}

/** Reads a generation one row after another: as it is, or as it was at a moment. */
export function scanOf(place: RowPlace, at?: Timestamp): RowReads['scan'] {
  const { client, parent } = place
  return async (table, afterId, limit) => {
    const question = (store: Firestore) => {
      const all = store.collection(`${parent}/${rowsCollection(table)}`).orderBy(FieldPath.documentId())
      return (afterId === '' ? all : all.startAfter(documentId(afterId))).limit(
        at ? Math.min(limit, AT_ONCE_MAX) : limit
      )
    }
    const answer = await (at ? client.queryAt(question, at) : client.query(question, LIMITS.page.max))
    return rowsOf(place, table, { ...answer, documents: fitting(answer.documents, LIMITS.page, bytesOf) })
  }
}

/** Values of an index's order and then of the id, or the first few of them, as a question names them. */
function placeOf(table: TableSpec, index: string, values: readonly Value[]): readonly Value[] {
  const columns = indexOf(table, index).order.length
  return values.map((value, i) => (i < columns ? indexable(value) : documentId(String(value))))
}

/** How large a row is. A text in parts is compressed: how long it is nobody knows before it is read, but it is not short. */
function bytesOf(document: Document): number {
  return partIdsOf(document).size > 0 ? LIMITS.page.max : textBytes(document)
}

function toOutline({ path, fields }: Document): Outline {
  return { id: rowId(path), revision: integerOf(fields.revision) ?? 0, bytes: integerOf(fields[BODY_BYTES]) ?? 0 }
}

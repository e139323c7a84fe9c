import { codec } from '../../commands/index.js'
import { kinds, type RestorableKind } from '../../commands/kinds.js'
import { project } from '../../projections/index.js'
import { decoded } from '../log/codec.js'
import type { DecodedEvent, EventHeader } from '../log/event.js'
import { eventsAt, flat } from '../log/pages.js'
import { rowAfter } from '../storage/rowOps.js'
import type { Columns, ReadStore, Row, RowOp, Storage, TableSpec } from '../storage/storage.js'
import { giveWay } from '../turns.js'

const PAGE = 500

/** The kind in a stream's name. */
export function kindIn(stream: string): string {
  return stream.slice(0, stream.indexOf('-'))
}

/** The types that are versions of a record: all of its own stream but the orders that a collection's stream holds too. */
export function versionTypes(kind: RestorableKind): readonly string[] {
  const { makes, changes, ends } = kinds[kind].steps
  return [...makes, ...changes.flat(), ...ends]
}

/** The row of the event's own subject after the event. */
export function after(row: Row | null, event: DecodedEvent, table: TableSpec): Row | null {
  return project(event).reduce((now, op) => rowAfter(now, op, table, event.subject), row)
}

/** The events of one stream that are of these types, or of any, up to a position, from the newest on. */
export async function* newestFirst(
  { storage }: { readonly storage: Pick<Storage, 'searchLog'> },
  stream: string,
  types: readonly string[] | undefined,
  position: number
): AsyncGenerator<EventHeader, void> {
  for (let through = position; ; ) {
    const page = await storage.searchLog({ streams: [stream], types }, { after: 0, through }, PAGE, true)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    through = last.position - 1
    await giveWay()
  }
}

/** The rows that one stream alone has made, in every table, as they were at a position. It costs what the stream is long. */
export async function streamAt(
  storage: Pick<Storage, 'searchLog' | 'readAt'>,
  stream: string,
  position: number
): Promise<Pick<ReadStore, 'get'>> {
  const headers: EventHeader[] = []
  for await (const header of newestFirst({ storage }, stream, undefined, position)) headers.push(header)
  const ops: RowOp[] = []
  for await (const event of flat(eventsAt(storage, headers))) ops.push(...project(decoded(event, codec)))
  return {
    async get<C extends Columns>(table: TableSpec<C>, id: string) {
      // What is folded are changes of this table, whose spec gives its rows their type.
      return ops.reduce<Row | null>((row, op) => rowAfter(row, op, table, id), null) as Row<C> | null
    }
  }
}

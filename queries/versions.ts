import type { RestorableKind } from '../commands/kinds.js'
import { type Effect, versionsTable } from '../projections/versions.js'
import type { PagedReads, Row } from '../src/storage/storage.js'

/** What an event did to a record. */
export type Touch = Row<typeof versionsTable.columns>

/** An effect on a record, up to a position. */
interface Asked {
  readonly kind: RestorableKind
  readonly id: string
  readonly effect: Effect
  readonly at: number
}

const PAGE = 500

/** The last event up to a position that changed a record in this way; null where none did. */
export async function newestTouch(view: Pick<PagedReads, 'listPart'>, asked: Asked): Promise<Touch | null> {
  return (await touches(view, asked, 1))[0] ?? null
}

/** The events up to a position that changed a record in this way, from the newest on. */
export async function* touchesOf(view: Pick<PagedReads, 'listPart'>, asked: Asked): AsyncGenerator<Touch, void> {
  for (let at = asked.at; ; ) {
    const page = await touches(view, { ...asked, at }, PAGE)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    at = last.position - 1
  }
}

function touches(view: Pick<PagedReads, 'listPart'>, { kind, id, effect, at }: Asked, limit: number) {
  return view.listPart(versionsTable, 'byEffect', [kind, id, effect], { reverse: true, after: startOf(at + 1), limit })
}

/** What is told of a collection, before a position or all of it, from the newest on. */
export function touchesIn(
  view: Pick<PagedReads, 'listPart'>,
  collectionId: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number }
): Promise<readonly Touch[]> {
  const after = before === undefined ? undefined : startOf(before)
  return view.listPart(versionsTable, 'byCollection', [collectionId], { reverse: true, after, limit })
}

/** Where the rows of a position begin in an index: that of the event's own stream has the least id. */
function startOf(position: number): readonly [number, string] {
  return [position, String(position)]
}

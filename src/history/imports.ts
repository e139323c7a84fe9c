import type { EventHeader } from '../log/event.js'
import type { PositionRange, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'

/** Imports in a range of the log. */
export interface Imports {
  readonly events: readonly EventHeader[]
  /** Those before this position were not looked at; null where all were. */
  readonly from: number | null
}

const PAGE = 500
const LOOKED_AT_MAX = 5000

/**
 * Finds the imports in a range of the log that did some of these events, among the last so many of the whole hub. The event of an
 * import is of the stream of its source, and comes right behind what the import did last.
 */
export async function importsBehind(
  storage: Pick<Storage, 'searchLog'>,
  { after, through }: PositionRange,
  did: readonly EventHeader[]
): Promise<Imports> {
  const commands = new Map(did.map(({ position, commandId }) => [position, commandId]))
  const events: EventHeader[] = []
  let from: number | null = null
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += PAGE) {
    const range = { after, through: from === null ? through : from - 1 }
    const page = await storage.searchLog({ types: ['SourceImported'] }, range, PAGE, true)
    events.push(...page.filter(({ position, commandId }) => commands.get(position - 1) === commandId))
    const last = page.at(-1)
    if (!last || page.length < PAGE) return { events, from: null }
    from = last.position
    await giveWay()
  }
  return { events, from }
}

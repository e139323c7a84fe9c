import { z } from 'zod'
import { kinds } from '../../commands/kinds.js'
import { slices } from '../limits.js'
import type { Row, RowOp } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { contentStep, lay } from './fold.js'
import type { HistorySource, Past } from './past.js'

const STREAMS_MAX = 500
const attributionColumns = z.object({ createdBy: z.string().nullable(), updatedBy: z.string().nullable() })

/** Lays over records what became of accounts and of a parent that they named: no event tells of it record by record. */
export async function laidOver(source: HistorySource, pasts: readonly Past[]): Promise<readonly Past[]> {
  const accounts = await accountsGone(source, pasts)
  const found: Past[] = []
  for (const past of pasts) {
    const { outline, steps, at, kind } = past
    const since = steps[0]?.position ?? 0
    const laid: RowOp[] = []
    for (const account of outline ? attributed(outline) : []) {
      const position = accounts.get(account) ?? 0
      if (since < position && position <= at)
        laid.push(nulled(past, ['createdBy', 'updatedBy'], { value: account, position }))
    }
    laid.push(...(await parentGone(source, past)))
    found.push({ ...past, laid, outline: outline && laid.reduce<Row>((row, op) => lay(row, op, kind), outline) })
    await giveWay()
  }
  return found
}

/** The accounts that a row names, each once. */
function attributed(row: Row): readonly string[] {
  const { createdBy, updatedBy } = attributionColumns.parse(row)
  return [...new Set([createdBy, updatedBy])].filter((id) => id !== null)
}

/** The positions at which accounts went that these name. Accounts never come back. */
async function accountsGone({ storage }: HistorySource, pasts: readonly Past[]): Promise<ReadonlyMap<string, number>> {
  const streams = new Set(
    pasts.flatMap(({ outline }) => (outline ? attributed(outline) : [])).map((id) => `user-${id}`)
  )
  const through = pasts.reduce((max, { at }) => Math.max(max, at), 0)
  const gone = new Map<string, number>()
  for (const some of slices([...streams], STREAMS_MAX)) {
    for (const { stream, position } of await storage.lastOf(some, ['UserDeleted'], through))
      gone.set(stream.slice('user-'.length), position)
  }
  return gone
}

/** The first deletion of a record's parent of its own kind since it was put below that: also of one that came back. */
async function parentGone({ storage }: HistorySource, past: Past): Promise<readonly RowOp[]> {
  const { outline, kind, at } = past
  const { isMember, label, parentOf } = kinds[kind]
  const parent = outline && !isMember ? parentOf(outline) : null
  if (parent === null) return []
  const filter = { streams: [`${kind}-${parent}`], types: [`${label}Deleted`] }
  const within = { after: contentStep(past)?.position ?? 0, through: at }
  const [first] = await storage.searchLog(filter, within, 1, false)
  return first ? [nulled(past, ['parentUuid'], { value: parent, position: first.position })] : []
}

function nulled(
  { kind }: Past,
  columns: readonly string[],
  { value, position }: { readonly value: string; readonly position: number }
): RowOp {
  return { op: 'nullify', table: kinds[kind].table, columns, value, revision: position }
}

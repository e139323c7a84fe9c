import { codec } from '../../../commands/index.js'
import { project } from '../../../projections/index.js'
import { replay } from '../../../projections/replay.js'
import { eventsIn } from '../../ledger/events.js'
import { BUILT_HERE } from '../../ledger/rebuild.js'
import type { Keyring } from '../../log/chain.js'
import { decoded } from '../../log/codec.js'
import type { Head, StoredEvent } from '../../log/event.js'
import { GENERATION_SWITCHED } from '../../readmodel/readModel.js'
import { isBulk } from '../../storage/rowOps.js'
import type { RowOp, Storage, Switch } from '../../storage/storage.js'
import { ChainWalk } from '../audit/walk.js'
import { BackupError } from './format.js'

const EVENTS_MAX = 250
/** So many characters of texts are written in one go. */
const LENGTH_MAX = 512 * 1024

type Progress = (position: number) => void

/**
 * Takes the events of a log, from its first one on, into a hub that is empty or holds the beginning of the same log: positions,
 * times, salts and chain stay as they are, and each event has to continue the chain, for which the keys are needed that it is
 * sealed with. Returns the head it came to. Throws `BackupError`; what was imported before stays, and can be continued. `end` is where
 * what the hub holds of the log ends, where something else is behind that.
 */
export async function importLog(
  storage: Storage,
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  keys: Keyring,
  progress: Progress = () => {},
  end?: Head
): Promise<Head> {
  const start = end ?? (await storage.head())
  const walk = new ChainWalk(keys)
  let batch = emptyBatch(start)
  for await (const event of events) {
    requireNext(event, walk)
    if (event.position < start.position) continue
    if (event.position === start.position) {
      if (event.chain === start.chain && walk.head.generation === start.generation) continue
      throw new BackupError('The hub is not empty: it holds another log. Import into an empty database.')
    }
    const ops = project(decoded(event, codec))
    // A change of unnamed rows must find the rows of the events before it in the tables.
    const alone = event.type === GENERATION_SWITCHED || ops.some(isBulk)
    if (alone) batch = await committed(storage, batch, progress)
    if (event.type === GENERATION_SWITCHED) batch.switch = await built(storage, walk.head.generation, batch.after)
    batch.events.push(event)
    for (const op of ops) batch.ops.push(op)
    batch.head = sealedBy(walk, start)
    batch.length += (event.payload.text?.length ?? 0) + (event.who.text?.length ?? 0)
    if (alone || batch.events.length >= EVENTS_MAX || batch.length >= LENGTH_MAX)
      batch = await committed(storage, batch, progress)
  }
  const { after: head } = await committed(storage, batch, progress)
  if (walk.head.position < start.position)
    throw new BackupError(
      'The hub holds more than the file. Nothing was imported: name a configuration with another, empty database.'
    )
  return head
}

/** The head after the last event, sealed as it is where the log is from. */
function sealedBy({ head, sealing }: ChainWalk, { writtenUnder }: Head): Head {
  const seal = sealing?.sealHead(head)
  return { ...head, ...(writtenUnder !== undefined && { writtenUnder }), ...(seal !== undefined && { seal }) }
}

/** The log switches to other read tables here, and so does this hub: it comes to name the same ones as the hub it is from. */
async function built(storage: Storage, generation: number, { position: to }: Head): Promise<Switch> {
  const over = (await storage.buildOf(generation))?.builder ?? null
  const builder = await storage.createGeneration(generation, over, BUILT_HERE)
  const position = await replay(storage, eventsIn(storage), { generation, builder, from: 0, to })
  const fence = { generation, builder, position }
  return { fence, left: 'imported' }
}

interface Pending {
  readonly after: Head
  head: Head
  readonly events: StoredEvent[]
  readonly ops: RowOp[]
  length: number
  switch?: Switch
}

function emptyBatch(after: Head): Pending {
  return { after, head: after, events: [], ops: [], length: 0 }
}

function requireNext(event: StoredEvent, walk: ChainWalk): void {
  const expected = walk.head.position + 1
  const reason = walk.take(event)
  if (reason !== null) throw new BackupError(`Position ${expected}: ${reason}`)
  if (!walk.sealing)
    throw new BackupError(
      `From position ${expected + 1} on the chain is sealed with the key ${walk.sealed?.keyId}: name its file in the configuration.`
    )
}

async function committed(storage: Storage, batch: Pending, progress: Progress): Promise<Pending> {
  const { after, head, events, ops, switch: to } = batch
  if (events.length === 0) return emptyBatch(after)
  if ((await storage.commit({ after, events, ops, head, switch: to })) === 'stale')
    throw new BackupError('Somebody else writes to this hub. Stop it, then import again.')
  if (to) await storage.dropGeneration(after.generation, (await storage.buildOf(after.generation))?.builder ?? null)
  progress(head.position)
  return emptyBatch(head)
}

import type { Readable } from 'node:stream'
import { codec } from '../../commands/index.js'
import { project } from '../../projections/index.js'
import { replay } from '../../projections/replay.js'
import { ChainWalk } from '../audit/walk.js'
import { eventsIn } from '../events.js'
import { LIMITS } from '../limits.js'
import { GENERATION_SWITCHED } from '../log/cachedReads.js'
import { type Keyring, NO_KEYS } from '../log/chain.js'
import { decoded } from '../log/codec.js'
import type { Head, StoredEvent } from '../log/event.js'
import { BUILT_HERE } from '../rebuild.js'
import { isBulk } from '../storage/rowOps.js'
import type { RowOp, Storage, Switch } from '../storage/storage.js'
import { fromLine, LineTooLong, linesOf } from './lines.js'

const EVENTS_MAX = 250
const BYTES_MAX = 512 * 1024

/** The lines cannot be taken over; the message names the line. What was imported before it stays and can be continued. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/**
 * Takes over a log, line by line, into a hub that is empty or holds the beginning of the same log: positions, times, salts
 * and chain stay as they are, and everything is checked that `audit verify` checks, for which the keys are needed that the log
 * is sealed with. Returns the head it came to. `isToldLater` is for whoever appends the events that tell of erasures and are
 * not among the lines.
 */
export async function importLog(
  storage: Storage,
  input: Readable,
  progress: (position: number) => void = () => {},
  keys: Keyring = NO_KEYS,
  isToldLater = false
): Promise<Head> {
  const start = await storage.head()
  const walk = new ChainWalk(keys)
  let batch = emptyBatch(start)
  let number = 0
  for await (const line of textsOf(input)) {
    number++
    if (line.trim() === '') continue
    const event = checked(fromLine(line), walk, number)
    if (event.position < start.position) continue
    if (event.position === start.position) {
      if (event.chain === start.chain && walk.head.generation === start.generation) continue
      throw new ImportError('The hub is not empty: it holds another log. Import into an empty database.')
    }
    const ops = project(decoded(event, codec))
    // A change of unnamed rows must find the rows of the events before it in the tables.
    const alone = event.type === GENERATION_SWITCHED || ops.some(isBulk)
    if (alone) batch = await committed(storage, batch, progress)
    if (event.type === GENERATION_SWITCHED) batch.switch = await built(storage, walk.head.generation, batch.after)
    batch.events.push(event)
    batch.ops.push(...ops)
    batch.head = sealedBy(walk, start)
    batch.bytes += line.length
    if (alone || batch.events.length >= EVENTS_MAX || batch.bytes >= BYTES_MAX) {
      batch = await committed(storage, batch, progress)
    }
  }
  await committed(storage, batch, progress)
  if (walk.head.position < start.position)
    throw new ImportError(
      'The hub holds more than the file. Nothing was imported: name a configuration with another, empty database.'
    )
  if (walk.untold !== null && !isToldLater)
    throw new ImportError(
      `Position ${walk.untold}: what this event held was erased, and no event of the file tells by whom.`
    )
  return storage.head()
}

/** The head after the last line, sealed as it is where the log is from. */
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
  await storage.completeGeneration(fence)
  return { fence, left: 'imported' }
}

async function* textsOf(input: Readable): AsyncGenerator<string> {
  try {
    for await (const { text } of linesOf(input, LIMITS.logLine.max)) yield text
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error
    throw new ImportError(`${error.message} No event of a log is that large: this is no exported log.`)
  }
}

interface Pending {
  readonly after: Head
  head: Head
  readonly events: StoredEvent[]
  readonly ops: RowOp[]
  bytes: number
  switch?: Switch
}

function emptyBatch(after: Head): Pending {
  return { after, head: after, events: [], ops: [], bytes: 0 }
}

function checked(event: StoredEvent | null, walk: ChainWalk, line: number): StoredEvent {
  if (!event) throw new ImportError(`Line ${line} is not an event.`)
  const expected = walk.head.position + 1
  if (event.position !== expected)
    throw new ImportError(`Line ${line} holds position ${event.position}; ${expected} was expected.`)
  const reason = walk.take(event)
  if (reason !== null)
    throw new ImportError(
      `Line ${line} breaks the chain: position ${event.position} is not what was written. ${reason}`
    )
  if (!walk.sealing)
    throw new ImportError(
      `From line ${line} on the chain is sealed with the key ${walk.sealed?.keyId}: name its file in the configuration.`
    )
  return event
}

async function committed(storage: Storage, batch: Pending, progress: (position: number) => void): Promise<Pending> {
  const { after, head, events, ops, switch: to } = batch
  if (events.length === 0) return emptyBatch(after)
  if ((await storage.commit({ after, events, ops, head, switch: to })) === 'stale') {
    throw new ImportError('Somebody else writes to this hub. Stop it, then import again.')
  }
  if (to) await storage.dropGeneration(after.generation, (await storage.buildOf(after.generation))?.builder ?? null)
  progress(head.position)
  return emptyBatch(head)
}

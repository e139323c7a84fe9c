import type { Readable } from 'node:stream'
import { codec } from '../../commands/index.js'
import { project } from '../../projections/index.js'
import { LIMITS } from '../limits.js'
import { recorded } from '../log/batch.js'
import { GENESIS, isIntact, link } from '../log/chain.js'
import type { Head, StoredEvent } from '../log/event.js'
import type { RowOp, Storage } from '../storage/storage.js'
import { fromLine } from './line.js'
import { LineTooLong, linesOf } from './lines.js'

const EVENTS_MAX = 250
const BYTES_MAX = 512 * 1024

/** The lines cannot be taken over; the message names the line. What was imported before it stays and can be continued. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/**
 * Takes over a log, line by line, into a hub that is empty or holds the beginning of the same log: positions, times, salts
 * and chain stay as they are, and every link of the chain is checked. Returns the head it came to.
 */
export async function importLog(
  storage: Storage,
  input: Readable,
  progress: (position: number) => void = () => {}
): Promise<Head> {
  const start = await storage.head()
  let head: Head = { ...start, position: 0, chain: GENESIS, at: new Date(0).toISOString() }
  let batch = emptyBatch(start)
  let number = 0
  for await (const line of textsOf(input)) {
    number++
    if (line.trim() === '') continue
    const event = checked(fromLine(line), head, number)
    head = { ...head, position: event.position, chain: event.chain, at: event.at }
    if (event.position < start.position) continue
    if (event.position === start.position) {
      if (event.chain === start.chain) continue
      throw new ImportError('The hub is not empty: it holds another log. Import into an empty database.')
    }
    const ops = project(recorded(event, codec))
    // A change of unnamed rows must find the rows of the events before it in the tables.
    const alone = ops.some(({ op }) => op === 'deleteWhere' || op === 'clear')
    if (alone) batch = await committed(storage, batch, progress)
    batch.events.push(event)
    batch.ops.push(...ops)
    batch.bytes += line.length
    if (alone || batch.events.length >= EVENTS_MAX || batch.bytes >= BYTES_MAX) {
      batch = await committed(storage, batch, progress)
    }
  }
  await committed(storage, batch, progress)
  if (head.position < start.position) throw new ImportError('The hub holds more than the file. Nothing was imported.')
  return storage.head()
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
  readonly events: StoredEvent[]
  readonly ops: RowOp[]
  bytes: number
}

function emptyBatch(after: Head): Pending {
  return { after, events: [], ops: [], bytes: 0 }
}

function checked(event: StoredEvent | null, before: Head, line: number): StoredEvent {
  if (!event) throw new ImportError(`Line ${line} is not an event.`)
  if (event.position !== before.position + 1) {
    throw new ImportError(`Line ${line} holds position ${event.position}; ${before.position + 1} was expected.`)
  }
  const { chain, ...envelope } = event
  if (link(before.chain, envelope) !== chain || !isIntact(event.who) || !isIntact(event.payload)) {
    throw new ImportError(`Line ${line} breaks the chain: position ${event.position} is not what was written.`)
  }
  return event
}

async function committed(storage: Storage, { after, events, ops }: Pending, progress: (position: number) => void) {
  const last = events.at(-1)
  if (!last) return emptyBatch(after)
  const head = { position: last.position, chain: last.chain, at: last.at, generation: after.generation }
  if ((await storage.commit({ after, events, ops, head })) === 'stale') {
    throw new ImportError('Somebody else writes to this hub. Stop it, then import again.')
  }
  progress(last.position)
  return emptyBatch(head)
}

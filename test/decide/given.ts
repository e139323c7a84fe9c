import * as assert from 'uvu/assert'
import type { Caller } from '../../commands/context.js'
import { type Command, codec, decide } from '../../commands/index.js'
import { decideOnce, type KeyedRequest } from '../../commands/log/idempotency/decide.js'
import { folderSequence, itemSequence } from '../../commands/records/sequences.js'
import { project } from '../../projections/index.js'
import { canonicalJson } from '../../src/log/canonical.js'
import { type NewEvent, subjectOf } from '../../src/log/event.js'
import { type OrderedReads, ordered } from '../../src/readmodel/sequence.js'
import type { Row } from '../../src/storage/storage.js'
import { filling } from '../contract/builds.js'
import { openMemory } from '../support/memoryStorage.js'
import { ada } from './people.js'

export const NOW = '2026-03-04T05:06:07.089Z'
export const TOMORROW = '2026-03-05T05:06:07.089Z'
/** What is said where a revision, or what was planned with, is no more. */
export const CHANGED = 'This record has changed since it was read. Read it again, then repeat the change.'
/** More rows than any of these tests has. */
const ROWS_MAX = 10_000

/** Events that somebody caused. */
interface Caused {
  readonly by: Caller
  readonly events: readonly NewEvent[]
}

interface WhenOptions {
  readonly by?: Caller
  /** Ids of the models on offer; none are judged without it. */
  readonly models?: readonly string[]
  /** The key that the command comes under, and its body; it would expire `TOMORROW`. */
  readonly under?: KeyedRequest
  /** When it comes, unless it is at the time of what has happened. */
  readonly now?: string
}

/** What a command is to come to. */
interface Specification {
  /** It emits exactly these events. */
  then(...events: readonly NewEvent[]): Promise<void>
  /** It emits nothing, because nothing would change. */
  nothing(): Promise<void>
  /** It is refused with this text, and with this status where one is named. */
  refused(message: string, status?: number): Promise<void>
  /** It emits what passes this. */
  events(check: (events: readonly NewEvent[]) => void): Promise<void>
}

/** Events caused by somebody else than Ada. */
export function by(caller: Caller, ...events: readonly NewEvent[]): Caused {
  return { by: caller, events }
}

/** What has happened, before a command that is tried. */
interface Past {
  /** The same with what has happened since. */
  and(...more: readonly (NewEvent | Caused)[]): Past
  when(command: Command, options?: WhenOptions): Specification
}

/** What has happened so far, by Ada unless told otherwise; then `when` a command, and what it is to come to. */
export function given(...past: readonly (NewEvent | Caused)[]): Past {
  return {
    and: (...more) => given(...past, ...more),
    when(command, { by: caller = ada, models, under, now = NOW } = {}) {
      const decided = async () => {
        const read = await stateAfter(past)
        const context = { caller, read, now, models: models ? new Set(models) : null }
        return under ? (await decideOnce(command, under, TOMORROW, context)).events : decide(command, context)
      }
      return {
        // biome-ignore lint/suspicious/noThenProperty: it is called with events, and nobody awaits the specification.
        async then(...events) {
          assert.equal(await decided(), events)
        },
        async nothing() {
          assert.equal(await decided(), [])
        },
        async refused(message, status) {
          const error = await decided().then(
            (events) => assert.unreachable(`It emitted ${JSON.stringify(events)}.`),
            (thrown: unknown) => thrown
          )
          assert.instance(error, Error)
          assert.is(error instanceof Error && error.message, message)
          if (status !== undefined) assert.is(error instanceof Error && 'status' in error && error.status, status)
        },
        async events(check) {
          check(await decided())
        }
      }
    }
  }
}

/** Before anything has happened. */
export const atFirst = given()

/** The read tables after these events, through the log's own JSON as in a commit. */
async function stateAfter(past: readonly (NewEvent | Caused)[]): Promise<OrderedReads> {
  const storage = openMemory()
  await storage.schema.createTables()
  const versions = new Map<string, number>()
  const tables = await filling(storage, 2)
  let position = 0
  for (const { by: caller, events } of past.map((one) => ('by' in one ? one : by(ada, one)))) {
    for (const { stream, type, data } of events) {
      const version = (versions.get(stream) ?? 0) + 1
      versions.set(stream, version)
      const event = {
        type,
        subject: subjectOf(stream),
        data: codec.decode(type, codec.schemaOf(type), canonicalJson(data)),
        position: ++position,
        version,
        at: NOW,
        actorId: caller.userId,
        tokenId: caller.tokenId
      }
      await tables.apply(project(event))
    }
  }
  const rows = storage.rows(2)
  const placed = new Map<string, readonly Row[]>()
  for (const table of [itemSequence, folderSequence].flatMap((sequence) => sequence.tables))
    placed.set(table.name, await storage.scan(2, table, '', ROWS_MAX))
  const ordersIn: OrderedReads['ordersIn'] = async ({ tables }, _scope, container) => {
    const held = tables.flatMap(({ name }) => placed.get(name) ?? []).map(ordered)
    const orders = held.filter((row) => row.container === container).map(({ sortOrder }) => sortOrder)
    return new Set(orders).size === orders.length ? orders.sort((a, b) => a - b) : null
  }
  return { ...rows, ordersIn, knownOrdersIn: ordersIn }
}

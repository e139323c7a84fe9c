import type { Caller } from '../../commands/context.js'
import { type Command, codec, decide } from '../../commands/index.js'
import type { PriorOutcome } from '../../commands/log/idempotency/decide.js'
import { decideOnce, type KeyedRequest } from '../../commands/log/idempotency/decide.js'
import { idempotencyKeysTable } from '../../commands/log/idempotency/table.js'
import { tokensTable } from '../../commands/people/token/table.js'
import { asEditor, systemCaller } from '../../commands/people/user/system.js'
import { usersTable } from '../../commands/people/user/table.js'
import type { PlacedRow } from '../../commands/record.js'
import { sequenceOf } from '../../commands/records/sequences.js'
import { tableOf } from '../../commands/snapshots.js'
import { project } from '../../projections/index.js'
import type { ReadEvents } from '../../projections/replay.js'
import { callerOf } from '../../queries/callers.js'
import type { AddressPolicy } from '../config/types.js'
import { DeletionLocked, errors } from '../errors.js'
import { timeText } from '../lib/clock.js'
import type { Sealing } from '../log/chain.js'
import type { Cause, NewEvent, Operator } from '../log/event.js'
import { keptAddress, keptOfOthers } from '../net/address.js'
import type { ReadModel } from '../readmodel/readModel.js'
import { ChangeTooLarge, type ReadStore, type Storage, type TableSpec } from '../storage/storage.js'
import type { AnswerRow, Decided, Outcome, WriterCounts } from './decision.js'
import { eventsIn } from './events.js'
import { TokenUses } from './tokenUses.js'
import { Writer } from './writer.js'

/** How long a key counts under which a command was carried out. */
const KEY_LIFETIME_MS = 24 * 3_600_000

/** On whose behalf a command runs: the holder of a token, or with `tokenId` null the system account. */
export interface CommandOrigin {
  readonly tokenId: string | null
  readonly address: string | null
  readonly requestId: string | null
  /** Whose doing it is that the system account keeps: the events name this account, where it is still there, and its token. */
  readonly onBehalfOf?: { readonly userId: string; readonly tokenId: string } | undefined
  /** True where an administrator, as the system account is one, works on records as a user with access to everything. */
  readonly isEditor?: true | undefined
  /** The position of the event that the command takes back or repeats, if any. */
  readonly causation?: number | undefined
  /** Names and addresses of others that the request is about: sealed with the caller's own, in the log; of an address as much as of theirs. */
  readonly searched?: Readonly<Record<string, string>> | undefined
  /** Who gave the command on the host, where somebody did: sealed with the caller's name, in the log. */
  readonly operator?: Operator | undefined
  /** The account whose share of what may wait to be written it takes; nobody's where it is not said. */
  readonly account?: string | undefined
  /** How many bytes the request has brought; unknown where there is none. */
  readonly bytes?: number | undefined
  /** An event that tells of the request: committed with what the command decides, also where that is nothing. */
  readonly alongside?: NewEvent | undefined
  /** The key under which the one command of a request is carried out once. */
  readonly idempotency?: KeyedRequest | undefined
}

export const systemOrigin: CommandOrigin = { tokenId: null, address: null, requestId: null }
/** The system account working on records: for commands given on the host. */
export const editorOrigin: CommandOrigin = { ...systemOrigin, isEditor: true }

/** What a command came to; `place` is null where there is no row, or it stands in no sequence. */
export interface Answered extends Outcome {
  readonly place: number | null
}

/** The command side of one log: what changes it, and what commands are decided on. */
export interface Ledger {
  readonly storage: Storage
  /** How the log is continued. */
  readonly sealing: Sealing
  readonly readModel: ReadModel
  readonly uses: TokenUses
  /** The clock that commands and events go by, in milliseconds. */
  readonly now: () => number
  /**
   * Decides and commits a command. Who the caller is and what they may do is looked up at the moment of the decision, so
   * a revoked token changes nothing, however early its request arrived. `answer` names the row to return; for a repeat it
   * is the row that the command left when it was carried out, with the place of that moment; else with that of the answer.
   */
  run(command: Command, origin: CommandOrigin, answer?: AnswerRow): Promise<Answered>
  readonly readEvents: ReadEvents
  /** What was written, and what waits to be. */
  writes(): WriterCounts
  /** Finishes what was submitted and lets go of the database. */
  close(): Promise<void>
}

/** What a ledger goes by beside its database. */
export interface LedgerOptions {
  /** The ids of the models on offer, or null for any. */
  readonly models: () => ReadonlySet<string> | null
  /** How much of a client's address the log keeps. */
  readonly addresses: () => AddressPolicy
  readonly now: () => number
  readonly sealing: Sealing
  /** The row that a command left when it was carried out, and its place then. */
  readonly priorRow: (table: TableSpec, outcome: PriorOutcome) => Promise<PlacedRow | { readonly row: null }>
}

/** The ledger of a database that is migrated, on its read model. */
export function ledgerOn(
  storage: Storage,
  readModel: ReadModel,
  { models, addresses, now, sealing, priorRow }: LedgerOptions
): Ledger {
  const writer = new Writer(storage, readModel, { codec, project, tableOf, link: sealing.link }, { now })
  const uses = new TokenUses(storage, now)
  const submit = (command: Command, origin: CommandOrigin, answer?: AnswerRow): Promise<Outcome> => {
    const { tokenId, address, isEditor, idempotency, alongside, account, bytes } = origin
    return writer.submit({
      answer,
      account,
      bytes,
      async decide(read) {
        const time = now()
        const token = tokenId === null ? null : await read.get(tokensTable, tokenId)
        const known = tokenId === null ? systemCaller : await callerOf(read, token, () => timeText(time))
        if (!known) throw errors.unauthorized()
        // Who is no administrator any more has their own access.
        const caller = isEditor && known.role === 'admin' ? asEditor(known) : known
        // Few commands are about models.
        const context = {
          ...{ caller, read, now: timeText(time) },
          get models() {
            return models()
          }
        }
        const { events, repeats }: Pick<Decided, 'events' | 'repeats'> = idempotency
          ? await decideOnce(command, idempotency, timeText(time + KEY_LIFETIME_MS), context)
          : { events: await decide(command, context) }
        const policy = addresses()
        const searched = origin.searched && keptOfOthers(origin.searched, policy)
        const cause = await causeOf(read, caller, { ...origin, searched }, keptAddress(address, policy))
        return { events: alongside ? [...events, alongside] : events, cause, repeats }
      }
    })
  }
  const run: Ledger['run'] = async (command, origin, answer) => {
    try {
      // Read here at the same time as those of others: the writer, where one waits for the other, then has it in the cache.
      if (origin.idempotency) await readModel.get(idempotencyKeysTable, origin.idempotency.key)
      const outcome = await submit(command, origin, answer)
      const { repeats, row } = outcome
      if (!answer) return { ...outcome, place: null }
      const { table } = answer
      const placed = repeats
        ? await priorRow(table, repeats)
        : row && { row, place: await readModel.placeOf(sequenceOf(table), table, row) }
      return { ...outcome, place: null, ...placed }
    } catch (error) {
      if (error instanceof ChangeTooLarge) throw errors.changeTooLarge(error.message)
      if (error instanceof DeletionLocked && 'id' in command) {
        const { id } = command
        await submit({ type: 'RecordDeletionRefused', id, data: { kind: error.kind, id } }, origin)
      }
      throw error
    }
  }
  return {
    storage,
    sealing,
    readModel,
    uses,
    now,
    readEvents: eventsIn(storage),
    writes: () => writer.counts,
    run,
    async close() {
      await writer.idle()
      await uses.flush()
      await storage.close()
    }
  }
}

/** Who an event names: whoever ran the command, or on whose behalf the system account did. */
async function causeOf(
  read: ReadStore,
  { userId, name }: Caller,
  { tokenId, onBehalfOf, requestId, causation, searched, operator }: CommandOrigin,
  address: string | null
): Promise<Cause> {
  const account = onBehalfOf && (await read.get(usersTable, onBehalfOf.userId))
  const actor = account
    ? { actorId: account.id, actorName: account.name, tokenId: onBehalfOf.tokenId }
    : { actorId: userId, actorName: name, tokenId }
  return { ...actor, address, requestId, causation, searched, operator }
}

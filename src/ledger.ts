import { type Command, codec, decide } from '../commands/index.js'
import { systemCaller, systemEditor } from '../commands/user/system.js'
import { project, tableOf, tablesOf } from '../projections/index.js'
import type { ReadEvents } from '../projections/replay.js'
import { tokensTable } from '../projections/tokens.js'
import { callerOf } from '../queries/callers.js'
import { keptAddress } from './audit/address.js'
import type { AddressPolicy } from './config/types.js'
import { DeletionLocked, errors } from './errors.js'
import { recorded } from './log/batch.js'
import { View } from './log/view.js'
import { type Outcome, Writer } from './log/writer.js'
import type { Storage, TableSpec } from './storage/storage.js'
import { TokenUses } from './tokenUses.js'

/** On whose behalf a command runs: the holder of a token, or with `tokenId` null the system account. */
export interface Agent {
  readonly tokenId: string | null
  readonly address: string | null
  readonly requestId: string | null
  /** True where the system account works on records, as a user would; it is an administrator otherwise. */
  readonly isEditor?: true
  /** The position of the event that the command takes back or repeats, if any. */
  readonly causation?: number | undefined
}

export const systemAgent: Agent = { tokenId: null, address: null, requestId: null }
/** The system account working on records: for commands given on the host. */
export const editorAgent: Agent = { ...systemAgent, isEditor: true }

/** One log with its read tables, open for commands and questions. */
export interface Ledger {
  readonly storage: Storage
  readonly view: View
  readonly uses: TokenUses
  /**
   * Decides and commits a command. Who the agent is and what they may do is looked up at the moment of the decision, so
   * a revoked token changes nothing, however early its request arrived. `answer` names the row to return.
   */
  run(command: Command, agent: Agent, answer?: { readonly table: TableSpec; readonly id: string }): Promise<Outcome>
  /** Events above a position, ascending, as projectors see them. */
  readonly readEvents: ReadEvents
  /** Finishes what was submitted and lets go of the database. */
  close(): Promise<void>
}

/**
 * Opens a ledger on a database that is migrated. `models` tells the ids of the models on offer, or null for any,
 * `addresses` how much of a client's address the log keeps.
 */
export async function openLedger(
  storage: Storage,
  models: () => ReadonlySet<string> | null,
  addresses: () => AddressPolicy = () => 'full'
): Promise<Ledger> {
  const view = await View.open(storage, (type) => (codec.knows(type) ? tablesOf(type) : null))
  const writer = new Writer(storage, view, { codec, project, tableOf })
  const uses = new TokenUses(storage)
  const submit: Ledger['run'] = (command, { tokenId, address, requestId, causation, isEditor }, answer) =>
    writer.submit({
      answer,
      async decide(read) {
        const system = isEditor ? systemEditor : systemCaller
        const caller = tokenId === null ? system : await callerOf(read, await read.get(tokensTable, tokenId))
        if (!caller) throw errors.unauthorized()
        const now = new Date().toISOString()
        const events = await decide(command, { caller, read, models: models(), now })
        const { userId: actorId, name: actorName } = caller
        const kept = keptAddress(address, addresses())
        return { events, cause: { actorId, actorName, tokenId, address: kept, requestId, causation } }
      }
    })
  const run: Ledger['run'] = async (command, agent, answer) => {
    try {
      return await submit(command, agent, answer)
    } catch (error) {
      if (error instanceof DeletionLocked && 'id' in command) {
        const { id } = command
        await submit({ type: 'RecordDeletionRefused', id, data: { kind: error.kind, id } }, agent)
      }
      throw error
    }
  }
  return {
    storage,
    view,
    uses,
    readEvents: async (after, limit) => (await storage.readLog(after, limit)).map((event) => recorded(event, codec)),
    run,
    async close() {
      await writer.idle()
      await uses.flush()
      await storage.close()
    }
  }
}

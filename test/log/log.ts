import type { Outcome, WriterOptions } from '../../src/ledger/decision.js'
import { Writer } from '../../src/ledger/writer.js'
import { GENESIS, isIntact, link } from '../../src/log/chain.js'
import { ReadModel } from '../../src/readmodel/readModel.js'
import type { Storage } from '../../src/storage/storage.js'
import { openMemory } from '../support/memoryStorage.js'
import { type Decide, effectOf, items, rules } from './domain.js'
import { type Faults, faulty, type Gate, gate } from './faults.js'

/** A process on a log, with its own read model and its own writer, and faults between them and the log. */
export interface Process {
  readonly storage: Faults
  readonly readModel: ReadModel
  readonly writer: Writer
  /** Submits a command; `id` names the item to answer with, `bytes` is what it brings, and `account` whose it is. */
  submit(decide: Decide, id?: string, bytes?: number, account?: string): Promise<Outcome>
  /** Keeps commits from the log until the gate is opened. */
  holdCommits(): Gate
}

/** A log in memory that is set up. */
export async function memoryLog(): Promise<Storage> {
  const storage = openMemory()
  await storage.schema.createTables()
  return storage
}

/** The same log as of a database that knows no lock of the head: writes are decided on it, and stale where somebody comes between. */
export function withoutLock(storage: Storage): Storage {
  return {
    ...storage,
    async write(decide) {
      const head = await storage.head()
      const commit = await decide(head)
      if (commit) return storage.commit(commit)
      return (await storage.head()).chain === head.chain ? 'committed' : 'stale'
    }
  }
}

/** Starts a process on a log. */
export async function processOn(log: Storage, options?: WriterOptions): Promise<Process> {
  const storage = faulty(log)
  const readModel = await ReadModel.open(storage, effectOf)
  const writer = new Writer(storage, readModel, rules, options)
  return {
    storage,
    readModel,
    writer,
    submit: (decide, id, bytes, account) =>
      writer.submit({ decide, answer: id === undefined ? undefined : { table: items, id }, bytes, account }),
    holdCommits() {
      const door = gate()
      storage.onCommit = (_, pass) => door.passed.then(pass)
      return door
    }
  }
}

/** What is wrong with a log: positions, stream versions, times, chain and seals; empty where nothing is. */
export async function troubles(log: Storage): Promise<readonly string[]> {
  const found: string[] = []
  const versions = new Map<string, number>()
  let [position, chain, at] = [0, GENESIS, '']
  // What is appended meanwhile lies behind this head.
  const head = await log.head()
  for (const event of await log.readLog(0, head.position)) {
    const version = (versions.get(event.stream) ?? 0) + 1
    if (event.position !== ++position) found.push(`position ${event.position} follows ${position - 1}`)
    if (event.version !== version) found.push(`version ${event.version} of ${event.stream} follows ${version - 1}`)
    if (event.at < at) found.push(`time goes back at ${position}`)
    if (event.chain !== link(chain, event)) found.push(`the chain breaks at ${position}`)
    if (!isIntact(event.payload) || !isIntact(event.who)) found.push(`the seal of ${position} is broken`)
    versions.set(event.stream, version)
    ;({ chain, at } = event)
  }
  if (head.position !== position || head.chain !== chain) found.push(`the head is not at ${position}`)
  return found
}

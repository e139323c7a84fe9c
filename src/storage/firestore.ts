import type { EventHeader } from '../log/event.js'
import { applyWithBuild, buildName, readBuild } from './firestore/builds.js'
import { type Client, type FirestoreAccess, openClient } from './firestore/client.js'
import { type CommitContext, commitTo } from './firestore/commit.js'
import { eraseTexts } from './firestore/erase.js'
import { Refused } from './firestore/errors.js'
import { applyBelow, removeBelow } from './firestore/generations.js'
import { genesisWrite, LogEnd } from './firestore/head.js'
import { KnownParts } from './firestore/knownParts.js'
import { documentId, isPossible, layoutOf, MIGRATIONS, numberId, rowId, TOKEN_USES } from './firestore/layout.js'
import { whileLeased } from './firestore/lease.js'
import { askLog, askStream, eventsOf } from './firestore/log.js'
import { type RowReads, rowReads } from './firestore/reads.js'
import { finishSweeps, isSweeping } from './firestore/sweeps.js'
import { encode, integerOf, textOf } from './firestore/values.js'
import type { Answer } from './firestore/wire.js'
import type { Write } from './firestore/writes.js'
import { headerOf, pageOf, searchByReading, searchStream } from './search.js'
import type { Storage, TableSpec } from './storage.js'

export interface FirestoreOptions extends FirestoreAccess {
  readonly prefix: string
}

const USES_PER_COMMIT = 400
/** So many streams are read at a time: of each a page is held. */
const STREAMS_AT_ONCE = 4

/**
 * Opens the Firestore of a project and proves that it answers; `FIRESTORE_EMULATOR_HOST` names an emulator instead. Throws
 * `StorageUnavailable` when it does not answer.
 */
export async function openFirestore(options: FirestoreOptions, tables: readonly TableSpec[]): Promise<Storage> {
  const client = await openClient(options)
  try {
    requireSingleKeys(tables)
    await client.get([layoutOf(client.documents, options.prefix).log])
  } catch (error) {
    await client.close()
    throw error
  }
  return firestoreStorage(client, options.prefix)
}

function firestoreStorage(client: Client, prefix: string): Storage {
  const layout = layoutOf(client.documents, prefix)
  const { log, aside } = layout
  const known = new KnownParts()
  const finish = () => finishSweeps(client, log)
  const end = new LogEnd(client, log, finish)
  const context: CommitContext = { client, layout, end, known, finish }
  let closed: Promise<void> | undefined
  const generations = new Map<number, RowReads>()
  const rows = (generation: number): RowReads => {
    const reads = generations.get(generation) ?? rowReads(client, layout.generation(generation), known)
    generations.set(generation, reads)
    return reads
  }
  const events = async (answer: Answer) => {
    // Whoever learns of a commit this way must not find rows that it has removed either.
    if (answer.documents.some(isSweeping)) await finish()
    return eventsOf(client, log, answer)
  }

  const remove = async (generation: number) => {
    await client.commit([{ remove: buildName(aside, generation) }])
    await removeBelow(client, layout.generation(generation))
  }
  const logAfter = async (after: number, limit: number) =>
    limit > 0 ? events(await askLog(client, log, after, limit)) : []
  const readLog = async (after: number, limit: number) => pageOf(await logAfter(after, limit))
  const readStream = async (stream: string, after: number, limit: number) =>
    limit > 0 && isPossible(stream) ? pageOf(await events(await askStream(client, log, stream, after, limit))) : []

  return {
    head: async () => (await end.read()).head,
    commit: (commit) => commitTo(context, commit),
    readLog,
    readHeaders: async (after, limit) => (await logAfter(after, limit)).map(headerOf),
    readOccurrences: readLog,
    readAt: async (positions) =>
      pageOf((await Promise.all(positions.map((position) => readLog(position - 1, 1)))).flat()),
    searchLog(filter, ...search) {
      const [stream, ...more] = filter.streams ?? []
      return stream !== undefined && more.length === 0
        ? searchStream(readStream, stream, filter, ...search)
        : searchByReading(readLog, filter, ...search)
    },
    async lastOf(streams, types, through) {
      const found: EventHeader[] = []
      for (let i = 0; i < streams.length; i += STREAMS_AT_ONCE) {
        const some = streams.slice(i, i + STREAMS_AT_ONCE).map((stream) => {
          return searchStream(readStream, stream, { types }, { after: 0, through }, 1, true)
        })
        found.push(...(await Promise.all(some)).flat())
      }
      return found
    },
    readStream,
    rows,

    createGeneration: remove,
    async completeGeneration() {},
    dropGeneration: remove,
    apply(generation, ops, build) {
      const apply = () => applyBelow(client, layout.generation(generation), ops, known)
      return build ? applyWithBuild(client, buildName(aside, generation), ops, build, apply) : apply()
    },
    changesAtOnce: 20_000,
    buildOf: (generation) => readBuild(client, buildName(aside, generation)),
    scan: (generation, table, afterId, limit) => rows(generation).scan(table, afterId, limit),
    // Firestore answers as of any moment of the last hour, so a snapshot is a moment and holds nothing open.
    async snapshot(read) {
      const { head, readTime } = await end.readAtOneMoment()
      return read({ head, scan: rowReads(client, layout.generation(head.generation), known, readTime).scan })
    },

    erase: (erasures) => eraseTexts(client, log, erasures),
    async touchTokens(uses) {
      const writes = [...uses].map(([id, at]): Write => {
        return { set: `${aside}/${TOKEN_USES}/${documentId(id)}`, fields: { usedAt: encode(at) } }
      })
      for (let i = 0; i < writes.length; i += USES_PER_COMMIT) await client.commit(writes.slice(i, i + USES_PER_COMMIT))
    },
    async tokenUses() {
      const { documents } = await client.query(aside, { collection: TOKEN_USES })
      return new Map(documents.map(({ name, fields }) => [rowId(name), textOf(fields.usedAt) ?? '']))
    },

    schema: {
      exclusively: (work, what = 'migrate') => whileLeased(client, aside, what, work),
      async applied() {
        const { documents } = await client.query(aside, { collection: MIGRATIONS })
        return documents.map(({ fields }) => integerOf(fields.number) ?? 0)
      },
      async record(number, name, at) {
        const fields = { number: encode(number), name: encode(name), at: encode(at) }
        await client.commit([{ set: `${aside}/${MIGRATIONS}/${numberId(number)}`, fields }])
      },
      // Collections are there as soon as something is in them: only a log needs a beginning.
      async createTables() {
        try {
          await client.commit([genesisWrite(log)])
        } catch (error) {
          if (!(error instanceof Refused && error.why === 'exists')) throw error
        }
      }
    },
    close: () => (closed ??= client.close())
  }
}

/** Unique keys are looked up by one column: see `clashOf`. */
function requireSingleKeys(tables: readonly TableSpec[]): void {
  for (const { name, indexes } of tables) {
    for (const { by, unique } of Object.values(indexes)) {
      if (unique && by.length !== 1) throw new TypeError(`A unique key of ${name} must have one column.`)
    }
  }
}

import type { FirestoreConfig } from '../config/types.js'
import { slices } from '../limits.js'
import { firestoreBlobs } from './firestore/blobs.js'
import { type Client, openClient } from './firestore/client.js'
import { type CommitContext, commitTo } from './firestore/commit.js'
import { eraseTexts } from './firestore/erasures.js'
import { Refused } from './firestore/errors.js'
import { applyTo, buildPath, claim, holdOf, readBuild, readGenerations, removeBelow } from './firestore/generations.js'
import { genesisWrite, LogEnd } from './firestore/head.js'
import { documentId, LEASES, layoutOf, rowId, STATES, TOKEN_USES } from './firestore/layout.js'
import { whileLeased } from './firestore/lease.js'
import { logReads } from './firestore/logReads.js'
import { KnownParts } from './firestore/parts.js'
import { rowReads, scanAt } from './firestore/reads.js'
import { firestoreState } from './firestore/state.js'
import { mapOf, textOf } from './firestore/values.js'
import type { Write } from './firestore/writes.js'
import { BuildLost, type RowReads, type Storage, type TableSpec } from './storage.js'

const USES_PER_COMMIT = 400

/**
 * Opens the Firestore of a project and proves that it answers; `FIRESTORE_EMULATOR_HOST` names an emulator instead. Throws
 * `StorageUnavailable` when it does not answer.
 */
export async function openFirestore(
  options: Omit<FirestoreConfig, 'driver'>,
  tables: readonly TableSpec[]
): Promise<Storage> {
  const client = await openClient(options)
  try {
    requireSingleKeys(tables)
    await client.get([layoutOf(options.prefix).log])
  } catch (error) {
    await client.close()
    throw error
  }
  return firestoreStorage(client, options.prefix)
}

function firestoreStorage(client: Client, prefix: string): Storage {
  const layout = layoutOf(prefix)
  const { log, aside } = layout
  const known = new KnownParts()
  const end = new LogEnd(client, log)
  const context: CommitContext = { client, layout, end, known }
  const leases = firestoreState(client, `${aside}/${LEASES}`)
  let closed: Promise<void> | undefined
  const generations = new Map<number, RowReads>()
  const place = (generation: number) => ({ client, parent: layout.generation(generation), known })
  const rows = (generation: number): RowReads => {
    const reads = generations.get(generation) ?? rowReads(place(generation))
    generations.set(generation, reads)
    return reads
  }
  const claimed = (generation: number, over: string | null) => {
    const isLive = async () => (await end.read()).head.generation === generation
    return claim(client, buildPath(aside, generation), generation, over, isLive)
  }
  /** Removes what is there of a generation, which nobody can go on with meanwhile, and returns its new builder. */
  const remove = async (generation: number, over: string | null, label: string) => {
    const builder = await claimed(generation, over)
    const hold = holdOf(client, buildPath(aside, generation), { generation, builder })
    await hold.change({ position: 0, label: '' })
    await removeBelow(client, layout.generation(generation), hold)
    if (label !== '') await hold.change({ label })
    return builder
  }

  return {
    head: async () => (await end.read()).head,
    commit: (commit) => commitTo(context, commit),
    // The document of the next commit can be created once: who comes second is stale.
    async write(decide) {
      const { head } = await end.read()
      const commit = await decide(head)
      if (commit) return commitTo(context, commit)
      return (await end.read()).head.chain === head.chain ? 'committed' : 'stale'
    },
    ...logReads(client, log, (position) => end.settle(position)),
    rows,

    createGeneration: remove,
    async takeOver(generation, over) {
      const builder = await claimed(generation, over)
      const build = await readBuild(client, buildPath(aside, generation))
      if (build?.builder !== builder) throw new BuildLost(generation)
      return { ...build, builder }
    },
    async dropGeneration(generation, over) {
      await remove(generation, over, '')
    },
    apply(fence, ops, position) {
      const { generation } = fence
      const hold = holdOf(client, buildPath(aside, generation), fence)
      return applyTo(place(generation), hold, ops, position)
    },
    changesAtOnce: 20_000,
    buildOf: (generation) => readBuild(client, buildPath(aside, generation)),
    scan: (generation, table, afterId, limit) => rows(generation).scan(table, afterId, limit),
    // Firestore answers as of any moment of the last hour, so a snapshot is a moment and holds nothing open.
    async snapshot(read) {
      const { head, readTime } = await end.read()
      return read({ head, scan: scanAt(place(head.generation), readTime) })
    },

    erase: (erasures) => eraseTexts(client, log, erasures),
    async touchTokens(uses) {
      const writes = [...uses].map(([id, usedAt]): Write => {
        return { set: `${aside}/${TOKEN_USES}/${documentId(id)}`, fields: { usedAt } }
      })
      for (const some of slices(writes, USES_PER_COMMIT)) await client.commit(some)
    },
    async tokenUses() {
      const { documents } = await client.query((store) => store.collection(`${aside}/${TOKEN_USES}`))
      return new Map(documents.map(({ path, fields }) => [rowId(path), textOf(fields.usedAt) ?? '']))
    },

    state: firestoreState(client, `${aside}/${STATES}`),
    blobs: firestoreBlobs(client, aside),

    async version() {
      await client.get([log])
      return 'Firestore'
    },
    pool: () => null,
    documents: client.counts,

    schema: {
      exclusively: (work, what = 'migrate') => whileLeased(leases, what, work),
      async applied() {
        const { documents } = await client.get([aside])
        return Object.keys(mapOf(documents[0]?.fields.migrations))
          .map(Number)
          .sort((a, b) => a - b)
      },
      // Whoever migrates does so alone.
      async record(number, name, at) {
        const { documents } = await client.get([aside])
        const others = documents[0]?.fields.migrations
        await client.commit([{ set: aside, fields: { migrations: { ...mapOf(others), [number]: { name, at } } } }])
      },
      // Collections are there as soon as something is in them: only a log needs a beginning.
      async createTables() {
        try {
          await client.commit([genesisWrite(log)])
        } catch (error) {
          if (!(error instanceof Refused && error.why === 'exists')) throw error
        }
      },
      writeUnder: (text) => end.writeUnder(text),
      async drop() {
        const generations = Math.max(1, ...(await readGenerations(client, aside)))
        for (let number = 1; number <= generations; number++)
          await removeBelow(client, layout.generation(number), client)
        for (const name of [aside, log]) await removeBelow(client, name, client)
        await client.commit([{ remove: log }, { remove: aside }])
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

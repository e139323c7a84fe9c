import type { FirestoreConfig } from '../config/types.js'
import { remembered } from '../lib/remembered.js'
import { slices } from '../limits.js'
import { type Client, openClient } from './firestore/client.js'
import { mapOf, textOf, type Write } from './firestore/documents.js'
import { Refused } from './firestore/errors.js'
import { generationStore, removeAll } from './firestore/generations.js'
import { genesisWrite, LogEnd } from './firestore/head.js'
import { documentId, LEASES, layoutOf, rowId, STATES, TOKEN_USES } from './firestore/layout.js'
import { eraseTexts, logReads } from './firestore/log.js'
import { rowReads, scanOf } from './firestore/reads.js'
import { firestoreBlobs, firestoreState, whileLeased } from './firestore/state.js'
import { checkedBlobs, checkedState, type Storage } from './storage.js'

const USES_PER_COMMIT = 400

/**
 * Opens the Firestore of a project and proves that it answers; `FIRESTORE_EMULATOR_HOST` names an emulator instead. Throws
 * `StorageUnavailable` when it does not answer.
 */
export async function openFirestore(options: Omit<FirestoreConfig, 'driver'>): Promise<Storage> {
  const client = await openClient(options)
  try {
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
  const end = new LogEnd(client, layout)
  const head = async () => (await end.read()).head
  const leases = firestoreState(client, `${aside}/${LEASES}`)
  let closed: Promise<void> | undefined
  const place = (generation: number) => ({ client, parent: layout.generation(generation) })
  const rows = remembered((generation: number) => rowReads(place(generation)))
  return {
    head,
    commit: (commit) => end.commit(commit),
    // The document of the next commit can be created once: who comes second is stale.
    async write(decide) {
      const before = await head()
      const commit = await decide(before)
      if (commit) return end.commit(commit)
      return (await head()).chain === before.chain ? 'committed' : 'stale'
    },
    ...logReads(client, log, (position) => end.settle(position)),
    rows,

    ...generationStore(client, layout, head),
    scan: (generation, table, afterId, limit) => rows(generation).scan(table, afterId, limit),
    // Firestore answers as of any moment of the last hour, so a snapshot is a moment and holds nothing open.
    async snapshot(read) {
      const { head, readTime } = await end.read()
      return read({ head, scan: scanOf(place(head.generation), readTime) })
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

    state: checkedState(firestoreState(client, `${aside}/${STATES}`)),
    blobs: checkedBlobs(firestoreBlobs(client, aside)),

    circumstances: async () => [],
    async version() {
      await client.get([log])
      return 'Firestore'
    },
    pool: () => null,
    documents: client.counts,

    schema: {
      exclusively: (work, what = 'migrate', signal) => whileLeased(leases, what, work, signal),
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
      drop: () => removeAll(client, layout)
    },
    close: () => (closed ??= client.close())
  }
}

import { llmReservationsTable } from '../../commands/llm/table.js'
import { invitationsTable } from '../../commands/people/invitation/table.js'
import type { PagedReads, Storage, TableSpec } from '../../src/storage/storage.js'
import type { FindingKind } from '../checking/finding.js'
import type { Database } from './database.js'
import type { Random } from './random.js'

/** Something that is wrong on purpose: with the database, or with how hubs reach it. */
export interface Defect {
  /** As what it is found. */
  readonly finds: FindingKind
  readonly plant?: (database: Database) => void
  readonly breaks?: (storage: Storage, random: Random) => Storage
}

const OFTEN = 0.3

/** What the checker has to find: each was, or could have been, a mistake in a hub or a driver. */
export const DEFECTS: Readonly<Record<string, Defect>> = {
  /** Whoever asks where the log ends is told what was known before. */
  'cache-unchecked': {
    finds: 'stale',
    breaks: (storage) => {
      let known: ReturnType<Storage['head']> | undefined
      const write: Storage['write'] = (decide) =>
        storage.write((head) => {
          known = Promise.resolve(head)
          return decide(head)
        })
      return { ...storage, write, head: () => (known ??= storage.head()) }
    }
  },
  /** Two batches are decided on one head. */
  'no-lock': {
    finds: 'broken',
    plant: (database) => {
      database.hasNoLock = true
    }
  },
  /** The last event of a commit is not written, though what follows from it is. */
  'event-lost': {
    finds: 'broken',
    breaks: (storage, random) => ({
      ...storage,
      write: (decide) =>
        storage.write(async (head) => {
          const commit = await decide(head)
          return commit && random.chance(OFTEN) ? { ...commit, events: commit.events.slice(0, -1) } : commit
        })
    })
  },
  /** A page of the log has a hole. */
  'feed-skips': {
    finds: 'gap',
    breaks: (storage, random) => ({
      ...storage,
      async readLog(after, limit) {
        const page = await storage.readLog(after, limit)
        return page.length > 1 && random.chance(OFTEN) ? page.toSpliced(random.below(page.length - 1), 1) : page
      }
    })
  },
  /** A page of the log begins with what came before. */
  'feed-repeats': {
    finds: 'repeat',
    breaks: (storage, random) => ({
      ...storage,
      readLog: (after, limit) => storage.readLog(Math.max(0, after - (random.chance(OFTEN) ? 1 : 0)), limit)
    })
  },
  /** A commit whose connection is gone counts as done. */
  'not-written': {
    finds: 'lost',
    breaks: (storage) => ({
      ...storage,
      write: (decide) => {
        let commit: Awaited<ReturnType<typeof decide>> = null
        const decided: typeof decide = async (head) => (commit = await decide(head))
        return storage.write(decided).catch((error: unknown) => {
          if (commit) return 'committed'
          throw error
        })
      }
    })
  },
  /** A commit whose answer is lost is done again without a look at the log. */
  'written-twice': { finds: 'failure', breaks: (storage) => ({ ...storage, readHeaders: async () => [] }) },
  /** What others have revoked is not taken in. */
  'revoked-let-in': {
    finds: 'letIn',
    breaks: (storage) => ({
      ...storage,
      async readTypes(after, through) {
        const events = await storage.readTypes(after, through)
        return events.map((event) => (event.type === 'TokenRevoked' ? { ...event, type: 'CollectionUpdated' } : event))
      }
    })
  },
  /** Reservations are looked for where they are not yet. */
  'budget-overrun': { finds: 'overspent', breaks: (storage) => withRows(storage, llmReservationsTable, () => []) },
  /** An invitation is looked up where it is still pending. */
  'secret-used-twice': {
    finds: 'overspent',
    breaks: (storage) =>
      withRows(storage, invitationsTable, (rows) => rows.map((row) => ({ ...row, redeemedAt: null })))
  }
}

/** The same storage, but that lists of a table are other ones. */
function withRows<C extends TableSpec['columns']>(
  storage: Storage,
  table: TableSpec<C>,
  changed: (rows: Awaited<ReturnType<PagedReads['list']>>) => Awaited<ReturnType<PagedReads['list']>>
): Storage {
  return {
    ...storage,
    rows(generation) {
      const rows = storage.rows(generation)
      return {
        ...rows,
        async list(of, index, key, options) {
          const found = await rows.list(of, index, key, options)
          return of.name === table.name ? (changed(found) as typeof found) : found
        }
      }
    }
  }
}

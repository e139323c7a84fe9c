import type { Storage } from '../src/storage/storage.js'

/** One step of the schema, frozen once released. It may be interrupted and is then run again from its beginning. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly up: (storage: Storage) => Promise<void>
}

/** What an earlier release that still runs says in its log: it takes it for the id of a key that the log is sealed with. */
const NOTICE = 'of a newer version of the hub, which this database belongs to now: start that version'

/**
 * The head names what it is written under, and a build its builder. Releases that look at neither are stopped: they find a head
 * that they cannot continue.
 */
export const fences: Migration = {
  number: 4,
  name: 'fences',
  async up({ schema }) {
    await schema.addBuilders()
    await schema.addHeadColumn('writtenUnder', 'text?')
    await schema.moveHead(NOTICE)
  }
}

/** Every migration, ascending. */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'log-and-read-tables',
    up: ({ schema }) => schema.createTables()
  },
  {
    // The log's head has room for the seal of the chain's key.
    number: 2,
    name: 'head-seal',
    up: ({ schema }) => schema.addHeadColumn('seal', 'text?')
  },
  {
    // The log is searched by actor, token, type and address through indexes.
    number: 3,
    name: 'log-indexes',
    up: ({ schema }) => schema.indexLog()
  },
  fences,
  {
    // The log may hold LoginsUnblocked from now on, which earlier releases do not know.
    number: 5,
    name: 'logins-unblocked',
    up: async () => {}
  },
  {
    // Records are searched by an index beside the log, which is filled by whoever serves.
    number: 6,
    name: 'search-index',
    up: ({ schema }) => schema.addSearch()
  },
  {
    // The log may hold events of webhooks, and where each follower stands is kept beside it.
    number: 7,
    name: 'webhooks',
    up: ({ schema }) => schema.addState()
  },
  {
    // The log may hold AgentToolCalled, and TokenCreated with what agents may do, which earlier releases do not know.
    number: 8,
    name: 'agents',
    up: async () => {}
  },
  {
    // The log may hold SourceImported from now on, which earlier releases do not know.
    number: 9,
    name: 'source-imported',
    up: async () => {}
  },
  {
    // The log may hold live servers and live pages, and accounts with access to them, which earlier releases do not know.
    number: 10,
    name: 'live-servers-and-pages',
    up: async () => {}
  },
  {
    // The log may hold comments from now on, which earlier releases do not know.
    number: 11,
    name: 'comments',
    up: async () => {}
  },
  {
    // The log may hold what accounts want to be told from now on, which earlier releases do not know.
    number: 12,
    name: 'notices',
    up: async () => {}
  },
  {
    // The log may hold devices, what they send each other, and encrypted comments, which earlier releases do not know.
    number: 13,
    name: 'encrypted-discussions',
    up: async () => {}
  },
  {
    // The log may hold AvatarChanged and HubAvatarChanged, and the images that they name are kept beside it.
    number: 14,
    name: 'avatars',
    up: ({ schema }) => schema.addBlobs()
  },
  {
    // The log may hold tenants, which earlier releases do not know.
    number: 15,
    name: 'tenants',
    up: async () => {}
  },
  {
    // The search index has other tables on MySQL; whoever serves fills it anew.
    number: 16,
    name: 'search-words',
    up: ({ schema }) => schema.addSearch()
  },
  {
    // The search index has other tables on MySQL, and further indexes on Postgres; whoever serves fills it anew.
    number: 18,
    name: 'search-blocks',
    up: ({ schema }) => schema.addSearch()
  }
]

/** The number of the last migration. */
export const NEWEST = migrations.at(-1)?.number ?? 0

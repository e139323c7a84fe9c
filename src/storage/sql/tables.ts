import type { Columns, TableDefinition } from '../storage.js'

const columns = {
  position: 'integer',
  stream: 'id',
  version: 'integer',
  type: 'id',
  schemaVersion: 'integer',
  at: 'time',
  commandId: 'id',
  actorId: 'id',
  tokenId: 'id?',
  requestId: 'id?',
  correlationId: 'id?',
  causation: 'integer?',
  // In front of the texts: SQLite goes through all of a payload to get at a column behind it.
  chain: 'id',
  who: 'text?',
  whoSalt: 'id?',
  whoCommitment: 'id',
  payload: 'text?',
  payloadSalt: 'id?',
  payloadCommitment: 'id'
} as const

/** The log: one row an event. The position is its key, so that no two writers can own one whatever else goes wrong. */
export const logTable: TableDefinition = {
  name: 'log',
  columns,
  key: ['position'],
  indexes: {
    byStream: { columns: ['stream', 'version'], unique: true },
    byActor: { columns: ['actorId', 'position'], unique: false },
    byToken: { columns: ['tokenId', 'position'], unique: false },
    byType: { columns: ['type', 'position'], unique: false },
    // Of what an erasure takes away it holds nothing any more.
    byAddress: { addressIn: 'who', columns: ['position'], unique: false }
  }
}

/** One row that says where the log ends and which generation of the read tables is live: the guard against two writers. */
export const headTable: TableDefinition = {
  name: 'head',
  columns: {
    id: 'integer',
    position: 'integer',
    chain: 'id',
    at: 'time',
    generation: 'integer',
    seal: 'text?',
    writtenUnder: 'text?'
  },
  key: ['id'],
  indexes: {}
}

/** A table that is searched by its key alone. */
const keyed = (name: string, key: string, columns: Columns): TableDefinition => ({
  name,
  columns,
  key: [key],
  indexes: {}
})

/** When each token was last used. */
export const tokenUseTable = keyed('token_use', 'id', { id: 'id', usedAt: 'time' })

/** Small texts by key: what `StateStore` keeps. */
export const stateTable = keyed('state', 'id', { id: 'id', mark: 'id', body: 'text' })

/** Bytes by their sha256, as base64: what `BlobStore` keeps. */
export const blobsTable = keyed('blobs', 'id', { id: 'id', body: 'text' })

/** How far generations of the read tables have come, and who fills them. No row is ever taken away: by it a fence is checked. */
export const buildsTable = keyed('builds', 'generation', {
  generation: 'integer',
  position: 'integer',
  label: 'text',
  builder: 'id?'
})

/** The migrations that are done. */
export const migrationsTable = keyed('migrations', 'number', { number: 'integer', name: 'id', at: 'time' })

import type { Migration } from './index.js'

/** The log is searched by actor, token, type and address through indexes. */
export const logIndexes = {
  name: 'log-indexes',
  up: (storage) => storage.schema.indexLog()
} as const satisfies Omit<Migration, 'number'>

import type { Migration } from './index.js'

/** The log's head has room for the seal of the chain's key. */
export const headSeal = {
  name: 'head-seal',
  up: (storage) => storage.schema.addHeadColumn('seal', 'text?')
} as const satisfies Omit<Migration, 'number'>

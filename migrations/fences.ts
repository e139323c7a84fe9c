import type { Migration } from './index.js'

/** What an earlier release that still runs says in its log: it takes it for the id of a key that the log is sealed with. */
const NOTICE = 'of a newer version of the hub, which this database belongs to now: start that version'

/**
 * The head names what it is written under, and a build its builder. Releases that look at neither are stopped: they find a head
 * that they cannot continue.
 */
export const fences = {
  name: 'fences',
  async up({ schema }) {
    await schema.addBuilders()
    await schema.addHeadColumn('writtenUnder', 'text?')
    await schema.moveHead(NOTICE)
  }
} as const satisfies Omit<Migration, 'number'>

import { seal, sealingWith } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { type Intruder, linkAnew, logIn, moveHead, putBack, write } from './intruder.js'

/** What an intruder finds in the hub of these tests. */
export interface Prey {
  /** The update of a record, well before the checkpoint. */
  readonly update: number
  /** An event whose name is erased, and one whose payload is. */
  readonly nameless: number
  readonly emptied: number
  /** Where a checkpoint was taken; there are events after it. */
  readonly checkpoint: number
  readonly end: number
  /** The database as it was before the checkpoint. */
  readonly older: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
}

/** Which verifications find it. */
export type Finder = 'verify' | 'checkpoint' | 'key' | 'key and checkpoint' | 'projections'

export interface Way {
  readonly what: string
  readonly by: readonly Finder[]
  /** The first position that is not as it was written, where the chain says so. */
  readonly at?: (prey: Prey) => number
  readonly carryOut: (intruder: Intruder, prey: Prey) => Promise<void>
}

const ALWAYS = ['verify', 'checkpoint', 'key', 'key and checkpoint'] as const
const BY_KEY = ['key', 'key and checkpoint'] as const
const ATTACKER_KEY = sealingWith(Buffer.alloc(32, 7))

const at = async (intruder: Intruder, position: number): Promise<StoredEvent> => {
  const event = (await logIn(intruder))[position - 1]
  if (!event) throw new Error(`There is no event ${position}.`)
  return event
}

/** An event after the last one, linked as anybody can. */
async function append(intruder: Intruder, type: string, stream: string, data: unknown): Promise<void> {
  const last = (await logIn(intruder)).at(-1)
  if (!last) return
  const position = last.position + 1
  await write(intruder, { ...last, position, stream, version: 1, type, schema: 1, payload: seal(JSON.stringify(data)) })
  await linkAnew(intruder, position)
}

/** What somebody can do who can write the database and has no key. */
export const ways: readonly Way[] = [
  {
    what: 'Another text in place of what happened',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: (db, { update }) => db.run(`UPDATE hub_log SET payload = '{}' WHERE position = ?`, update)
  },
  {
    what: 'The same, with a salt and a commitment of its own',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: async (db, { update }) => write(db, { ...(await at(db, update)), payload: seal('{}') })
  },
  {
    what: 'Another name in place of who did it',
    by: ALWAYS,
    at: ({ update }) => update,
    carryOut: (db, { update }) =>
      db.run(`UPDATE hub_log SET who = '{"address":null,"name":"Eve"}' WHERE position = ?`, update)
  },
  {
    what: 'What happened taken out, its salt left',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: (db, { update }) => db.run('UPDATE hub_log SET payload = NULL WHERE position = ?', update)
  },
  {
    what: 'All names taken out, their salts left',
    by: ALWAYS,
    at: () => 1,
    carryOut: (db) => db.run('UPDATE hub_log SET who = NULL')
  },
  {
    what: 'What happened taken out with its salt',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: (db, { update }) =>
      db.run('UPDATE hub_log SET payload = NULL, payload_salt = NULL WHERE position = ?', update)
  },
  {
    what: 'All names taken out with their salts',
    by: ALWAYS,
    at: () => 1,
    carryOut: (db) => db.run('UPDATE hub_log SET who = NULL, who_salt = NULL')
  },
  {
    what: 'A name put where one was erased',
    by: ALWAYS,
    at: ({ nameless }) => nameless,
    carryOut: (db, { nameless }) =>
      db.run(`UPDATE hub_log SET who = '{"address":null,"name":"Eve"}' WHERE position = ?`, nameless)
  },
  {
    what: 'A text put where one was erased',
    by: [...ALWAYS, 'projections'],
    at: ({ emptied }) => emptied,
    carryOut: (db, { emptied }) => db.run(`UPDATE hub_log SET payload = '{"a":1}' WHERE position = ?`, emptied)
  },
  {
    what: 'A change emptied to `{}`, as an erasure leaves deletions',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: (db, { update }) =>
      db.run(`UPDATE hub_log SET payload = '{}', payload_salt = NULL WHERE position = ?`, update)
  },
  {
    what: 'Another account in place of who did it',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: (db, { update }) => db.run(`UPDATE hub_log SET actor_id = 'eve' WHERE position = ?`, update)
  },
  {
    what: 'An event removed',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    carryOut: (db, { update }) => db.run('DELETE FROM hub_log WHERE position = ?', update)
  },
  {
    what: 'Two events exchanged',
    by: [...ALWAYS, 'projections'],
    at: ({ update }) => update,
    async carryOut(db, { update }) {
      const [one, next] = [await at(db, update), await at(db, update + 1)]
      await db.run('DELETE FROM hub_log WHERE position IN (?, ?)', update, update + 1)
      await write(db, { ...next, position: update })
      await write(db, { ...one, position: update + 1 })
    }
  },
  {
    what: 'An event before the checkpoint changed, and everything after it linked anew',
    by: ['checkpoint', ...BY_KEY, 'projections'],
    async carryOut(db, { update }) {
      await write(db, { ...(await at(db, update)), payload: seal('{}') })
      await linkAnew(db, update)
    }
  },
  {
    what: 'An event appended and linked',
    by: BY_KEY,
    at: ({ end }) => end + 1,
    carryOut: (db) => append(db, 'AuditRead', 'audit-forged', { filter: {} })
  },
  {
    what: 'An event put behind the end that the head names',
    by: ALWAYS,
    at: ({ end }) => end + 3,
    carryOut: async (db, { end }) => write(db, { ...(await at(db, end)), position: end + 3, version: 99 })
  },
  {
    what: 'An event put before the first position',
    by: ALWAYS,
    at: () => 0,
    carryOut: async (db) => write(db, { ...(await at(db, 1)), position: 0, version: 99 })
  },
  {
    what: 'An erasure appended, linked and carried out',
    by: [...BY_KEY, 'projections'],
    at: ({ end }) => end + 1,
    async carryOut(db, { update }) {
      await append(db, 'PayloadsErased', 'erasure-forged', { kind: 'environment', id: 'e', positions: [update] })
      await db.run('UPDATE hub_log SET payload = NULL, payload_salt = NULL WHERE position = ?', update)
    }
  },
  {
    what: 'The events after the checkpoint cut off, and the head moved',
    by: [...BY_KEY, 'projections'],
    at: ({ checkpoint }) => checkpoint + 1,
    async carryOut(db, { checkpoint }) {
      await db.run('DELETE FROM hub_log WHERE position > ?', checkpoint)
      await moveHead(db)
    }
  },
  {
    what: 'The end cut off from before the checkpoint, and the head moved',
    by: ['checkpoint', ...BY_KEY, 'projections'],
    async carryOut(db, { checkpoint }) {
      await db.run('DELETE FROM hub_log WHERE position >= ?', checkpoint)
      await moveHead(db)
    }
  },
  {
    what: 'The whole log written anew from its first event, without the key',
    by: ['checkpoint', ...BY_KEY],
    async carryOut(db) {
      const first = await at(db, 1)
      await write(db, { ...first, type: 'AuditRead', payload: seal('{"filter":{}}') })
      await linkAnew(db, 1)
      await db.run('UPDATE hub_head SET seal = NULL')
    }
  },
  {
    what: 'A key of their own announced, and everything after it linked with that',
    // Without a key of the hub there is none that could be asked for: the log says that it is sealed, and that is the finding.
    by: ALWAYS,
    async carryOut(db) {
      await append(db, 'ChainSealed', 'audit-forged', { keyId: ATTACKER_KEY.keyId })
      const last = (await logIn(db)).at(-1)
      if (!last) return
      const position = last.position + 1
      const forged = { ...last, position, stream: 'audit-forged', version: 2, type: 'AuditRead' }
      const linked = { ...forged, payload: seal('{"filter":{}}') }
      await write(db, { ...linked, chain: ATTACKER_KEY.link(last.chain, linked) })
      await moveHead(db)
      const head = (await logIn(db)).at(-1)
      if (head) await db.run('UPDATE hub_head SET seal = ?', ATTACKER_KEY.sealHead({ ...head, generation: 1 }) ?? null)
    }
  },
  {
    what: 'The time of the head changed',
    by: ALWAYS,
    at: ({ end }) => end + 1,
    carryOut: (db) => db.run(`UPDATE hub_head SET at = '2020-01-01T00:00:00.000Z'`)
  },
  {
    what: 'Other read tables made the live ones in the head',
    by: [...ALWAYS, 'projections'],
    at: ({ end }) => end + 1,
    carryOut: (db) => db.run('UPDATE hub_head SET generation = 2')
  },
  {
    what: 'A user made an administrator in the read table',
    by: ['projections'],
    carryOut: (db) => db.run(`UPDATE hub_users_g1 SET role = 'admin' WHERE name = 'Bob'`)
  },
  {
    what: 'An older copy of the whole database put back, from before the checkpoint',
    by: ['checkpoint', 'key and checkpoint'],
    carryOut: (db, { older }) => putBack(db, older)
  }
]

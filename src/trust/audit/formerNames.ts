import { z } from 'zod'
import { codec } from '../../../commands/index.js'
import { nameKey } from '../../../commands/keys.js'
import type { Ledger } from '../../ledger/ledger.js'
import { decoded } from '../../log/codec.js'
import { type StoredEvent, subjectOf } from '../../log/event.js'
import { eventsOf } from '../../log/logQuery.js'

/** The events that give an account its name. */
const NAMING = ['UserCreated', 'UserUpdated', 'UserImported']
/** So many names are kept for a suggestion. */
const NAMES_MAX = 10_000

const named = z.object({ name: z.string() })
const account = z.union([named, z.object({ account: named }).transform(({ account }) => account)])

/** The name that an event gives an account; undefined where it gives none, or that is erased. */
export function nameGivenBy(event: StoredEvent): string | undefined {
  return account.safeParse(decoded(event, codec).data).data?.name
}

/** Accounts as the log has known them, by name. */
export interface OnceNamed {
  /** By the id of each account that went by the name at any time, the last name that it had. */
  readonly accounts: ReadonlyMap<string, string>
  /** Names that accounts had at any time, as many as are kept. */
  readonly names: ReadonlySet<string>
}

/**
 * Who went by a name at any time, gone or not, as the log tells: names that were erased are found no more. Reads the events that
 * give accounts their names, a page at a time.
 */
export async function accountsOnceNamed(ledger: Pick<Ledger, 'storage'>, name: string): Promise<OnceNamed> {
  const wanted = nameKey(name)
  const last = new Map<string, string>()
  const found = new Set<string>()
  const names = new Set<string>()
  for await (const event of eventsOf(ledger, { filter: { types: NAMING } })) {
    const given = nameGivenBy(event)
    if (given === undefined) continue
    const id = subjectOf(event.stream)
    if (nameKey(given) === wanted) found.add(id)
    if (found.has(id)) last.set(id, given)
    if (names.size < NAMES_MAX) names.add(given)
  }
  return { accounts: last, names }
}

import { kinds } from '../commands/records/kinds.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { Effect } from '../src/readmodel/readModel.js'
import type { RowOp, TableSpec } from '../src/storage/storage.js'
import { collections } from './collections.js'
import { comments } from './comments.js'
import type { Projector } from './define.js'
import { devices } from './devices.js'
import { documents } from './documents.js'
import { environments } from './environments.js'
import { folders } from './folders.js'
import { groups, members } from './groups.js'
import { hubs } from './hubs.js'
import { idempotencyKeys } from './idempotencyKeys.js'
import { identities, signIns } from './identities.js'
import { invitations } from './invitations.js'
import { livePages, liveServers } from './live.js'
import { llmReservations, llmSteps, llmUsage } from './llm.js'
import { llmBudgets, llmBudgetUse } from './llmBudgets.js'
import { mlsCommits, mlsWelcomes } from './mls.js'
import { noticeLevels, threadSubscriptions } from './notifications.js'
import { requests } from './requests.js'
import { runPayloads, runResults } from './runResults.js'
import { snippets } from './snippets.js'
import { tenants } from './tenants.js'
import { tokens } from './tokens.js'
import { tombstones } from './tombstones.js'
import { users } from './users.js'
import { webhooks } from './webhooks.js'

/** Every projector. A new read table is one more entry here. */
export const projectors: readonly Projector[] = [
  users,
  groups,
  members,
  tokens,
  identities,
  signIns,
  invitations,
  collections,
  environments,
  snippets,
  liveServers,
  livePages,
  folders,
  requests,
  documents,
  runResults,
  runPayloads,
  llmReservations,
  llmUsage,
  llmSteps,
  llmBudgets,
  llmBudgetUse,
  tombstones,
  idempotencyKeys,
  webhooks,
  comments,
  noticeLevels,
  threadSubscriptions,
  devices,
  mlsCommits,
  mlsWelcomes,
  hubs,
  tenants
]

export const tables: readonly TableSpec[] = projectors.map(({ table }) => table)

/** The version of each projector, by its table. */
export const versions: Readonly<Record<string, number>> = Object.fromEntries(
  projectors.map(({ table, version }) => [table.name, version])
)

/** What the read tables of a log were built with that was never rebuilt. Frozen: it says how the first release began. */
export const FIRST_VERSIONS: Readonly<Record<string, number>> = {
  users: 1,
  tokens: 1,
  invitations: 1,
  collections: 1,
  environments: 1,
  snippets: 1,
  folders: 1,
  requests: 1,
  documents: 1,
  runResults: 1,
  runPayloads: 1,
  llmReservations: 1,
  llmUsage: 1,
  llmSteps: 1,
  departures: 1,
  idempotencyKeys: 1
}

const byType = new Map<string, Projector[]>()
for (const projector of projectors) {
  for (const type of Object.keys(projector.handlers)) byType.set(type, [...(byType.get(type) ?? []), projector])
}

/** The row changes that follow from one event, in every read table. */
export function project(event: DecodedEvent): readonly RowOp[] {
  return (byType.get(event.type) ?? []).flatMap(({ handlers }) => handlers[event.type]?.(event) ?? [])
}

/** The table of the kind whose record is made, changed or moved by an event of this type. */
const changedAlone = new Map(
  Object.values(kinds).flatMap(({ label, table }) =>
    ['Created', 'Updated', 'Moved'].map((change): [string, TableSpec] => [label + change, table])
  )
)

/** What an event of this type may change. */
export function effectOf(type: string): Effect {
  return { tables: (byType.get(type) ?? []).map(({ table }) => table), oneRowOf: changedAlone.get(type) ?? null }
}

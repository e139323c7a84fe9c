import type { RestorableKind } from '../../projections/departures.js'

/**
 * What the events of one kind of stream leave of its row. An event of one type always sets the same columns, so that the
 * newest of each group, in their order, make the same row as the whole stream does.
 */
export interface Steps {
  /** Each makes the whole row anew. */
  readonly makes: readonly string[]
  /** Each changes some columns of it: types of one group the same ones. */
  readonly changes: readonly (readonly string[])[]
  /** The one of `changes` that sets all but who made the record and whether it is locked; null where there is none. */
  readonly whole: string | null
  /** The row is gone. */
  readonly ends: readonly string[]
}

const makes = (name: string) => [`${name}Created`, `${name}Imported`, `${name}Restored`]

function item(name: 'Request' | 'Document'): Steps {
  const changes = [[`${name}Updated`], [`${name}Moved`]]
  return { makes: makes(name), changes, whole: `${name}Updated`, ends: [`${name}Deleted`] }
}

function lockable(name: 'Collection' | 'Environment' | 'Snippet'): Steps {
  const changes = [[`${name}Updated`], [`${name}DeletionLocked`, `${name}DeletionUnlocked`]]
  return { makes: makes(name), changes, whole: `${name}Updated`, ends: [`${name}Deleted`] }
}

/** Of the kinds of record that have a history. */
export const recordSteps: Readonly<Record<RestorableKind, Steps>> = {
  collection: lockable('Collection'),
  environment: lockable('Environment'),
  snippet: lockable('Snippet'),
  folder: {
    makes: makes('Folder'),
    changes: [['FolderUpdated'], ['FolderMoved']],
    whole: null,
    ends: ['FolderDeleted']
  },
  request: item('Request'),
  document: item('Document')
}

const others: Readonly<Record<string, Steps>> = {
  user: { makes: ['UserCreated', 'UserImported'], changes: [['UserUpdated']], whole: null, ends: ['UserDeleted'] },
  token: { makes: ['TokenCreated', 'TokenImported'], changes: [['TokenRevoked']], whole: null, ends: ['TokenDeleted'] },
  invitation: {
    makes: ['InvitationCreated', 'InvitationImported'],
    changes: [['InvitationRedeemed'], ['InvitationRevoked']],
    whole: null,
    ends: []
  },
  runresult: {
    makes: ['RunResultShared', 'RunResultImported'],
    changes: [],
    whole: null,
    ends: ['RunResultDeleted']
  },
  llmstep: {
    makes: ['LlmTurnReserved'],
    changes: [],
    whole: null,
    ends: ['LlmTurnReleased', 'LlmTurnExpired', 'LlmStepRecorded']
  },
  llmusage: { makes: ['LlmUsageImported'], changes: [], whole: null, ends: [] }
}

/** The steps of a kind of stream; null for one that has no row. */
export function stepsOf(kind: string): Steps | null {
  return isRecord(kind) ? recordSteps[kind] : (others[kind] ?? null)
}

/** True for the kinds of record that have a history. */
export function isRecord(kind: string): kind is RestorableKind {
  return kind in recordSteps
}

/** The types that are versions of a record: all of its own stream but the orders that a collection's stream holds too. */
export function versionTypes(kind: RestorableKind): readonly string[] {
  const { makes, changes, ends } = recordSteps[kind]
  return [...makes, ...changes.flat(), ...ends]
}

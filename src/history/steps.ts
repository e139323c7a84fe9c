import { z } from 'zod'
import { itemPositionOf, type Steps } from '../../commands/kind.js'
import { isRecord, kinds, type RestorableKind } from '../../commands/kinds.js'
import type { Row } from '../storage/storage.js'

const others: Readonly<Record<string, Steps>> = {
  user: {
    makes: ['UserCreated', 'UserImported'],
    changes: [['UserUpdated'], ['AvatarChanged']],
    whole: null,
    ends: ['UserDeleted']
  },
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
    changes: [['LlmTurnExtended']],
    whole: null,
    ends: ['LlmTurnReleased', 'LlmTurnExpired', 'LlmStepRecorded']
  },
  webhook: {
    makes: ['WebhookCreated'],
    changes: [['WebhookChanged'], ['WebhookDisabled', 'WebhookEnabled'], ['WebhookSecretRotated'], ['WebhookReplayed']],
    whole: null,
    ends: ['WebhookDeleted']
  },
  comment: {
    makes: ['CommentWritten', 'CommentImported'],
    changes: [['CommentEdited'], ['CommentRetracted']],
    whole: null,
    ends: []
  },
  notification: { makes: ['NoticeLevelImported'], changes: [['NoticeLevelSet']], whole: null, ends: [] },
  subscription: {
    makes: ['ThreadSubscriptionImported'],
    changes: [['ThreadSubscribed', 'ThreadUnsubscribed']],
    whole: null,
    ends: []
  },
  device: {
    makes: ['DeviceEnrolled', 'DeviceImported'],
    changes: [['DeviceRevoked']],
    whole: null,
    ends: []
  },
  mlscommit: { makes: ['MlsCommitPosted', 'MlsCommitImported'], changes: [], whole: null, ends: [] },
  mlswelcome: { makes: ['MlsWelcomePosted', 'MlsWelcomeImported'], changes: [], whole: null, ends: [] },
  hub: { makes: ['HubAvatarChanged'], changes: [], whole: null, ends: [] },
  llmusage: { makes: ['LlmUsageImported'], changes: [], whole: null, ends: [] }
}

/** The steps of a kind of stream; null for one that has no row. */
export function stepsOf(kind: string): Steps | null {
  return isRecord(kind) ? kinds[kind].steps : (others[kind] ?? null)
}

/** The types that are versions of a record: all of its own stream but the orders that a collection's stream holds too. */
export function versionTypes(kind: RestorableKind): readonly string[] {
  const { makes, changes, ends } = kinds[kind].steps
  return [...makes, ...changes.flat(), ...ends]
}

/** Where a row of such a kind stood in its collection; null for a kind that stands in none. */
export function positionOf(kind: string, row: Row) {
  return isRecord(kind) && kinds[kind].isMember ? itemPositionOf(row) : null
}

const attributionColumns = z.object({ createdBy: z.string().nullable(), updatedBy: z.string().nullable() })

/** The accounts that a row names, each once. */
export function attributed(row: Row): readonly string[] {
  const { createdBy, updatedBy } = attributionColumns.parse(row)
  return [...new Set([createdBy, updatedBy])].filter((id) => id !== null)
}

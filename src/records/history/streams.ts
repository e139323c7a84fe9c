import type { Steps } from '../../../commands/records/kind.js'
import { isRecord, kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { grouped } from '../../lib/grouped.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import type { Storage } from '../../storage/storage.js'

const STREAMS_MAX = 500
/** Of most streams this is all there is. */
const RECENT = 50

const steps = (makes: Steps['makes'], changes: Steps['changes'] = [], ends: Steps['ends'] = []): Steps => {
  return { makes, changes, whole: null, ends }
}

const others: Readonly<Record<string, Steps>> = {
  user: steps(
    ['UserCreated', 'UserImported'],
    [
      ['UserUpdated'],
      ['UserMarkedAsService'],
      ['AvatarChanged'],
      ['GrantsChanged'],
      ['MembershipsChanged'],
      ['UserProvisioned'],
      ['UserDisabled', 'UserEnabled']
    ],
    ['UserDeleted']
  ),
  group: steps(['GroupCreated'], [['GroupUpdated']], ['GroupDeleted']),
  llmbudget: steps(['LlmBudgetCreated'], [['LlmBudgetUpdated'], ['LlmBudgetWarned']], ['LlmBudgetDeleted']),
  token: steps(['TokenCreated', 'TokenImported'], [['TokenReplaced'], ['TokenRevoked']], ['TokenDeleted']),
  identity: steps(['IdentityBound'], [['IdentitySignedIn', 'IdentitySignedOut']], ['IdentityUnbound']),
  invitation: steps(['InvitationCreated', 'InvitationImported'], [['InvitationRedeemed'], ['InvitationRevoked']]),
  runresult: steps(['RunResultShared', 'RunResultImported'], [], ['RunResultDeleted']),
  llmstep: steps(['LlmTurnReserved'], [['LlmTurnExtended']], ['LlmTurnReleased', 'LlmTurnExpired', 'LlmStepRecorded']),
  webhook: steps(
    ['WebhookCreated'],
    [['WebhookChanged'], ['WebhookDisabled', 'WebhookEnabled'], ['WebhookSecretRotated'], ['WebhookReplayed']],
    ['WebhookDeleted']
  ),
  comment: steps(
    ['CommentWritten', 'CommentImported'],
    [['CommentEdited'], ['CommentRetracted'], ['ThreadResolved', 'ThreadReopened']]
  ),
  notification: steps(['NoticeLevelImported'], [['NoticeLevelSet']]),
  subscription: steps(['ThreadSubscriptionImported'], [['ThreadSubscribed', 'ThreadUnsubscribed']]),
  device: steps(['DeviceEnrolled', 'DeviceImported'], [['DeviceRevoked']]),
  mlscommit: steps(['MlsCommitPosted', 'MlsCommitImported']),
  mlswelcome: steps(['MlsWelcomePosted', 'MlsWelcomeImported']),
  hub: steps(['HubAvatarChanged']),
  llmusage: steps(['LlmUsageImported']),
  tenant: steps(['TenantCreated'], [['TenantRenamed'], ['TenantMoved']], ['TenantDeleted'])
}

/** The kind in a stream's name. */
export function kindIn(stream: string): string {
  return stream.slice(0, stream.indexOf('-'))
}

/** The steps of a stream; null for one that has no row. */
export function stepsOf(stream: string): Steps | null {
  const kind = kindIn(stream)
  return isRecord(kind) ? kinds[kind].steps : (others[kind] ?? null)
}

/** The types that are versions of a record: all of its own stream but the orders that a collection's stream holds too. */
export function versionTypes(kind: RestorableKind): readonly string[] {
  const { makes, changes, ends } = kinds[kind].steps
  return [...makes, ...changes.flat(), ...ends]
}

/** The newest event of these types in a stream, at or before a position. */
export interface Newest {
  readonly stream: string
  readonly types: readonly string[]
  readonly at: number
}

type Log = Pick<Storage, 'lastOf' | 'searchLog'>
type Found<T> = Map<T, EventHeader>

/**
 * Finds newest events: those of many streams at one moment by few questions, and those of one stream at many moments by one question
 * and one for each that lies further back.
 */
export async function newestOf<T extends Newest>(log: Log, asked: readonly T[]): Promise<ReadonlyMap<T, EventHeader>> {
  const found = new Map<T, EventHeader>()
  const alone: T[] = []
  const answerable = asked.filter(({ types }) => types.length > 0)
  for (const group of grouped(answerable, ({ types, at }) => `${at} ${types.join(' ')}`).values()) {
    const [first] = group
    if (first && group.length > 1) await together(log, group, first, found)
    else alone.push(...group)
  }
  for (const ofStream of grouped(alone, ({ stream }) => stream).values()) await oneByOne(log, ofStream, found)
  return found
}

async function together<T extends Newest>(log: Log, group: readonly T[], { types, at }: Newest, found: Found<T>) {
  const byStream = grouped(group, ({ stream }) => stream)
  for (const streams of slices([...byStream.keys()], STREAMS_MAX)) {
    for (const header of await log.lastOf(streams, types, at))
      for (const one of byStream.get(header.stream) ?? []) found.set(one, header)
    await giveWay()
  }
}

/** Those of one stream, the last moment first: what is found for it is good for every moment down to where it is. */
async function oneByOne<T extends Newest>(log: Log, asked: readonly T[], found: Found<T>) {
  const known = new Map<string, EventHeader | null>()
  const falling = asked.toSorted((a, b) => b.at - a.at)
  const [{ stream, at: last } = { stream: '', at: 0 }] = falling
  const recent = await log.searchLog({ streams: [stream] }, { after: 0, through: last }, RECENT, true)
  for (const one of falling) {
    const { types, at } = one
    const key = types.join(' ')
    let header = recent.find(({ position, type }) => position <= at && types.includes(type)) ?? known.get(key)
    if (header && header.position > at) header = undefined
    if (header === undefined && recent.length === RECENT)
      [header = null] = await log.searchLog({ streams: [stream], types }, { after: 0, through: at }, 1, true)
    if (header !== undefined) known.set(key, header)
    if (header) found.set(one, header)
    await giveWay()
  }
}

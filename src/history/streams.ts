import type { Steps } from '../../commands/kind.js'
import { isRecord, kinds, type RestorableKind } from '../../commands/kinds.js'
import { slices } from '../limits.js'
import type { EventHeader } from '../log/event.js'
import type { Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'

const PAGE = 500
const STREAMS_MAX = 500
const AT_ONCE = 16

const steps = (makes: Steps['makes'], changes: Steps['changes'] = [], ends: Steps['ends'] = []): Steps => {
  return { makes, changes, whole: null, ends }
}

const others: Readonly<Record<string, Steps>> = {
  user: steps(['UserCreated', 'UserImported'], [['UserUpdated'], ['AvatarChanged']], ['UserDeleted']),
  token: steps(['TokenCreated', 'TokenImported'], [['TokenRevoked']], ['TokenDeleted']),
  invitation: steps(['InvitationCreated', 'InvitationImported'], [['InvitationRedeemed'], ['InvitationRevoked']]),
  runresult: steps(['RunResultShared', 'RunResultImported'], [], ['RunResultDeleted']),
  llmstep: steps(['LlmTurnReserved'], [['LlmTurnExtended']], ['LlmTurnReleased', 'LlmTurnExpired', 'LlmStepRecorded']),
  webhook: steps(
    ['WebhookCreated'],
    [['WebhookChanged'], ['WebhookDisabled', 'WebhookEnabled'], ['WebhookSecretRotated'], ['WebhookReplayed']],
    ['WebhookDeleted']
  ),
  comment: steps(['CommentWritten', 'CommentImported'], [['CommentEdited'], ['CommentRetracted']]),
  notification: steps(['NoticeLevelImported'], [['NoticeLevelSet']]),
  subscription: steps(['ThreadSubscriptionImported'], [['ThreadSubscribed', 'ThreadUnsubscribed']]),
  device: steps(['DeviceEnrolled', 'DeviceImported'], [['DeviceRevoked']]),
  mlscommit: steps(['MlsCommitPosted', 'MlsCommitImported']),
  mlswelcome: steps(['MlsWelcomePosted', 'MlsWelcomeImported']),
  hub: steps(['HubAvatarChanged']),
  llmusage: steps(['LlmUsageImported'])
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

/** The events of one stream that are of these types, or of any, up to a position, from the newest on. */
export async function* newestFirst(
  { storage }: { readonly storage: Pick<Storage, 'searchLog'> },
  stream: string,
  types: readonly string[] | undefined,
  position: number
): AsyncGenerator<EventHeader, void> {
  for (let through = position; ; ) {
    const page = await storage.searchLog({ streams: [stream], types }, { after: 0, through }, PAGE, true)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    through = last.position - 1
    await giveWay()
  }
}

/** The newest event of these types in a stream, at or before a position. */
export interface Newest {
  readonly stream: string
  readonly types: readonly string[]
  readonly at: number
}

/**
 * Finds newest events. Streams that are asked for the same types share a question for the last of these positions; a stream that
 * has gone on since its own is asked again by itself.
 */
export async function newestOf(
  storage: Pick<Storage, 'lastOf' | 'searchLog'>,
  asked: readonly Newest[]
): Promise<ReadonlyMap<Newest, EventHeader>> {
  const found = new Map<Newest, EventHeader>()
  const late: Newest[] = []
  for (const group of grouped(asked, ({ types }) => types.join(' ')).values()) {
    const through = group.reduce((max, { at }) => Math.max(max, at), 0)
    const last = new Map<string, EventHeader>()
    for (const streams of slices([...new Set(group.map(({ stream }) => stream))], STREAMS_MAX)) {
      for (const header of await storage.lastOf(streams, group[0]?.types ?? [], through))
        last.set(header.stream, header)
      await giveWay()
    }
    for (const one of group) {
      const header = last.get(one.stream)
      if (header && header.position <= one.at) found.set(one, header)
      else if (header) late.push(one)
    }
  }
  for (const some of slices(late, AT_ONCE)) {
    const ask = async (one: Newest) => {
      const { stream, types, at } = one
      const [header] = await storage.searchLog({ streams: [stream], types }, { after: 0, through: at }, 1, true)
      if (header) found.set(one, header)
    }
    await Promise.all(some.map(ask))
    await giveWay()
  }
  return found
}

/** What has the same key, together. */
export function grouped<K, T>(all: Iterable<T>, keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

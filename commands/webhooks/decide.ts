import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { type Caller, type Deciders, requireRevision, requireSight } from '../context.js'
import { collectionsTable } from '../records/collection/table.js'
import type { Target } from '../records/kind.js'
import { type DisabledReason, emitWebhook, type WebhookContent, webhookContent } from './events.js'
import { webhooksTable } from './table.js'

export type WebhookCommand =
  | { readonly type: 'CreateWebhook'; readonly id: string; readonly content: WebhookContent }
  | ({
      readonly type: 'ChangeWebhook'
      readonly content: WebhookContent
      readonly isEnabled: boolean | undefined
    } & Target)
  | { readonly type: 'EnableWebhook'; readonly id: string }
  /** `seen` is the revision on which it was found that nothing can be sent: what was changed since is tried first. */
  | {
      readonly type: 'DisableWebhook'
      readonly id: string
      readonly reason: DisabledReason
      readonly seen?: number
    }
  | { readonly type: 'RotateWebhookSecret'; readonly id: string }
  /** The position is one of the log: the caller has looked. */
  | { readonly type: 'ReplayWebhook'; readonly id: string; readonly after: number }
  | ({ readonly type: 'DeleteWebhook' } & Target)

type WebhookRow = Row<typeof webhooksTable.columns>

/** Decides on subscriptions: administrators see to all of them, users to their own, for collections that they may see. */
export const webhookDeciders: Deciders<WebhookCommand> = {
  async CreateWebhook({ id, content }, { caller, read }) {
    await requireSeen(content.collectionId, caller, read)
    await requireRoom(caller, read)
    return [emitWebhook(id, 'WebhookCreated', { ...content, ownerId: caller.userId })]
  },
  async ChangeWebhook({ id, content, isEnabled, ifRevision }, { caller, read }) {
    const row = await ownWebhook(id, caller, read)
    requireRevision(row, ifRevision)
    const now = webhookContent.parse(JSON.parse(row.body))
    const isSame = JSON.stringify(webhookContent.parse(content)) === JSON.stringify(now)
    // Who may not see the collection any more may still switch the subscription off, or change where it leads.
    if (content.collectionId !== now.collectionId) await requireSeen(content.collectionId, caller, read)
    return [
      ...(isSame ? [] : [emitWebhook(id, 'WebhookChanged', content)]),
      ...(isEnabled === undefined ? [] : switched(row, isEnabled, 'requested'))
    ]
  },
  async EnableWebhook({ id }, { caller, read }) {
    return switched(await ownWebhook(id, caller, read), true, 'requested')
  },
  async DisableWebhook({ id, reason, seen }, { caller, read }) {
    const row = await ownWebhook(id, caller, read)
    const isOver = seen !== undefined && seen !== row.revision
    return isOver ? [] : switched(row, false, reason)
  },
  async RotateWebhookSecret({ id }, { caller, read }) {
    const { secretVersion } = await ownWebhook(id, caller, read)
    return [emitWebhook(id, 'WebhookSecretRotated', { secretVersion: secretVersion + 1 })]
  },
  async ReplayWebhook({ id, after }, { caller, read }) {
    await ownWebhook(id, caller, read)
    return [emitWebhook(id, 'WebhookReplayed', { after })]
  },
  async DeleteWebhook({ id, ifRevision }, { caller, read }) {
    requireRevision(await ownWebhook(id, caller, read), ifRevision)
    return [emitWebhook(id, 'WebhookDeleted', {})]
  }
}

/** A subscription that the caller may see and change: 404 where there is none, and for a user where it is another's. */
export async function ownWebhook(id: string, caller: Caller, read: Pick<ReadStore, 'get'>): Promise<WebhookRow> {
  const row = await read.get(webhooksTable, id)
  const isTheirs = caller.role === 'admin' || row?.ownerId === caller.userId
  if (!row || !isTheirs) throw errors.notFound('Webhook')
  return row
}

function switched(row: WebhookRow, to: boolean, reason: DisabledReason): readonly NewEvent[] {
  const { id, isEnabled, disabledReason, startedBy, disabledPosition } = row
  if (isEnabled === to) return []
  if (!to) return [emitWebhook(id, 'WebhookDisabled', { reason })]
  const on = emitWebhook(id, 'WebhookEnabled', {})
  // Where it stood is not known: unless somebody has said since where it begins, it does from when that was found.
  const isLost = disabledReason === 'restored' && disabledPosition !== null && startedBy < disabledPosition
  return isLost ? [emitWebhook(id, 'WebhookReplayed', { after: disabledPosition }), on] : [on]
}

/** Everything is for administrators; one collection for whoever may see it. */
async function requireSeen(collectionId: string | null, caller: Caller, read: ReadStore): Promise<void> {
  if (collectionId === null) {
    if (caller.role !== 'admin') throw errors.webhookNeedsCollection()
    return
  }
  if (caller.role === 'user') requireSight(caller, collectionId)
  if (!(await read.get(collectionsTable, collectionId))) throw errors.notFound('Collection')
}

async function requireRoom({ userId }: Caller, read: ReadStore): Promise<void> {
  const [all, own] = await Promise.all([
    read.count(webhooksTable, 'byAge', []),
    read.count(webhooksTable, 'byOwner', [userId])
  ])
  if (all >= LIMITS.webhooks.max) throw errors.tooManyWebhooks(LIMITS.webhooks.max)
  if (own >= LIMITS.webhooksOfOne.max) throw errors.tooManyWebhooks(LIMITS.webhooksOfOne.max)
}

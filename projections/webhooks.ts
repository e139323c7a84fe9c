import type { WebhookEvent } from '../commands/webhooks/events.js'
import { webhooksTable } from '../commands/webhooks/table.js'
import { patch, projector, put, remove } from './define.js'

export const webhooks = projector<WebhookEvent>(webhooksTable, 1, {
  WebhookCreated: (e) => {
    const { ownerId, ...content } = e.data
    const start = { startsAfter: e.position, startedBy: e.position, effectiveAt: e.at }
    const secret = { secretVersion: 1, rotatedAt: null }
    const times = { createdAt: e.at, updatedAt: e.at }
    const columns = {
      ownerId,
      isEnabled: true,
      disabledReason: null,
      disabledAt: null,
      disabledPosition: null,
      ...times,
      ...start,
      ...secret
    }
    return [put(webhooksTable, e, columns, { id: e.subject, ...content })]
  },
  WebhookChanged: (e) => [
    patch(webhooksTable, e, { updatedAt: e.at, effectiveAt: e.at }, { id: e.subject, ...e.data })
  ],
  WebhookDisabled: (e) => [
    patch(webhooksTable, e, {
      isEnabled: false,
      disabledReason: e.data.reason,
      disabledAt: e.at,
      disabledPosition: e.position,
      effectiveAt: e.at
    })
  ],
  WebhookEnabled: (e) => [
    patch(webhooksTable, e, {
      isEnabled: true,
      disabledReason: null,
      disabledAt: null,
      disabledPosition: null,
      effectiveAt: e.at
    })
  ],
  WebhookSecretRotated: (e) => [
    patch(webhooksTable, e, { secretVersion: e.data.secretVersion, rotatedAt: e.at, effectiveAt: e.at })
  ],
  WebhookReplayed: (e) => [
    patch(webhooksTable, e, { startsAfter: e.data.after, startedBy: e.position, effectiveAt: e.at })
  ],
  WebhookDeleted: (e) => [remove(webhooksTable, e.subject)]
})

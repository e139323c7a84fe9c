import type { Schemas } from '@collections-hub/client'
import { unlessRefused } from './hub.js'
import { hub } from './session.js'

export type Webhook = Schemas['Webhook']
export type Deliveries = Schemas['WebhookDeliveries']
export type Attempt = Schemas['WebhookAttempt']
/** What is filled in of a webhook. */
export type Subscription = Schemas['CreateWebhookBody']

/** So many are listed. */
const LISTED_MOST = 500

/** One's own webhooks; for administrators all; null where the hub sends none. */
export function loadWebhooks(signal: AbortSignal): Promise<readonly Webhook[] | null> {
  return unlessRefused(['webhooks-not-configured'], null, async () => {
    const { body } = await hub().request('GET', '/webhooks', { query: { limit: LISTED_MOST }, signal })
    return body.webhooks
  })
}

export async function loadWebhook(id: string, signal: AbortSignal): Promise<Webhook> {
  return (await hub().request('GET', '/webhooks/{id}', { path: { id }, signal })).body
}

export async function loadDeliveries(id: string, signal: AbortSignal): Promise<Deliveries> {
  return (await hub().request('GET', '/webhooks/{id}/deliveries', { path: { id }, signal })).body
}

/** Subscribes; the answer has the secret, for the only time. */
export async function createWebhook(body: Subscription): Promise<Schemas['WebhookWithSecret']> {
  return (await hub().request('POST', '/webhooks', { body })).body
}

export async function changeWebhook(id: string, body: Schemas['ChangeWebhookBody']): Promise<void> {
  await hub().request('PUT', '/webhooks/{id}', { path: { id }, body })
}

export async function deleteWebhook(id: string): Promise<void> {
  await hub().request('DELETE', '/webhooks/{id}', { path: { id } })
}

export async function enableWebhook(id: string): Promise<void> {
  await hub().request('POST', '/webhooks/{id}/enable', { path: { id } })
}

/** Makes a new secret, which is told this once. */
export async function rotateSecret(id: string): Promise<string> {
  return (await hub().request('POST', '/webhooks/{id}/rotate', { path: { id } })).body.secret
}

/** Has everything behind a position of the log delivered again. */
export async function replayWebhook(id: string, after: number): Promise<void> {
  await hub().request('POST', '/webhooks/{id}/replay', { path: { id }, body: { after } })
}

/** Delivers a test message at once, and tells what came of it. */
export async function testWebhook(id: string): Promise<Attempt> {
  return (await hub().request('POST', '/webhooks/{id}/test', { path: { id } })).body
}

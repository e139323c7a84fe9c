import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import type { Context } from '../../context.js'
import { type Command, decide } from '../../index.js'
import { emitKey } from './events.js'
import { idempotencyKeysTable } from './table.js'

/** A command that was carried out before: where the log ended after it, and what it made or changed, if that is one thing. */
export interface PriorOutcome {
  readonly position: number
  readonly subject: string | null
}

/**
 * A request that its sender may send again: hashes of its key, with whose it is and where it was sent, and of its body.
 * `useId` is a new id: a key that is used again after it expired begins anew, and no stream has to be looked up for it.
 */
export interface KeyedRequest {
  readonly useId: string
  readonly key: string
  readonly bodyHash: string
}

/** The answers to these show a secret, which nobody is shown twice. */
const SHOWING_SECRETS: ReadonlySet<Command['type']> = new Set([
  'CreateUser',
  'CreateToken',
  'CreateOwnToken',
  'InviteUser',
  'CreateInvitation',
  'CreateOwnInvitation',
  'RedeemInvitation',
  'CreateWebhook',
  'RotateWebhookSecret'
] as const)

/**
 * Decides a command once until its key expires: sent again under the key with the same body nothing happens, and `repeats`
 * says when it did. Refuses another body with 422, and the repeat of what showed a secret with 409. A command that is refused
 * leaves its key unused. `expiresAt` is when the key will expire if it is used now.
 */
export async function decideOnce(
  command: Command,
  { useId, key, bodyHash }: KeyedRequest,
  expiresAt: string,
  context: Context
): Promise<{ readonly events: readonly NewEvent[]; readonly repeats?: PriorOutcome }> {
  const { read, now } = context
  const used = await read.get(idempotencyKeysTable, key)
  if (used && used.expiresAt > now) {
    if (used.bodyHash !== bodyHash) throw errors.keyUsed()
    if (SHOWING_SECRETS.has(command.type)) throw errors.secretShown()
    return { events: [], repeats: { position: used.revision, subject: used.subject } }
  }
  const events = await decide(command, context)
  const resourceId = 'id' in command ? command.id : null
  const expiredDay = await dayThatIsOver(read, now)
  const use = { keyHash: key, bodyHash, resourceId, expiresAt, ...(expiredDay && { expiredDay }) }
  return { events: [...events, emitKey(useId, 'IdempotencyKeyUsed', use)] }
}

/** The oldest day on which keys expired that are still known; none if that is today or to come. */
async function dayThatIsOver(read: ReadStore, now: string): Promise<string | undefined> {
  const [oldest] = await read.list(idempotencyKeysTable, 'byDay', [], { limit: 1, body: false })
  return oldest && oldest.day < now.slice(0, 10) ? oldest.day : undefined
}

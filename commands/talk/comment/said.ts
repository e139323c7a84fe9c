import { z } from 'zod'
import { errors } from '../../../src/errors.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import type { Caller } from '../../context.js'
import { requireOwnDevice } from '../device/decide.js'
import { groupOf } from '../mls/group.js'
import type { Discussed } from './events.js'
import { type EncryptedPayload, encryptedPayload, payloadOf } from './payload.js'

/** What a client sends as a comment: a text, or what only hubs with encrypted discussions take. */
export interface SentComment {
  readonly body?: string | undefined
  readonly encryptedPayload?: unknown
}

/** What a comment says, as its events tell it: a text, or an empty one and what is encrypted. */
interface Said {
  readonly text: string
  readonly encrypted?: EncryptedPayload
}

/** What a client has said of a thing: 400 where it is none of what the hub takes. */
export function saidIn(sent: SentComment, target: Discussed, isEncrypted = false): Said {
  return isEncrypted ? { text: '', encrypted: encryptedIn(sent, target) } : { text: textOf(sent) }
}

/** Refuses what was encrypted by another device than an active one of the caller. */
export async function requireSender({ encrypted }: Said, caller: Caller, read: ReadStore): Promise<void> {
  if (encrypted) await requireOwnDevice(caller, encrypted.senderDeviceId, read)
}

const shown = z.object({ body: z.string().nullable(), encryptedPayload: encryptedPayload.nullable() })

/** What the comment in a row says; nothing where it is retracted. */
export function shownIn({ body }: Pick<Row, 'body'>): z.infer<typeof shown> {
  return shown.parse(JSON.parse(body))
}

/** True where the comment in a row says the same already. */
export function saysIt(row: Pick<Row, 'body'>, { text, encrypted }: Said): boolean {
  const now = shownIn(row)
  if (!encrypted) return now.body === text
  return JSON.stringify(now.encryptedPayload) === JSON.stringify(encryptedPayload.parse(encrypted))
}

/** The text without the blanks around it. */
function textOf({ body, encryptedPayload: payload }: SentComment): string {
  if (payload !== undefined && payload !== null) throw errors.commentEncrypted()
  const text = body?.trim() ?? ''
  if (text === '') throw errors.commentEmpty()
  return text
}

/** A payload of one discussion shows nothing in another: its keys are those of the group. */
function encryptedIn({ body, encryptedPayload: payload }: SentComment, target: Discussed): EncryptedPayload {
  if (body !== undefined || payload === undefined || payload === null) throw errors.commentPlain()
  const encrypted = payloadOf(payload)
  if (encrypted.mlsGroupId !== groupOf(target)) throw errors.groupOfAnother()
  return encrypted
}

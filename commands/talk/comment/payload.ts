import { z } from 'zod'
import { errors } from '../../../src/errors.js'
import { boundedText, LIMITS } from '../../../src/limits.js'
import { id, NOT_STORABLE, storable } from '../../content.js'

/** How the keys of an encrypted comment are agreed on. */
export const PAYLOAD_KEY_FORMATS = ['identity-v1', 'mls-v1'] as const

/** A comment that devices have encrypted for each other, as events and rows have it. The hub reads none of it. */
export const encryptedPayload = z.object({
  ciphertext: z.string().describe('What is encrypted. The hub cannot read it.'),
  mlsGroupId: z
    .string()
    .describe(
      'The group that discusses the thing: `thread:`, the kind of thing, `:`, and its id, as in `thread:request:ID`.'
    ),
  epoch: z.number().describe('The epoch of the group that the keys are of.'),
  senderDeviceId: z.string().describe('The `deviceId` of the device that encrypted it.'),
  keyFormat: z.enum(PAYLOAD_KEY_FORMATS).describe('How it is encrypted.'),
  commitRef: z.string().optional().describe('The id of the commit that the keys are of.'),
  welcomeRef: z.string().optional().describe('The id of the welcome that the keys came with.')
})
export type EncryptedPayload = z.infer<typeof encryptedPayload>

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** An id that a device has given itself: a UUID of version 4. */
export const deviceId = (whenWrong = 'Device id must be a UUID v4 value') =>
  boundedText(LIMITS.id, whenWrong, whenWrong).regex(UUID_V4, whenWrong)

/** What devices have encrypted, without the blanks around it. */
export const ciphertext = (whenMissing: string, whenLong: string) =>
  boundedText(LIMITS.ciphertext, whenMissing, whenLong)
    .trim()
    .refine((text) => text !== '', whenMissing)
    .refine(storable, NOT_STORABLE)

/** The id of a group, as it is sent. Whether it is one, the domain says. */
export const groupId = boundedText(LIMITS.groupId, 'MLS group id is required').trim().min(1, 'MLS group id is required')

const EPOCH_WRONG = `Epoch must be an integer from 0 to ${LIMITS.epoch.max}`
export const epoch = z.int(EPOCH_WRONG).min(0, EPOCH_WRONG).max(LIMITS.epoch.max, EPOCH_WRONG)

/** What a payload may refer to; blank counts as nothing. */
const reference = boundedText(LIMITS.id)
  .trim()
  .pipe(z.union([z.literal(''), id]))
  .nullish()

const sentPayload = z.object({
  ciphertext: ciphertext('Encrypted discussion ciphertext is required', 'Encrypted discussion ciphertext is too large'),
  mlsGroupId: groupId,
  epoch,
  senderDeviceId: deviceId('Sender device id must be a UUID v4 value'),
  keyFormat: z.enum(PAYLOAD_KEY_FORMATS, `Key format must be one of ${PAYLOAD_KEY_FORMATS.join(', ')}`),
  commitRef: reference,
  welcomeRef: reference
})

/** The payload that a client has sent, of the fields that it may have; 400 with the first thing that is wrong. */
export function payloadOf(sent: unknown): EncryptedPayload {
  const { data, error } = sentPayload.safeParse(sent)
  if (!data) throw errors.invalid(error.issues[0]?.message ?? '')
  const { commitRef, welcomeRef, ...rest } = data
  return { ...rest, ...(commitRef && { commitRef }), ...(welcomeRef && { welcomeRef }) }
}

import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'

/** What the public key of a device is: a key that it signs with, or a whole key package of MLS. */
export const DEVICE_KEY_FORMATS = ['identity-v1', 'mls-key-package'] as const

/** A device as its owner enrols it. `deviceId` is the id that the device gave itself; two accounts may use one. */
export const enrolled = z.object({
  deviceId: z.string(),
  label: z.string(),
  /** A public key: with it nobody signs as the device. */
  publicKey: z.string(),
  keyFormat: z.enum(DEVICE_KEY_FORMATS),
  /** The sha256 of the key as it was sent, in hex. */
  fingerprint: z.string()
})
export type Enrolled = z.infer<typeof enrolled>

export const deviceEvents = {
  /** `replaces` is a revoked device of the account that leaves its list for this one; null where there is room. */
  DeviceEnrolled: begin(enrolled.extend({ userId: z.string(), replaces: z.string().nullable() })),
  /** It writes nothing any more. Its owner may enrol it anew, as another one. */
  DeviceRevoked: event(empty)
}
export type DeviceEvent = EventsOf<typeof deviceEvents>
export const emitDevice = emitter('device', deviceEvents)

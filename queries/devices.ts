import { z } from 'zod'
import type { JsonText } from '../commands/record.js'
import type { DeviceRow } from '../commands/talk/device/decide.js'
import { DEVICE_KEY_FORMATS } from '../commands/talk/device/events.js'
import { devicesTable } from '../commands/talk/device/table.js'
import type { Rows } from './listing.js'

/** Of a fingerprint, what people compare first. */
const PREFIX_LENGTH = 8

const kept = z.object({ label: z.string(), keyFormat: z.enum(DEVICE_KEY_FORMATS), fingerprint: z.string() })

/** A device as its owner and administrators see it: never its key. */
export function deviceRecord({ id, userId, deviceId, createdAt, revokedAt, body }: DeviceRow): JsonText {
  const { label, keyFormat, fingerprint } = kept.parse(JSON.parse(body))
  return JSON.stringify({
    ...{ id, userId, deviceId, label, keyFormat, fingerprint },
    fingerprintPrefix: fingerprint.slice(0, PREFIX_LENGTH),
    // Nothing tells when a device was there last: clients want a time all the same.
    ...{ createdAt, lastSeenAt: createdAt, revokedAt }
  })
}

/** Devices of one account, or all of them, newest first. */
export function listDevices(userId?: string): Rows<typeof devicesTable.columns> {
  const selection = { reverse: true }
  return userId === undefined
    ? { table: devicesTable, index: 'byAge', under: [], selection }
    : { table: devicesTable, index: 'byOwner', under: [userId], selection }
}

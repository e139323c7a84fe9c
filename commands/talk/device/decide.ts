import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { type Caller, type Deciders, requireAdmin } from '../../context.js'
import { type Enrolled, emitDevice } from './events.js'
import { devicesTable } from './table.js'

export type DeviceCommand =
  | { readonly type: 'EnrollDevice'; readonly id: string; readonly device: Enrolled }
  | { readonly type: 'RevokeDevice'; readonly id: string }
  | { readonly type: 'RevokeDeviceAsAdmin'; readonly id: string }

export type DeviceRow = Row<typeof devicesTable.columns>

/** Decides on devices: everybody sees to their own, administrators revoke any. What is revoked is not there any more. */
export const deviceDeciders: Deciders<DeviceCommand> = {
  /** An account has so many devices at most: the oldest of the revoked ones makes room for another. */
  async EnrollDevice({ id, device }, { caller: { userId }, read }) {
    const own = await devicesOf(userId, read)
    if (own.some((row) => isActiveAs(row, device.deviceId))) throw errors.deviceEnrolled()
    const { max } = LIMITS.devicesOfOne
    const replaced = own.length >= max ? own.find(({ revokedAt }) => revokedAt !== null) : undefined
    if (own.length >= max && !replaced) throw errors.tooManyDevices(max)
    return [emitDevice(id, 'DeviceEnrolled', { ...device, userId, replaces: replaced?.id ?? null })]
  },
  async RevokeDevice({ id }, { caller, read }) {
    const row = await read.get(devicesTable, id)
    return revoked(row?.userId === caller.userId ? row : null)
  },
  async RevokeDeviceAsAdmin({ id }, { caller, read }) {
    requireAdmin(caller)
    return revoked(await read.get(devicesTable, id))
  }
}

function revoked(row: DeviceRow | null): readonly NewEvent[] {
  if (!row || row.revokedAt !== null) throw errors.notFound('Device')
  return [emitDevice(row.id, 'DeviceRevoked', {})]
}

/** Refuses an account that has no active device with this id. */
export async function requireOwnDevice({ userId }: Caller, deviceId: string, read: ReadStore): Promise<void> {
  const own = await devicesOf(userId, read)
  if (!own.some((row) => isActiveAs(row, deviceId))) throw errors.deviceNotEnrolled()
}

/** Refuses an account that has no active device. */
export async function requireAnyDevice({ userId }: Caller, read: ReadStore): Promise<void> {
  const own = await devicesOf(userId, read)
  if (!own.some(({ revokedAt }) => revokedAt === null)) throw errors.deviceNotEnrolled()
}

/**
 * The device that goes by this id; null where none is active. Of several accounts' it is the one that was there first: whoever
 * enrols the id of somebody else's device gets nothing that is meant for that.
 */
export async function deviceCalled(deviceId: string, read: ReadStore): Promise<DeviceRow | null> {
  const rows = await read.list(devicesTable, 'byDevice', [deviceId], { body: false })
  const active = rows.filter(({ revokedAt }) => revokedAt === null)
  // Who enrols their device anew is still the one who was there first.
  const first = rows.find(({ userId }) => active.some((one) => one.userId === userId))
  return active.find(({ userId }) => userId === first?.userId) ?? null
}

function devicesOf(userId: string, read: ReadStore): Promise<readonly DeviceRow[]> {
  return read.list(devicesTable, 'byOwner', [userId], { body: false })
}

function isActiveAs(row: DeviceRow, deviceId: string): boolean {
  return row.deviceId === deviceId && row.revokedAt === null
}

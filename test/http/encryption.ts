import { randomUUID } from 'node:crypto'
import { fields, records, text } from './client.js'
import type { Account } from './support.js'
import { succeeded, type World } from './world.js'

/** Has the hub's discussions encrypted, or not any more, as a reload of its file does; nothing where it is so already. */
export async function encryption(world: World, isOn: boolean): Promise<void> {
  const { capabilities } = fields(succeeded(await world.by(world.owner).get('/auth/session')).body)
  if (fields(capabilities).discussionE2ee === isOn) return
  world.hub.reconfigure(isOn ? { collaboration: { e2ee: true } } : {})
  succeeded(await world.by(world.admin).post('/admin/config/reload'))
}

/** A device as it is enrolled. */
export const aDevice = (deviceId: string = randomUUID()) => ({
  deviceId,
  label: 'Laptop',
  publicKeyMaterial: 'MCowBQYDK2Vw'
})

/** Enrols a device of an account, and returns the id of the enrolment. */
export async function enrolled(world: World, deviceId: string, as: Account = world.owner): Promise<string> {
  const { device } = fields(succeeded(await world.by(as).post('/devices', aDevice(deviceId))).body)
  return text(device, 'id')
}

/** The id that an active device of an account gave itself: one that is enrolled, or a new one. */
export async function deviceOf(world: World, as: Account = world.owner): Promise<string> {
  const list = records(succeeded(await world.by(as).get('/devices')), 'devices')
  const found = list.find(({ revokedAt }) => revokedAt === null)
  if (found) return text(found, 'deviceId')
  const id = randomUUID()
  await enrolled(world, id, as)
  return id
}

/** What a device has encrypted about a thing. */
export const payloadFor = (mlsGroupId: string, senderDeviceId: string, more: object = {}) => ({
  ...{ ciphertext: 'eyJ0Ijoi', mlsGroupId, epoch: 0, senderDeviceId, keyFormat: 'mls-v1' },
  ...more
})

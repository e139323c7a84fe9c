import { emitImported } from '../../commands/takeover/events.js'
import { discussedIn } from '../../commands/talk/mls/group.js'
import { TARGET_GONE } from './discussions.js'
import type { Places } from './places.js'
import type { Sink } from './sink.js'
import type { LegacySource } from './source.js'
import { type People, personOf } from './users.js'

/** A device that is taken over, by its ids. */
interface Device {
  readonly id: string
  readonly userId: string
  readonly createdAt: string
  readonly isRevoked: boolean
}

/** Takes devices over, and what they have sent each other. */
export async function devices(source: LegacySource, sink: Sink, people: People, places: Places): Promise<void> {
  const enrolled = new Map<string, Device>()
  for await (const one of source.records('device_keys')) {
    const { id, deviceId, label, keyFormat, publicKeyMaterial: publicKey, createdAt, revokedAt } = one
    const userId = personOf(people, one.userId)
    if (userId === null) {
      source.refuse('device_keys', id, 'its user is gone')
      continue
    }
    if (one.lastSeenAt !== null && one.lastSeenAt !== createdAt)
      source.leaveOut('device_keys', 'times when a device was last seen')
    const revokedBy = revokedAt === null ? null : personOf(people, one.updatedByUserId)
    const times = { createdAt, revokedAt, revokedBy }
    const device = { deviceId, label, publicKey, keyFormat, fingerprint: one.fingerprint.toLowerCase() }
    const event = emitImported(id, 'DeviceImported', { ...device, userId, ...times })
    if (!(await sink.add(source, 'device_keys', event))) continue
    const found = { id, userId, createdAt, isRevoked: revokedAt !== null }
    const known = enrolled.get(deviceId)
    if (!known || isBefore(found, known)) enrolled.set(deviceId, found)
  }
  await groups(source, await commits(source, sink, people, places))
  await welcomes(source, sink, people, places, enrolled)
}

/** Of several devices with one id the one that is active and was there first gets what is sent to it. */
function isBefore(one: Device, other: Device): boolean {
  return one.isRevoked === other.isRevoked ? one.createdAt < other.createdAt : other.isRevoked
}

/** What a group discusses, with the collection that it is in; null where that is not taken over, or it is none. */
function placeOf(groupId: string, places: Places) {
  const target = discussedIn(groupId)
  const collectionId = target && places.of(target)
  return target && collectionId !== undefined ? { target, collectionId } : null
}

/** Returns the last epoch of each group. */
async function commits(
  source: LegacySource,
  sink: Sink,
  people: People,
  places: Places
): Promise<ReadonlyMap<string, number>> {
  const table = 'discussion_mls_commits'
  const epochs = new Map<string, number>()
  for await (const { id, mlsGroupId, epoch, ciphertext, senderDeviceId, createdAt, ...one } of source.records(table)) {
    const place = placeOf(mlsGroupId, places)
    if (!place) {
      source.refuse(table, id, TARGET_GONE)
      continue
    }
    const sent = { createdAt, createdBy: personOf(people, one.createdByUserId) }
    const data = { ...place, epoch, ciphertext, senderDeviceId, ...sent }
    if (await sink.add(source, table, emitImported(id, 'MlsCommitImported', data)))
      epochs.set(mlsGroupId, Math.max(epoch, epochs.get(mlsGroupId) ?? 0))
  }
  return epochs
}

/** Where a group is follows from its commits here. */
async function groups(source: LegacySource, epochs: ReadonlyMap<string, number>): Promise<void> {
  const table = 'discussion_mls_group_state'
  for await (const { mlsGroupId, currentEpoch } of source.records(table)) {
    const epoch = epochs.get(mlsGroupId)
    if (epoch === undefined) source.refuse(table, mlsGroupId, 'none of its commits is there')
    else {
      source.report(table).taken++
      if (epoch === currentEpoch) continue
      const why = `${mlsGroupId} says epoch ${currentEpoch}, its commits ${epoch}: the commits count`
      source.report(table).notes.push(why)
    }
  }
}

async function welcomes(
  source: LegacySource,
  sink: Sink,
  people: People,
  places: Places,
  enrolled: ReadonlyMap<string, Device>
): Promise<void> {
  const table = 'discussion_mls_welcomes'
  for await (const { id, mlsGroupId, recipientDeviceId, ciphertext, ratchetTree, ...one } of source.records(table)) {
    const place = placeOf(mlsGroupId, places)
    const device = enrolled.get(recipientDeviceId)
    if (!place) source.refuse(table, id, TARGET_GONE)
    else if (!device) source.refuse(table, id, 'its device is not enrolled')
    else {
      const to = { recipientId: device.id, ownerId: device.userId, recipientDeviceId }
      const sent = { createdAt: one.createdAt, createdBy: personOf(people, one.createdByUserId) }
      const data = { ...place, ...to, ciphertext, ratchetTree, ...sent }
      await sink.add(source, table, emitImported(id, 'MlsWelcomeImported', data))
    }
  }
}

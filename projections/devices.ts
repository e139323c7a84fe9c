import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { DeviceEvent } from '../commands/talk/device/events.js'
import { devicesTable } from '../commands/talk/device/table.js'
import { patch, projector, put, remove, removeWhere } from './define.js'

export const devices = projector<DeviceEvent | UserEvent | ImportEvent>(devicesTable, 1, {
  DeviceEnrolled: (e) => {
    const { userId, deviceId, label, keyFormat, fingerprint, replaces } = e.data
    const columns = { userId, deviceId, createdAt: e.at, revokedAt: null }
    return [
      ...(replaces === null ? [] : [remove(devicesTable, replaces)]),
      put(devicesTable, e, columns, { label, keyFormat, fingerprint })
    ]
  },
  DeviceImported: (e) => {
    const { userId, deviceId, label, keyFormat, fingerprint, createdAt, revokedAt } = e.data
    return [put(devicesTable, e, { userId, deviceId, createdAt, revokedAt }, { label, keyFormat, fingerprint })]
  },
  DeviceRevoked: (e) => [patch(devicesTable, e, { revokedAt: e.at })],
  UserDeleted: (e) => [removeWhere(devicesTable, 'userId', e.subject)]
})

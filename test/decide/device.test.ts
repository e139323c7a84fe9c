import { emitUser } from '../../commands/people/user/events.js'
import type { DeviceCommand } from '../../commands/talk/device/decide.js'
import { type Enrolled, emitDevice } from '../../commands/talk/device/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { ada, anAccount, bob, ops } from './people.js'

const test = suite('deciding on devices')

const device = (deviceId = 'laptop'): Enrolled => ({
  ...{ deviceId, label: 'Laptop', publicKey: 'key', keyFormat: 'identity-v1', fingerprint: 'ab' }
})
const enroll = (deviceId?: string): DeviceCommand => ({ type: 'EnrollDevice', id: 'x', device: device(deviceId) })
const revoke: DeviceCommand = { type: 'RevokeDevice', id: 'd' }
const revokeAsAdmin: DeviceCommand = { type: 'RevokeDeviceAsAdmin', id: 'd' }

const enrolled = (id: string, deviceId?: string, replaces: string | null = null, userId = ada.userId) =>
  emitDevice(id, 'DeviceEnrolled', { ...device(deviceId), userId, replaces })
const revoked = (id = 'd') => emitDevice(id, 'DeviceRevoked', {})

test('everybody enrols devices, administrators too', async () => {
  await atFirst.when(enroll()).then(enrolled('x'))
  await atFirst.when(enroll(), { by: ops }).then(enrolled('x', 'laptop', null, ops.userId))
})

const laptop = given(enrolled('d'))

test('a device is enrolled once by one account; another account may use its id, and so may its own once it is revoked', async () => {
  await laptop.when(enroll()).refused('This device is already enrolled.', 409)
  await laptop.when(enroll('phone')).then(enrolled('x', 'phone'))
  await laptop.when(enroll(), { by: bob }).then(enrolled('x', 'laptop', null, bob.userId))
  await given(enrolled('d'), revoked()).when(enroll()).then(enrolled('x'))
})

test('an account has fifty devices, and the oldest that is revoked makes room', async () => {
  const fifty = Array.from({ length: 50 }, (_, i) => enrolled(`d${i}`, `laptop ${i}`))
  const why = 'There are 50 devices of this account, and no more are allowed. Revoke some of them first.'
  await given(...fifty)
    .when(enroll())
    .refused(why, 409)
  await given(...fifty)
    .when(enroll(), { by: bob })
    .then(enrolled('x', 'laptop', null, bob.userId))
  await given(...fifty, revoked('d7'))
    .when(enroll())
    .then(enrolled('x', 'laptop', 'd7'))
  await given(...fifty, revoked('d7'), enrolled('new', 'phone', 'd7'))
    .when(enroll())
    .refused(why, 409)
})

test('whoever has enrolled a device revokes it, once; administrators revoke any', async () => {
  await laptop.when(revoke).then(revoked())
  await laptop.when(revoke, { by: bob }).refused('Device not found', 404)
  await laptop.when(revoke, { by: ops }).refused('Device not found', 404)
  await laptop.when(revokeAsAdmin, { by: ops }).then(revoked())
  await laptop.when(revokeAsAdmin).refused('Forbidden', 403)
  for (const [command, caller] of [
    [revoke, ada],
    [revokeAsAdmin, ops]
  ] as const) {
    await given(enrolled('d'), revoked()).when(command, { by: caller }).refused('Device not found', 404)
    await atFirst.when(command, { by: caller }).refused('Device not found', 404)
  }
})

test('devices go with their account', async () => {
  const people = [emitUser('ada', 'UserCreated', anAccount('Ada')), emitUser('ada', 'UserDeleted', {})] as const
  await given(people[0], enrolled('d'), people[1]).when(revokeAsAdmin, { by: ops }).refused('Device not found', 404)
})

test.run()

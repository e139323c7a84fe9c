import { emitRequest } from '../../commands/records/request/events.js'
import { emitDevice } from '../../commands/talk/device/events.js'
import type { MlsCommand } from '../../commands/talk/mls/decide.js'
import { emitMlsCommit, emitMlsWelcome } from '../../commands/talk/mls/events.js'
import { suite } from '../support/suite.js'
import { by, given } from './given.js'
import { collection, folder, request } from './made.js'
import { bob, nil, only, ops, someone } from './people.js'

const test = suite('deciding on what devices send each other')

const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'
const about = { target: { kind: 'request' as const, id: 'r' }, collectionId: 'c' }
const group = 'thread:request:r'
const device = (id: string, deviceId: string, userId: string) =>
  emitDevice(id, 'DeviceEnrolled', {
    ...{ deviceId, label: 'Laptop', publicKey: 'key', keyFormat: 'identity-v1', fingerprint: 'ab' },
    ...{ userId, replaces: null }
  })
const revoked = (id: string) => emitDevice(id, 'DeviceRevoked', {})
const adas = device('d', 'laptop', 'ada')
const bobs = device('e', 'phone', 'bob')
const things = [collection('c'), folder('f', 'c'), request('r', 'c')]
const past = given(...things, adas, bobs)

const commit = (epoch = 0, mlsGroupId = group, senderDeviceId = 'laptop'): MlsCommand => ({
  ...{ type: 'PostMlsCommit', id: 'x', mlsGroupId, epoch, ciphertext: 'C', senderDeviceId }
})
const committed = (id: string, epoch: number) =>
  emitMlsCommit(id, 'MlsCommitPosted', { ...about, epoch, ciphertext: 'C', senderDeviceId: 'laptop' })
const welcome = (recipientDeviceId = 'phone', mlsGroupId = group): MlsCommand => ({
  ...{ type: 'PostMlsWelcome', id: 'x', mlsGroupId, recipientDeviceId, ciphertext: 'W', ratchetTree: 'T' }
})
const welcomed = (id: string, recipientId = 'e', ownerId = 'bob') =>
  emitMlsWelcome(id, 'MlsWelcomePosted', {
    ...about,
    ...{ recipientId, ownerId, recipientDeviceId: 'phone', ciphertext: 'W', ratchetTree: 'T' }
  })
const restart = (mlsGroupId = group): MlsCommand => ({ type: 'RestartMlsGroup', id: 'n', mlsGroupId })

const far = (last: number) =>
  `A commit takes an MLS group 10 epochs on at most, this one to epoch ${last}. Read its commits, then send one for the next epoch.`

test('a commit takes its group a small step on, from nothing as from any epoch', async () => {
  await past.when(commit()).then(committed('x', 0))
  await past.when(commit(9)).then(committed('x', 9))
  for (const epoch of [10, 2 ** 31 - 1]) await past.when(commit(epoch)).refused(far(9), 409)
  const atSeven = past.and(committed('k', 0), committed('l', 7))
  const why = 'The MLS group is at epoch 7. Read its commits, then send one for a later epoch.'
  for (const epoch of [0, 3, 7]) await atSeven.when(commit(epoch)).refused(why, 409)
  for (const epoch of [8, 17]) await atSeven.when(commit(epoch)).then(committed('x', epoch))
  for (const epoch of [18, 2 ** 31 - 1]) await atSeven.when(commit(epoch)).refused(far(17), 409)
})

test('each thing has a group of its own', async () => {
  const other = { target: { kind: 'folder' as const, id: 'f' }, collectionId: 'c' }
  await past
    .and(committed('k', 7))
    .when(commit(0, 'thread:folder:f'))
    .then(emitMlsCommit('x', 'MlsCommitPosted', { ...other, epoch: 0, ciphertext: 'C', senderDeviceId: 'laptop' }))
})

test('what is no group is 400, what is not there 404, what the caller may not see 403, and then the device counts', async () => {
  for (const make of [(id: string) => commit(0, id), (id: string) => welcome('phone', id)]) {
    for (const id of ['', 'thread', 'thread:request', 'thread:snippet:r', 'Thread:request:r', 'thread:request:a b'])
      await past.when(make(id)).refused('Invalid MLS group id', 400)
    for (const id of ['thread:request:nowhere', 'thread:folder:r'])
      await past.when(make(id), { by: nil }).refused('Discussion target not found', 404)
    for (const caller of [nil, only('d'), ops]) await past.when(make(group), { by: caller }).refused('Forbidden', 403)
  }
  const gone = emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' })
  await past.and(gone).when(commit()).refused('Discussion target not found', 404)
})

test('whoever sends has enrolled an active device: of a commit the one that it names, of a welcome any', async () => {
  await past.when(commit(), { by: bob }).refused(NO_DEVICE, 403)
  await past.and(revoked('d')).when(commit()).refused(NO_DEVICE, 403)
  await past.and(revoked('d')).when(welcome()).refused(NO_DEVICE, 403)
  await given(...things, bobs)
    .when(welcome())
    .refused(NO_DEVICE, 403)
  await past.when(welcome()).then(welcomed('x'))
})

test('a welcome is for an active device, of several accounts’ for the one that was there first', async () => {
  const why = 'Recipient device not found'
  await past.when(welcome('tablet')).refused(why, 404)
  await past.and(revoked('e')).when(welcome()).refused(why, 404)
  await past
    .and(device('g', 'phone', 'eve'))
    .when(welcome())
    .then(welcomed('x'))
  await past
    .and(device('g', 'phone', 'eve'), revoked('e'), device('h', 'phone', 'bob'))
    .when(welcome())
    .then(welcomed('x', 'h'))
})

test('who may only look at what is discussed sends nothing, and has no group begin anew', async () => {
  const viewer = { ...bob, viewed: ['c'] }
  const begun = past.and(committed('k', 0))
  for (const command of [commit(1, group, 'phone'), welcome(), restart()])
    await begun.when(command, { by: viewer }).refused('You may look at this and not change it.', 403)
})

const sam = someone({})
const sams = device('s', 'desk', 'sam')
const sent = (count: number, who: string) => Array.from({ length: count }, (_, i) => welcomed(`${who}-${i}`))

test('a sender fills a share of what waits for a device, and others still have room', async () => {
  const before = past.and(sams, by(sam, ...sent(5, 'sam')))
  await before
    .when(welcome(), { by: sam })
    .refused('You have sent 5 welcomes for this device in this MLS group, and no more are allowed.', 409)
  await before.when(welcome()).then(welcomed('x'))
  await before
    .and(revoked('e'), device('g', 'phone', 'bob'))
    .when(welcome(), { by: sam })
    .then(welcomed('x', 'g'))
})

test('fifty welcomes to a group wait for a device; enrolled anew it has room again', async () => {
  const fifty = Array.from({ length: 10 }, (_, i) => by({ ...sam, userId: `sam ${i}` }, ...sent(5, `sam ${i}`)))
  await past
    .and(...fifty)
    .when(welcome())
    .refused('There are 50 welcomes for this device in this MLS group, and no more are allowed.', 409)
  await past
    .and(...fifty, revoked('e'), device('g', 'phone', 'bob'))
    .when(welcome())
    .then(welcomed('x', 'g'))
})

const restarted = (id = 'n') => emitMlsCommit(id, 'MlsGroupRestarted', about)

test('whoever may write in a group, and an administrator, has it begin anew: at any epoch, with room for welcomes', async () => {
  const full = [committed('k', 2 ** 31 - 1), ...sent(5, 'ada')]
  await past
    .and(...full)
    .when(restart())
    .then(restarted())
  await past
    .and(...full)
    .when(restart(), { by: ops })
    .then(restarted())
  const anew = past.and(...full, restarted())
  await anew.when(commit(0)).then(committed('x', 0))
  await anew.when(commit(10)).refused(far(9), 409)
  await anew.when(welcome()).then(welcomed('x'))
  await anew.when(restart()).refused('MLS group state not found', 404)
  await past
    .and(...full, restarted(), committed('m', 3))
    .when(restart())
    .then(restarted())
})

test('an administrator’s token that is limited to collections has no group of another one begin anew', async () => {
  const begun = past.and(committed('k', 0))
  const limited = (id: string) => ({ ...ops, scopes: ['write', `collection:${id}`] })
  await begun.when(restart(), { by: limited('other') }).refused('Forbidden', 403)
  await begun.when(restart(), { by: limited('c') }).then(restarted())
})

test('nobody else has a group begin anew, and none that has not begun', async () => {
  const begun = past.and(committed('k', 0))
  await begun.when(restart(), { by: nil }).refused('Forbidden', 403)
  await begun.when(restart(), { by: sam }).refused(NO_DEVICE, 403)
  await past.when(restart()).refused('MLS group state not found', 404)
  await past.and(welcomed('w')).when(restart()).then(restarted())
  await begun.when(restart('thread:request:x'), { by: ops }).refused('Discussion target not found', 404)
  await begun.when(restart('request:r'), { by: ops }).refused('Invalid MLS group id', 400)
})

test.run()

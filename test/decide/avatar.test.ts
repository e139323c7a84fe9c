import type { Command } from '../../commands/index.js'
import type { AvatarChanges } from '../../commands/people/avatar/avatar.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { emitHub, HUB_ID } from '../../commands/tenants/hub/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given, NOW } from './given.js'
import { ada, anAccount, anAdmin, bob, ops, UNLIMITED } from './people.js'

const test = suite('deciding on avatars')

const image = { sha256: 'a'.repeat(64), mediaType: 'image/png', bytes: 70 }
const kept = { ...image, changedAt: '2026-01-01T00:00:00.000Z' }
const fresh = { ...image, changedAt: NOW }
const own = (changes: AvatarChanges, id = 'ada'): Command => ({ type: 'ChangeAvatar', id, changes })
const ofHub = (changes: AvatarChanges): Command => ({ type: 'ChangeHubAvatar', id: HUB_ID, changes })
const changed = (initials: string | null, color: string | null, image: typeof fresh | null = null, id = 'ada') =>
  emitUser(id, 'AvatarChanged', { initials, color, image })
const there = emitUser('ada', 'UserCreated', anAccount('Ada'))

const before = given(there)

test('everybody chooses what stands for their own account, and what is left out stays', async () => {
  await before.when(own({ initials: 'KT', color: 'teal-600' })).then(changed('KT', 'teal-600'))
  await given(there, changed('KT', null, kept))
    .when(own({ color: 'rose-600' }))
    .then(changed('KT', 'rose-600', kept))
  await given(emitUser('ops', 'UserCreated', anAdmin('Ops')))
    .when(own({ image }, 'ops'), { by: ops })
    .then(changed(null, null, fresh, 'ops'))
})

test('another image takes the place of the one before, and null takes it away', async () => {
  const past = given(there, changed('KT', null, kept))
  const other = { ...image, sha256: 'b'.repeat(64) }
  await past.when(own({ image: other })).then(changed('KT', null, { ...other, changedAt: NOW }))
  await past.when(own({ image: null })).then(changed('KT', null))
})

test('what is so already is no change', async () => {
  const past = given(there, changed('KT', 'teal-600', kept))
  for (const changes of [{}, { initials: 'KT' }, { color: 'teal-600' }, { image }])
    await past.when(own(changes)).nothing()
  await before.when(own({ image: null })).nothing()
})

test('nobody changes what stands for another, or for the system account', async () => {
  await before.when(own({ initials: 'X' }), { by: bob }).refused('Forbidden', 403)
  await given(emitUser(SYSTEM_ID, 'UserCreated', anAdmin('system')))
    .when({ type: 'UpdateUser', id: SYSTEM_ID, changes: {}, avatar: { initials: 'X' } }, { by: ops })
    .refused('Forbidden', 403)
})

test('an account that is made or invited has the avatar that was chosen for it', async () => {
  const token = { tokenId: 't', prefix: 'hbk_abc', hash: 'h' }
  const account = anAccount('Eve')
  const made = emitUser('u', 'UserCreated', account)
  const issued = emitToken('t', 'TokenCreated', {
    userId: 'u',
    name: 'Eve',
    ...{ prefix: 'hbk_abc', hash: 'h' },
    ...UNLIMITED
  })
  const create = (avatar: AvatarChanges): Command => ({ type: 'CreateUser', id: 'u', account, avatar, token })
  await atFirst.when(create({ color: 'sky-600' }), { by: ops }).then(made, changed(null, 'sky-600', null, 'u'), issued)
  await atFirst.when(create({}), { by: ops }).then(made, issued)
})

test('an administrator changes an account and what stands for it at once, each where it changes', async () => {
  const update = (changes: { name?: string }, avatar: AvatarChanges): Command => {
    return { type: 'UpdateUser', id: 'ada', changes, avatar }
  }
  const renamed = emitUser('ada', 'UserUpdated', anAccount('Eva'))
  await before.when(update({ name: 'Eva' }, { initials: 'E' }), { by: ops }).then(renamed, changed('E', null))
  await before.when(update({ name: 'Eva' }, {}), { by: ops }).then(renamed)
  await before.when(update({}, { image }), { by: ops }).then(changed(null, null, fresh))
})

test('administrators choose what stands for the hub', async () => {
  const avatar = { initials: 'HQ', color: null, image: null }
  const chosen = given(emitHub(HUB_ID, 'HubAvatarChanged', avatar))
  await atFirst.when(ofHub({ initials: 'HQ' }), { by: ops }).then(emitHub(HUB_ID, 'HubAvatarChanged', avatar))
  await chosen
    .when(ofHub({ image }), { by: ops })
    .then(emitHub(HUB_ID, 'HubAvatarChanged', { ...avatar, image: fresh }))
  await chosen.when(ofHub({ initials: 'HQ', image: null }), { by: ops }).nothing()
  await atFirst.when(ofHub({ initials: 'HQ' }), { by: ada }).refused('Forbidden', 403)
})

test.run()

import type { InvitationCommand, IssuedInvitation } from '../../commands/people/invitation/decide.js'
import { emitInvitation } from '../../commands/people/invitation/events.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { SYSTEM_ID, systemCaller } from '../../commands/people/user/system.js'
import { suite } from '../support/suite.js'
import { atFirst, by, given, NOW, TOMORROW } from './given.js'
import { ada, anAccount, anAdmin, nil, ops, UNLIMITED } from './people.js'

const test = suite('deciding on invitations')

const UNKNOWN = 'Invalid or expired invitation.'
const eve = emitUser('u', 'UserCreated', anAccount('Eve'))
const issued = (invitationId = 'i'): IssuedInvitation => {
  return { invitationId, prefix: 'hbi_abc', hash: 'h', expiresAt: TOMORROW }
}
const invited = (userId = 'u', id = 'i') =>
  emitInvitation(id, 'InvitationCreated', { userId, hash: 'h', prefix: 'hbi_abc', expiresAt: TOMORROW })
const lasting = { userId: 'u', hash: 'h', prefix: 'hbi_abc', expiresAt: '2026-03-06T05:06:07.089Z' }
const redeemed = emitInvitation('i', 'InvitationRedeemed', { tokenId: 't' })
const revoked = emitInvitation('i', 'InvitationRevoked', {})
const token = (name: string) =>
  emitToken('t', 'TokenCreated', { userId: 'u', name, prefix: 'hbk_abc', hash: 'token hash', ...UNLIMITED })

const invite = (name: string): InvitationCommand => ({
  type: 'InviteUser',
  id: 'u',
  account: anAccount(name),
  invitation: issued()
})
const create = (userId = 'u'): InvitationCommand => ({ type: 'CreateInvitation', userId, invitation: issued() })
const revoke: InvitationCommand = { type: 'RevokeInvitation', id: 'i' }
const redeem = (tokenName?: string, hash = 'h'): InvitationCommand => ({
  type: 'RedeemInvitation',
  hash,
  token: { tokenId: 't', prefix: 'hbk_abc', hash: 'token hash' },
  tokenName
})
const admin = { by: ops }

test('an administrator invites somebody new: an account and an invitation, and no token', () =>
  atFirst.when(invite('Eve'), admin).then(eve, invited()))

test('a new account is judged as any other', () =>
  given(emitUser('x', 'UserCreated', anAccount('Eve')))
    .when(invite('Eve'), admin)
    .refused('User name is already in use.', 400))

test('an account that is there may be invited again and again', async () => {
  await given(eve).when(create(), admin).then(invited())
  await given(eve, invited('u', 'before')).when(create(), admin).then(invited())
})

test('nobody who is not there is invited, and the system account neither', async () => {
  await atFirst.when(create(), admin).refused('User not found', 404)
  const system = emitUser(SYSTEM_ID, 'UserCreated', anAdmin('system'))
  await given(system).when(create(SYSTEM_ID), admin).refused('Forbidden', 403)
})

const pending = given(eve, invited())

test('users invite nobody and revoke nothing', async () => {
  for (const command of [invite('Joe'), create(), revoke])
    await pending.when(command, { by: ada }).refused('Forbidden', 403)
})

test('whoever holds the secret gets a token, named as they wish or after the account', async () => {
  await pending.when(redeem('laptop'), { by: nil }).then(redeemed, token('laptop'))
  await pending.when(redeem(), { by: nil }).then(redeemed, token('Eve'))
})

test('agents may not write with a token that was redeemed', () => {
  const issued = { tokenId: 't', prefix: 'hbk_abc', hash: 'token hash', agentWrites: true }
  return pending
    .when({ type: 'RedeemInvitation', hash: 'h', token: issued, tokenName: undefined })
    .then(redeemed, token('Eve'))
})

test('what somebody made for themselves is over with the token that it was made with', async () => {
  const own = { userId: 'u', name: 'own', prefix: 'hbk_abc', hash: 'own hash', ...UNLIMITED, expiresAt: TOMORROW }
  const past = given(eve, emitToken('own', 'TokenCreated', own)).and(
    by({ ...ada, userId: 'u', tokenId: 'own' }, emitInvitation('i', 'InvitationCreated', lasting))
  )
  await past.when(redeem()).then(redeemed, token('Eve'))
  await past.when(redeem(), { now: TOMORROW }).refused(UNKNOWN, 410)
  await past
    .and(emitToken('own', 'TokenRevoked', {}))
    .when(redeem())
    .refused(UNKNOWN, 410)
  await past
    .and(emitToken('own', 'TokenDeleted', {}))
    .when(redeem())
    .refused(UNKNOWN, 410)
})

test('a disabled account redeems nothing', () =>
  pending
    .and(emitUser('u', 'UserDisabled', { by: 'administrator' }))
    .when(redeem())
    .refused(UNKNOWN, 410))

test('a secret that nobody was given is unknown, and so is that of an account that is gone', async () => {
  await pending.when(redeem('laptop', 'other')).refused(UNKNOWN, 404)
  const gone = given(eve, invited(), emitUser('u', 'UserDeleted', {}))
  await gone.when(redeem()).refused(UNKNOWN, 404)
})

test('what was redeemed, revoked or has expired is over', async () => {
  await given(eve, invited(), redeemed).when(redeem()).refused(UNKNOWN, 410)
  await given(eve, invited(), revoked).when(redeem()).refused(UNKNOWN, 410)
  await pending.when(redeem(), { now: TOMORROW }).refused(UNKNOWN, 410)
})

test('an invitation counts until the moment at which it expires', () =>
  pending.when(redeem(), { now: '2026-03-05T05:06:07.088Z' }).then(redeemed, token('Eve')))

test('only a pending invitation is revoked', async () => {
  const message = 'Invitation not found or not revocable.'
  await pending.when(revoke, admin).then(revoked)
  for (const past of [given(eve), given(eve, invited(), redeemed), given(eve, invited(), revoked)])
    await past.when(revoke, { ...admin, now: NOW }).refused(message, 404)
  await pending.when(revoke, { ...admin, now: TOMORROW }).refused(message, 404)
})

test('everybody invites another device of their own, and for no other account', async () => {
  const invitation = { invitationId: 'i', prefix: 'hbi_abc', hash: 'h', expiresAt: TOMORROW }
  const { invitationId: id, ...told } = invitation
  await given(emitUser('u', 'UserCreated', anAccount('Eve')))
    .when({ type: 'CreateOwnInvitation', invitation }, { by: { ...ada, userId: 'u' } })
    .then(emitInvitation(id, 'InvitationCreated', { userId: 'u', ...told }))
  await atFirst.when({ type: 'CreateOwnInvitation', invitation }, { by: systemCaller }).refused('Forbidden', 403)
})

test.run()

import type { IdentityEvent } from '../commands/people/identity/events.js'
import type { TokenEvent } from '../commands/people/token/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import { advance, projector, put, putOther, remove, removeWhere, table } from './define.js'

/** Whom sign-in providers know, and which account each of them is. */
export const identitiesTable = table({
  name: 'identities',
  columns: { userId: 'id', subjectKey: 'id', boundAt: 'time' },
  indexes: {
    bySubject: { by: ['subjectKey'], order: [], unique: true },
    byUser: { by: ['userId'], order: ['boundAt'] }
  },
  scope: 'userId'
})

export const identities = projector<IdentityEvent | UserEvent>(identitiesTable, 2, {
  IdentityBound: (e) => {
    const { key, ...shown } = e.data
    const columns = { userId: shown.userId, subjectKey: key, boundAt: e.at }
    return [put(identitiesTable, e, columns, { id: e.subject, ...shown, boundAt: e.at })]
  },
  IdentitySignedIn: (e) => [advance(identitiesTable, e)],
  IdentitySignedOut: (e) => [advance(identitiesTable, e)],
  IdentityUnbound: (e) => [remove(identitiesTable, e.subject)],
  UserDeleted: (e) => [removeWhere(identitiesTable, 'userId', e.subject)]
})

/** The tokens that sign-ins have given and that are not revoked. The id is that of the token. */
export const signInsTable = table({
  name: 'signIns',
  columns: { userId: 'id', identityId: 'id', expiresAt: 'time', session: 'id?' },
  indexes: {
    byIdentity: { by: ['identityId'], order: [] },
    bySession: { by: ['session'], order: [] }
  },
  scope: 'id'
})

export const signIns = projector<IdentityEvent | TokenEvent | UserEvent>(signInsTable, 1, {
  IdentitySignedIn: (e) => {
    const { userId, tokenId, expiresAt, session } = e.data
    return [putOther(signInsTable, e, tokenId, { userId, identityId: e.subject, expiresAt, session }, {})]
  },
  TokenRevoked: (e) => [remove(signInsTable, e.subject)],
  TokenDeleted: (e) => [remove(signInsTable, e.subject)],
  UserDeleted: (e) => [removeWhere(signInsTable, 'userId', e.subject)]
})

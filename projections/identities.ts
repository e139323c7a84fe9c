import type { IdentityEvent } from '../commands/people/identity/events.js'
import { identitiesTable, signInsTable } from '../commands/people/identity/table.js'
import type { TokenEvent } from '../commands/people/token/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import { advance, projector, put, putOther, remove, removeWhere } from './define.js'

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

export const signIns = projector<IdentityEvent | TokenEvent | UserEvent>(signInsTable, 1, {
  IdentitySignedIn: (e) => {
    const { userId, tokenId, expiresAt, session } = e.data
    return [putOther(signInsTable, e, tokenId, { userId, identityId: e.subject, expiresAt, session }, {})]
  },
  TokenRevoked: (e) => [remove(signInsTable, e.subject)],
  TokenDeleted: (e) => [remove(signInsTable, e.subject)],
  UserDeleted: (e) => [removeWhere(signInsTable, 'userId', e.subject)]
})

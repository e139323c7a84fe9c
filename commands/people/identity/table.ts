import { table } from '../../table.js'

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

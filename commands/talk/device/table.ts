import { table } from '../../table.js'

/** Devices that people write encrypted comments with, the revoked ones among them. Their keys are in the log alone. */
export const devicesTable = table({
  name: 'devices',
  columns: { userId: 'id', deviceId: 'id', createdAt: 'time', revokedAt: 'time?' },
  indexes: {
    byOwner: { by: ['userId'], order: ['createdAt'] },
    byDevice: { by: ['deviceId'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'id'
})

import { table } from '../../table.js'

/**
 * What is not where it was: one row for each deletion, and for each item that was taken to another collection, under the
 * position of its event. `collectionId` is the collection that lost it, or the one that is gone. The body is what the event
 * says went with it.
 */
export const tombstonesTable = table({
  name: 'departures',
  columns: {
    kind: 'id',
    subject: 'id',
    name: 'text',
    collectionId: 'id?',
    state: 'id',
    at: 'time',
    actorId: 'id',
    position: 'integer'
  },
  indexes: {
    bySubject: { by: ['subject'], order: ['position'] },
    byCollection: { by: ['collectionId'], order: ['position'] },
    byState: { by: ['state'], order: ['position'] },
    byActor: { by: ['actorId', 'state'], order: ['position'] }
  },
  scope: 'id'
})

import type { ImportEvent } from '../commands/import/events.js'
import type { RunResultEvent } from '../commands/runResult/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { nullify, projector, put, remove, table } from './define.js'

/** Shared run results as lists show them: without their payloads. */
export const runResultsTable = table({
  name: 'runResults',
  columns: { createdAt: 'time', createdBy: 'id?' },
  indexes: {
    byCreator: { by: ['createdBy'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'createdBy'
})

/** The payloads of shared run results, each as the client sent it. */
export const runPayloadsTable = table({ name: 'runPayloads', columns: {}, indexes: {}, scope: 'id' })

export const runResults = projector<RunResultEvent | UserEvent | ImportEvent>(runResultsTable, 1, {
  RunResultImported: (e) => {
    const { payload: _, createdAt, createdBy, ...shown } = e.data
    return [put(runResultsTable, e, { createdAt, createdBy }, { id: e.subject, ...shown })]
  },
  RunResultShared: (e) => {
    const { payload: _, ...shown } = e.data
    return [put(runResultsTable, e, { createdAt: e.at, createdBy: e.actorId }, { id: e.subject, ...shown })]
  },
  RunResultDeleted: (e) => [remove(runResultsTable, e.subject)],
  UserDeleted: (e) => [nullify(runResultsTable, e, ['createdBy'], e.subject)]
})

export const runPayloads = projector<RunResultEvent | ImportEvent>(runPayloadsTable, 1, {
  RunResultImported: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultShared: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultDeleted: (e) => [remove(runPayloadsTable, e.subject)]
})

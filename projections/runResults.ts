import type { RunResultEvent } from '../commands/runResult/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { clear, projector, put, remove, table } from './define.js'

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

export const runResults = projector<RunResultEvent | UserEvent>(runResultsTable, 1, {
  RunResultShared: (e) => {
    const { payload: _, ...shown } = e.data
    return [put(runResultsTable, e, { createdAt: e.at, createdBy: e.actorId }, { id: e.subject, ...shown })]
  },
  RunResultDeleted: (e) => [remove(runResultsTable, e.subject)],
  UserDeleted: (e) => [clear(runResultsTable, e, ['createdBy'], e.subject)]
})

export const runPayloads = projector<RunResultEvent>(runPayloadsTable, 1, {
  RunResultShared: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultDeleted: (e) => [remove(runPayloadsTable, e.subject)]
})

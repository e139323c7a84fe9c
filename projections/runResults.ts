import type { UserEvent } from '../commands/people/user/events.js'
import type { RunResultEvent } from '../commands/records/runResult/events.js'
import { ranIn, runPayloadsTable, runResultsTable } from '../commands/records/runResult/table.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import { nullify, projector, put, remove } from './define.js'

export const runResults = projector<RunResultEvent | UserEvent | ImportEvent>(runResultsTable, 2, {
  RunResultImported: (e) => {
    const { payload, createdAt, createdBy, ...shown } = e.data
    const columns = { createdAt, createdBy, collectionId: ranIn(payload) }
    return [put(runResultsTable, e, columns, { id: e.subject, ...shown })]
  },
  RunResultShared: (e) => {
    const { payload, ...shown } = e.data
    const columns = { createdAt: e.at, createdBy: e.actorId, collectionId: ranIn(payload) }
    return [put(runResultsTable, e, columns, { id: e.subject, ...shown })]
  },
  RunResultDeleted: (e) => [remove(runResultsTable, e.subject)],
  UserDeleted: (e) => [nullify(runResultsTable, e, ['createdBy'], e.subject)]
})

export const runPayloads = projector<RunResultEvent | ImportEvent>(runPayloadsTable, 1, {
  RunResultImported: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultShared: (e) => [put(runPayloadsTable, e, {}, e.data.payload)],
  RunResultDeleted: (e) => [remove(runPayloadsTable, e.subject)]
})

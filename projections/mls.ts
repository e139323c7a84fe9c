import type { ErasureEvent } from '../commands/erasure/events.js'
import type { ImportEvent } from '../commands/import/events.js'
import type { MlsCommitEvent, MlsWelcomeEvent } from '../commands/mls/events.js'
import { groupOf } from '../commands/mls/group.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { projector, put, remove, table } from './define.js'

// Like comments, nothing here is taken away before it is erased: whoever reads looks first whether what is discussed is there.

/** What changed the groups of discussions. The newest says at which epoch a group is. The body is what clients get. */
export const mlsCommitsTable = table({
  name: 'mlsCommits',
  columns: { targetKind: 'id', targetId: 'id', epoch: 'integer', createdAt: 'time' },
  indexes: { byTarget: { by: ['targetKind', 'targetId'], order: ['epoch'] } },
  scope: 'targetId'
})

export const mlsCommits = projector<MlsCommitEvent | ErasureEvent | ImportEvent>(mlsCommitsTable, 1, {
  MlsCommitPosted: (e) => [commitRow(e, e.data, e.at)],
  MlsCommitImported: (e) => [commitRow(e, e.data, e.data.createdAt)],
  PayloadsErased: (e) => (e.data.kind === 'mlscommit' ? [remove(mlsCommitsTable, e.data.id)] : [])
})

/** What lets devices into groups: for the account `ownerId` alone, whose device it is. The body is what clients get. */
export const mlsWelcomesTable = table({
  name: 'mlsWelcomes',
  columns: {
    targetKind: 'id',
    targetId: 'id',
    ownerId: 'id',
    recipientId: 'id',
    recipientDeviceId: 'id',
    createdAt: 'time'
  },
  indexes: {
    byTarget: { by: ['targetKind', 'targetId'], order: ['createdAt'] },
    byOwner: { by: ['targetKind', 'targetId', 'ownerId'], order: ['createdAt'] },
    byDevice: { by: ['targetKind', 'targetId', 'ownerId', 'recipientDeviceId'], order: ['createdAt'] }
  },
  scope: 'targetId'
})

export const mlsWelcomes = projector<MlsWelcomeEvent | ErasureEvent | ImportEvent>(mlsWelcomesTable, 1, {
  MlsWelcomePosted: (e) => [welcomeRow(e, e.data, e.at)],
  MlsWelcomeImported: (e) => [welcomeRow(e, e.data, e.data.createdAt)],
  PayloadsErased: (e) => (e.data.kind === 'mlswelcome' ? [remove(mlsWelcomesTable, e.data.id)] : [])
})

function commitRow(e: DecodedEvent, data: MlsCommitEvent['data'], createdAt: string): RowOp {
  const { target, epoch, ciphertext, senderDeviceId } = data
  const columns = { targetKind: target.kind, targetId: target.id, epoch, createdAt }
  const shown = { id: e.subject, mlsGroupId: groupOf(target), epoch, ciphertext, senderDeviceId, createdAt }
  return put(mlsCommitsTable, e, columns, shown)
}

function welcomeRow(e: DecodedEvent, data: MlsWelcomeEvent['data'], createdAt: string): RowOp {
  const { target, recipientId, ownerId, recipientDeviceId, ciphertext, ratchetTree } = data
  const about = { targetKind: target.kind, targetId: target.id, createdAt }
  const shown = { id: e.subject, mlsGroupId: groupOf(target), recipientDeviceId, ciphertext, ratchetTree, createdAt }
  return put(mlsWelcomesTable, e, { ...about, ownerId, recipientId, recipientDeviceId }, shown)
}

import type { ErasureEvent } from '../commands/log/erasure/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { MlsCommitEvent, MlsWelcomeEvent } from '../commands/talk/mls/events.js'
import { groupOf } from '../commands/talk/mls/group.js'
import { mlsCommitsTable, mlsWelcomesTable } from '../commands/talk/mls/table.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { nullify, projector, put, remove } from './define.js'

// Like comments, nothing here is taken away before it is erased: whoever reads looks first whether what is discussed is there.
// `current` is the id of what is discussed, and null once the group has begun anew: ids are of one thing only.

export const mlsCommits = projector<MlsCommitEvent | ErasureEvent | ImportEvent>(mlsCommitsTable, 2, {
  MlsCommitPosted: (e) => [commitRow(e, e.data, e.at)],
  MlsCommitImported: (e) => [commitRow(e, e.data, e.data.createdAt)],
  MlsGroupRestarted: (e) => [nullify(mlsCommitsTable, e, ['current'], e.data.target.id)],
  PayloadsErased: (e) => (e.data.kind === 'mlscommit' ? [remove(mlsCommitsTable, e.data.id)] : [])
})

export const mlsWelcomes = projector<MlsWelcomeEvent | MlsCommitEvent | ErasureEvent | ImportEvent>(
  mlsWelcomesTable,
  2,
  {
    MlsWelcomePosted: (e) => [welcomeRow(e, e.data, { senderId: e.actorId, createdAt: e.at })],
    MlsWelcomeImported: (e) => [welcomeRow(e, e.data, { senderId: e.data.createdBy, createdAt: e.data.createdAt })],
    MlsGroupRestarted: (e) => [nullify(mlsWelcomesTable, e, ['current'], e.data.target.id)],
    PayloadsErased: (e) => (e.data.kind === 'mlswelcome' ? [remove(mlsWelcomesTable, e.data.id)] : [])
  }
)

type PostedCommit = Extract<MlsCommitEvent, { readonly type: 'MlsCommitPosted' }>['data']

function commitRow(e: DecodedEvent, data: PostedCommit, createdAt: string): RowOp {
  const { target, epoch, ciphertext, senderDeviceId } = data
  const columns = { targetKind: target.kind, targetId: target.id, current: target.id, epoch, createdAt }
  const shown = { id: e.subject, mlsGroupId: groupOf(target), epoch, ciphertext, senderDeviceId, createdAt }
  return put(mlsCommitsTable, e, columns, shown)
}

function welcomeRow(
  e: DecodedEvent,
  data: MlsWelcomeEvent['data'],
  { senderId, createdAt }: { readonly senderId: string | null; readonly createdAt: string }
): RowOp {
  const { target, recipientId, ownerId, recipientDeviceId, ciphertext, ratchetTree } = data
  const about = { targetKind: target.kind, targetId: target.id, current: target.id, createdAt }
  const between = { senderId, ownerId, recipientId, recipientDeviceId }
  const shown = { id: e.subject, mlsGroupId: groupOf(target), recipientDeviceId, ciphertext, ratchetTree, createdAt }
  return put(mlsWelcomesTable, e, { ...about, ...between }, shown)
}

import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { Context, Deciders } from '../../context.js'
import { asEditor } from '../../people/user/system.js'
import type { Discussed } from '../comment/events.js'
import { deviceCalled, requireAnyDevice, requireOwnDevice } from '../device/decide.js'
import { emitMlsCommit, emitMlsWelcome } from './events.js'
import { requireGroup, requireMember } from './group.js'
import { mlsCommitsTable, mlsWelcomesTable } from './table.js'

export type MlsCommand =
  | {
      readonly type: 'PostMlsCommit'
      readonly id: string
      readonly mlsGroupId: string
      readonly epoch: number
      readonly ciphertext: string
      readonly senderDeviceId: string
    }
  | {
      readonly type: 'PostMlsWelcome'
      readonly id: string
      readonly mlsGroupId: string
      readonly recipientDeviceId: string
      readonly ciphertext: string
      readonly ratchetTree: string
    }
  | { readonly type: 'RestartMlsGroup'; readonly id: string; readonly mlsGroupId: string }

/**
 * Decides on what devices send each other: whoever may write about what is discussed sends, with a device that is enrolled and active.
 * Who may only look at it reads, and changes no group of those who write.
 */
export const mlsDeciders: Deciders<MlsCommand> = {
  /**
   * Epochs only grow, so that one of two devices that change a group at once learns of the other; and by a small step, so that
   * nobody uses them up.
   */
  async PostMlsCommit({ id, mlsGroupId, epoch, ciphertext, senderDeviceId }, { caller, read }) {
    const place = await requireMember(mlsGroupId, caller, read)
    await requireOwnDevice(caller, senderDeviceId, read)
    const last = await lastCommit(place.target, read)
    if (last && epoch <= last.epoch) throw errors.epochTaken(last.epoch)
    const highest = (last?.epoch ?? -1) + LIMITS.epochStep.max
    if (epoch > highest) throw errors.epochTooFar(highest)
    return [emitMlsCommit(id, 'MlsCommitPosted', { ...place, epoch, ciphertext, senderDeviceId })]
  },

  async PostMlsWelcome({ id, mlsGroupId, recipientDeviceId, ciphertext, ratchetTree }, { caller, read }) {
    const place = await requireMember(mlsGroupId, caller, read)
    await requireAnyDevice(caller, read)
    const device = await deviceCalled(recipientDeviceId, read)
    if (!device) throw errors.notFound('Recipient device')
    const { id: recipientId, userId: ownerId } = device
    const under = [place.target.kind, place.target.id, ownerId, recipientDeviceId]
    const sent = await read.list(mlsWelcomesTable, 'byDevice', under, { body: false })
    const waiting = sent.filter((one) => one.recipientId === recipientId)
    const own = waiting.filter(({ senderId }) => senderId === caller.userId)
    const { welcomesOfSender, welcomesOfDevice } = LIMITS
    if (own.length >= welcomesOfSender.max) throw errors.tooManyOwnWelcomes(welcomesOfSender.max)
    if (waiting.length >= welcomesOfDevice.max) throw errors.tooManyWelcomes(welcomesOfDevice.max)
    const to = { recipientId, ownerId, recipientDeviceId }
    return [emitMlsWelcome(id, 'MlsWelcomePosted', { ...place, ...to, ciphertext, ratchetTree })]
  },

  /** Whoever may write in a group has it begin anew, and so do administrators, who see nothing of what is discussed. */
  async RestartMlsGroup({ id, mlsGroupId }, { caller, read }) {
    const isAdmin = caller.role === 'admin'
    const place = await (isAdmin
      ? requireGroup(mlsGroupId, asEditor(caller), read)
      : requireMember(mlsGroupId, caller, read))
    if (!isAdmin) await requireAnyDevice(caller, read)
    const { kind, id: targetId } = place.target
    const one = { limit: 1, body: false }
    const [welcome] = await read.list(mlsWelcomesTable, 'byGroup', [kind, targetId], one)
    if (!welcome && !(await lastCommit(place.target, read))) throw errors.notFound('MLS group state')
    return [emitMlsCommit(id, 'MlsGroupRestarted', place)]
  }
}

async function lastCommit({ kind, id }: Discussed, read: Context['read']) {
  const [last] = await read.list(mlsCommitsTable, 'byGroup', [kind, id], { reverse: true, limit: 1, body: false })
  return last
}

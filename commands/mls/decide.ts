import { mlsCommitsTable, mlsWelcomesTable } from '../../projections/mls.js'
import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Context } from '../context.js'
import { deviceCalled, requireAnyDevice, requireOwnDevice } from '../device/decide.js'
import { emitMlsCommit, emitMlsWelcome } from './events.js'
import { requireGroup } from './group.js'

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

/** Decides on what devices send each other: whoever sees what is discussed sends, with a device that is enrolled and active. */
export async function decideMls(command: MlsCommand, context: Context): Promise<readonly NewEvent[]> {
  return command.type === 'PostMlsCommit' ? committed(command, context) : welcomed(command, context)
}

type Only<T extends MlsCommand['type']> = Extract<MlsCommand, { type: T }>

/** Epochs only grow, so that one of two devices that change a group at once learns of the other. They may leave some out. */
async function committed(command: Only<'PostMlsCommit'>, { caller, read }: Context): Promise<readonly NewEvent[]> {
  const { id, mlsGroupId, epoch, ciphertext, senderDeviceId } = command
  const place = await requireGroup(mlsGroupId, caller, read)
  await requireOwnDevice(caller, senderDeviceId, read)
  const { kind, id: targetId } = place.target
  const newest = { reverse: true, limit: 1, body: false }
  const [last] = await read.list(mlsCommitsTable, 'byTarget', [kind, targetId], newest)
  if (last && epoch <= last.epoch) throw errors.epochTaken(last.epoch)
  return [emitMlsCommit(id, 'MlsCommitPosted', { ...place, epoch, ciphertext, senderDeviceId })]
}

async function welcomed(command: Only<'PostMlsWelcome'>, { caller, read }: Context): Promise<readonly NewEvent[]> {
  const { id, mlsGroupId, recipientDeviceId, ciphertext, ratchetTree } = command
  const place = await requireGroup(mlsGroupId, caller, read)
  await requireAnyDevice(caller, read)
  const device = await deviceCalled(recipientDeviceId, read)
  if (!device) throw errors.notFound('Recipient device')
  const { id: recipientId, userId: ownerId } = device
  const under = [place.target.kind, place.target.id, ownerId, recipientDeviceId]
  const sent = await read.list(mlsWelcomesTable, 'byDevice', under, { body: false })
  const { max } = LIMITS.welcomesOfDevice
  if (sent.filter((one) => one.recipientId === recipientId).length >= max) throw errors.tooManyWelcomes(max)
  const to = { recipientId, ownerId, recipientDeviceId }
  return [emitMlsWelcome(id, 'MlsWelcomePosted', { ...place, ...to, ciphertext, ratchetTree })]
}

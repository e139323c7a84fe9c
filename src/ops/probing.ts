import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { HubProvider } from '../app/live.js'
import { isCode, isOpenToOthers } from '../lib/files.js'
import type { ModelCalls } from '../llm/callCounts.js'
import { type Check, type Finding, ok, skipped, warning } from './check.js'
import type { ContentPorts } from './doctorPorts.js'
import type { Entered } from './readiness.js'

/** What is asked of a running hub about its models. */
export interface ModelPorts {
  /** How many models are on offer; null where none are configured. */
  models(): number | null
  calls(): Iterable<ModelCalls>
}

/** What a running hub asks of itself. */
export type OwnPorts = ContentPorts & ModelPorts

/** The ports of a running hub: its own connections, which stay open until the question is answered. */
export function probing(live: HubProvider): Entered<OwnPorts> {
  const { hub, leave } = live.enter()
  const ports = {
    config: () => hub.config,
    storage: async () => hub.ledger.storage,
    current: hub.ledger.readModel.current,
    throttle: async () => hub.throttle,
    room: roomIn,
    isWritable,
    now: hub.ledger.now,
    searchPosition: async () => hub.ledger.indexer.counts.position,
    isOpenToOthers,
    models: () => hub.llm?.models.length ?? null,
    calls: () => hub.llm?.calls.all ?? []
  }
  return { ports, leave }
}

/** How much room there is for this process on the disk that a folder is on, or would be where it is not there yet. */
export async function roomIn(folder: string): Promise<{ readonly free_bytes: number }> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return { free_bytes: bavail * bsize }
  } catch (error) {
    if (!isCode(error, 'ENOENT') || dirname(folder) === folder) throw error
    return roomIn(dirname(folder))
  }
}

/** False where this process may not write a file or folder, or make it where it is not there, or its file system is read-only. */
export function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    (error: unknown) => isCode(error, 'ENOENT') && dirname(path) !== path && isWritable(dirname(path))
  )
}

/** Models answer, as far as they were called: nobody is asked anything. */
export const models: Check<ModelPorts> = {
  name: 'models',
  async run(ports) {
    const offered = ports.models()
    if (offered === null) return skipped('No models are configured.')
    const calls = [...ports.calls()]
    const failing = calls.flatMap(failingOf)
    const called = calls.reduce((sum, { outcomes }) => sum + outcomes.completed + outcomes.failed, 0)
    if (failing.length > 0) return failing
    return ok(`${offered} models are on offer; they were called ${called} times since the start.`)
  }
}

function failingOf({ model, outcomes: { completed, failed } }: ModelCalls): readonly Finding[] {
  if (failed <= completed) return []
  const text = `${failed} of ${completed + failed} calls have failed since the start.`
  const advice = 'See the log of the hub; `hub doctor` tells whether the provider takes the key.'
  return [warning(text, advice, { subject: model })]
}

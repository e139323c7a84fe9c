import type { Caller } from '../../commands/context.js'
import { callerNow } from './logStream.js'
import type { RouteCall } from './route.js'

/**
 * A signal that is aborted when the caller has lost what the work needs, wherever that was taken away. It watches the log until
 * `over`. While the database does not answer nothing is taken away.
 */
export function accessEnd(
  call: Pick<RouteCall<unknown, unknown>, 'hub' | 'token' | 'request' | 'reply'>,
  suffices: (caller: Caller) => boolean,
  over: AbortSignal
): AbortSignal {
  const end = new AbortController()
  void watch(call, suffices, over).then((isLost) => isLost && end.abort())
  return end.signal
}

async function watch(
  call: Parameters<typeof accessEnd>[0],
  suffices: (caller: Caller) => boolean,
  over: AbortSignal
): Promise<boolean> {
  const { tail, readModel } = call.hub.ledger
  while (!over.aborted) {
    const { position } = readModel.head
    const isAllowed = await callerNow(call).then(
      (caller) => caller !== null && suffices(caller),
      () => true
    )
    if (!isAllowed) return !over.aborted
    await tail.waitForEvents(position, over)
  }
  return false
}

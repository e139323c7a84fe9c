import { knownOf, useAct, useMoment } from '../../app/loaded.js'
import { ask, hub } from '../../app/session.js'
import { Button, Notice, toast } from '../../ui/kit.js'

interface NewsProps {
  readonly rootId: string
  /** How much is said in the thread: who answers in it is told of answers from then on. */
  readonly said: number
}

/** Whether who is signed in is told of answers in a thread, and the way to have it otherwise. */
export function ThreadNews({ rootId, said }: NewsProps) {
  const path = { id: rootId }
  const load = async (_: number, signal: AbortSignal) =>
    (await ask('GET', '/discussion-threads/{id}/subscription', { path, signal })).subscribed
  const followed = useMoment(load, rootId, said)
  const { isBusy, failure, run } = useAct()
  const isTold = knownOf(followed)
  if (isTold === undefined) return null
  const turn = () =>
    run(async () => {
      const turned = isTold ? 'unsubscribe' : 'subscribe'
      await hub().request('POST', `/discussion-threads/{id}/${turned}` as const, { path })
      await followed.reload()
      toast(isTold ? 'You are not told of answers here, but where you are named.' : 'You are told of answers here.')
    })
  return (
    <>
      <Button kind="quiet" icon="bell" isBusy={isBusy} onClick={() => void turn()}>
        {isTold ? 'Tell me of no answers' : 'Tell me of answers'}
      </Button>
      <span class="hint">{isTold ? 'You are told of answers.' : 'You are told of none.'}</span>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </>
  )
}

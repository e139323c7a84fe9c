import { useState } from 'preact/hooks'
import { type Failure, failureOf } from './hub.js'

/** Something that is being done, which the hub may refuse. */
interface Act {
  readonly isBusy: boolean
  readonly failure: Failure | undefined
  /** Does it, and tells whether it is done. While it is being done nothing else is. */
  run(act: () => Promise<unknown>): Promise<boolean>
}

/** What a view does when somebody asks for it: once at a time, with what the hub says where it refuses. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  return {
    isBusy,
    failure,
    async run(act) {
      if (isBusy) return false
      setBusy(true)
      setFailure(undefined)
      try {
        await act()
        return true
      } catch (error) {
        setFailure(failureOf(error))
        return false
      } finally {
        setBusy(false)
      }
    }
  }
}

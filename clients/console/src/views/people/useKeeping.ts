import { useState } from 'preact/hooks'

/** How far somebody is with keeping something that is shown once. */
export interface Keeping {
  /** Whether they wanted to leave without having copied it. */
  readonly isWarned: boolean
  readonly kept: () => void
  /** Leaves where it was copied, or where they have been warned. */
  readonly leave: () => void
}

/** Has whoever leaves something that is shown once think again where they have not copied it. */
export function useKeeping(isShown: boolean, close: () => void): Keeping {
  const [isKept, setKept] = useState(false)
  const [isWarned, setWarned] = useState(false)
  return {
    isWarned: isWarned && !isKept,
    kept: () => setKept(true),
    leave: () => (isShown && !isKept && !isWarned ? setWarned(true) : close())
  }
}

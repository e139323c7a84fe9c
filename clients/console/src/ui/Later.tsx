import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from './Notice.js'
import { Skeleton } from './Show.js'

interface LaterProps<T> {
  /** Brings a module that few need, and that is not part of the first load for that reason. */
  readonly load: () => Promise<T>
  readonly children: (module: T) => VNode
}

/** What a module shows, once it is there. */
export function Later<T extends object>({ load, children }: LaterProps<T>) {
  const [module, setModule] = useState<T>()
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    let isWanted = true
    load()
      .then((loaded) => isWanted && setModule(loaded))
      .catch(() => isWanted && setMissing(true))
    return () => {
      isWanted = false
    }
  }, [load])
  if (module) return children(module)
  if (!isMissing) return <Skeleton />
  return <Notice tone="bad">This part of the console could not be loaded. Reload the page to get it.</Notice>
}

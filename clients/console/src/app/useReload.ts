import type { Change } from '@collections-hub/client'
import { useEffect } from 'preact/hooks'
import { onChange } from './live.js'
import type { Loadable } from './loaded.js'

/** Changes that come together are one question. */
const TOGETHER_MS = 120

/** Asks anew for what a view shows after changes that concern it. */
export function useReload(shown: Pick<Loadable<unknown>, 'reload'>, concerns: (change: Change) => boolean): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      timer = undefined
      void shown.reload()
    }
    const stop = onChange((change) => {
      if (timer === undefined && concerns(change)) timer = setTimeout(later, TOGETHER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [shown])
}

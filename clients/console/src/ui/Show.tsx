import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Loadable } from '../app/loaded.js'
import { FailureNote } from './Notice.js'
import css from './Show.module.css'

const PATIENCE_MS = 200

interface ShowProps<T> {
  readonly of: Loadable<T>
  /** What stands there while it loads, in the shape of what comes: lines by default. */
  readonly skeleton?: JSX.Element
  readonly children: (value: T) => ComponentChildren
}

/** What was asked for, once it is there; before that nothing for a moment, then its shape; or why it is not to be had. */
export function Show<T>({ of, skeleton, children }: ShowProps<T>) {
  const state = of.state.value
  if (state.is === 'ready') return <>{children(state.value)}</>
  if (state.is === 'failed') return <FailureNote failure={state.failure} retry={of.reload} />
  return <Late>{skeleton ?? <Skeleton />}</Late>
}

function Late({ children }: { readonly children: ComponentChildren }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? (
    <div aria-busy="true">
      <span class="visually-hidden" role="status">
        Loading
      </span>
      {children}
    </div>
  ) : null
}

/** Lines of a text that is not there yet. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class={css.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class={css[`w${index % 4}`]} />
      ))}
    </div>
  )
}

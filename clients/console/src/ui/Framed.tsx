import type { ComponentChildren, VNode } from 'preact'
import { useId } from 'preact/hooks'
import css from './Field.module.css'

export interface Frame {
  readonly label: string
  readonly hint?: ComponentChildren
  /** What the hub, or the console, says is wrong with it. */
  readonly fault?: string | undefined
}

interface Named {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

/** What surrounds something to fill in: its name, what helps with it, and what is wrong with it. */
export function Framed({ label, hint, fault, children }: Frame & { readonly children: (named: Named) => VNode }) {
  const id = useId()
  const about = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined
  return (
    <div class={css.field}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': fault !== undefined, 'aria-describedby': about })}
      {fault ? (
        <p id={`${id}-fault`} class={css.fault} role="alert">
          {fault}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} class={css.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

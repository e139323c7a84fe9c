import type { TargetedEvent } from 'preact'
import css from './Tick.module.css'

interface TickProps {
  readonly type: 'checkbox' | 'radio'
  readonly label: string
  /** What helps to decide, behind it. */
  readonly about?: string
  /** Joins those of which one can be picked. */
  readonly name?: string
  readonly checked: boolean
  readonly onChange: (event: TargetedEvent<HTMLInputElement>) => void
}

/** Something to tick, or one of a few to pick, with its name beside it. */
export function Tick({ label, about, ...input }: TickProps) {
  return (
    <label class={css.tick}>
      <input {...input} />
      <span>
        {label}
        {about !== undefined && <span class={css.about}> {about}</span>}
      </span>
    </label>
  )
}

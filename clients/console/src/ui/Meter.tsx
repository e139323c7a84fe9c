import type { Nearness } from '../model/usage.js'
import css from './Meter.module.css'

interface MeterProps {
  readonly label: string
  /** From 0 on; 1 and more where nothing is left. */
  readonly share: number
  readonly state: Nearness
  /** What it shows, in words. */
  readonly text: string
}

/** How much of a limit is used, as a bar. What it shows stands beside it in words as well. */
export function Meter({ label, share, state, text }: MeterProps) {
  const percent = Math.min(100, Math.round(share * 100))
  return (
    <span
      class={`${css.bar} ${css[state]}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
    >
      <span style={{ width: `${percent}%` }} />
    </span>
  )
}

const WORDS = { over: 'used up', near: 'nearly used up', free: '' } as const

/** Says that a limit is near, or reached; nothing where it is neither. */
export function NearWords({ state }: { readonly state: Nearness }) {
  return WORDS[state] && <strong class={`${css.words} ${css[state]}`}>{WORDS[state]}</strong>
}

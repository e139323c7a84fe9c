import type { Nearness } from '../model/usage.js'
import css from './Meter.module.css'

interface MeterProps {
  readonly label: string
  /** From 0 on; 1 and more where nothing is left. */
  readonly share: number
  readonly state: Nearness
  /** What it shows, in words. */
  readonly text: string
  /** What is said behind that. */
  readonly more?: string | null
}

const WORDS = { over: 'used up', near: 'nearly used up', free: '' } as const
const TONES = { over: 'bad', near: 'note', free: 'accent' } as const

/** How much of a limit is used, as a bar and in words, and whether that is nearly all of it. */
export function Meter({ label, share, state, text, more = null }: MeterProps) {
  const percent = Math.min(100, Math.round(share * 100))
  return (
    <>
      <span
        class={`${css.bar} clip ${TONES[state]}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <span style={{ width: `${percent}%` }} />
      </span>
      <span class="flex wrap gap-line hint">
        {more === null ? text : `${text}, ${more}`}
        {WORDS[state] && <strong class={`unbroken ${TONES[state]}`}>{WORDS[state]}</strong>}
      </span>
    </>
  )
}

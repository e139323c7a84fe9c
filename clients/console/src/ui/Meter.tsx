import { type Budget, heldInWords, nearnessOfBudget, usedInWords } from '../model/budgets.js'
import type { Nearness } from '../model/usage.js'
import { Time } from './basics.js'
import css from './Meter.module.css'

interface MeterProps {
  readonly label: string
  /** From 0 on; 1 and more where nothing is left. */
  readonly share: number
  readonly state: Nearness
  /** What it shows, in words. */
  readonly text: string
}

const WORDS = { over: 'used up', near: 'nearly used up', free: '' } as const
const TONES = { over: 'bad', near: 'note', free: 'accent' } as const

/** How much of a limit is used, as a bar and in words, and whether that is nearly all of it. */
export function Meter({ label, share, state, text }: MeterProps) {
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
        {text}
        {WORDS[state] && <strong class={`unbroken ${TONES[state]}`}>{WORDS[state]}</strong>}
      </span>
    </>
  )
}

/** How much of a budget is used, what calls on their way hold of it, and when it begins anew. */
export function BudgetMeter({ budget }: { readonly budget: Budget }) {
  const { name, used, limit, period, endsAt } = budget
  const [text, held, state] = [usedInWords(budget), heldInWords(budget), nearnessOfBudget(budget)]
  return (
    <div class="stack gap-2">
      <Meter label={`Used of ${name}`} share={used / limit} state={state} text={text} />
      {held !== null && <span class="hint">{held}</span>}
      <span class="hint">
        Begins anew each {period}, next <Time at={endsAt} />
      </span>
    </div>
  )
}

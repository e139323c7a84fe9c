import type { Run } from '../../model/auditLines.js'
import { whoOf } from '../../model/auditSentences.js'
import { count } from '../../model/numbers.js'
import { Icon } from '../../ui/Icon.js'
import { Time } from '../../ui/Time.js'
import css from './EntryRow.module.css'

interface RunRowProps {
  readonly run: Run
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Searches of one person right behind each other, as one line; each has its own below while it is open. */
export function RunRow({ run: { entries }, isOpen, toggle }: RunRowProps) {
  const [newest] = entries
  const who = whoOf(newest)
  const times = `${count(entries.length)} times`
  return (
    <div class={`${css.line} ${css.quiet} ${isOpen ? css.open : ''}`}>
      <button
        type="button"
        class={css.toggle}
        aria-expanded={isOpen}
        aria-label={`Each: ${who} read the log ${times}`}
        onClick={toggle}
      >
        <Icon name="open" size={16} />
      </button>
      <div class={css.words}>
        <span>
          <bdi>{who}</bdi> read the log {times}
        </span>
        <span class={css.about}>
          <Time at={newest.at} />
        </span>
      </div>
    </div>
  )
}

import type { Undo } from '../../app/undoing.js'
import { count, counted } from '../../model/numbers.js'
import { wordFor } from '../../model/records.js'
import { groupsOf } from '../../model/undoing.js'
import { Name } from '../../ui/kit.js'
import css from './past.module.css'

/** So many records of a list are shown: who wants more of them narrows the undo. */
const LISTED_MOST = 200

/** What comes back, becomes what it was, goes, and stays with the reason. */
export function UndoLists({ undo, isDone = false }: { readonly undo: Undo; readonly isDone?: boolean }) {
  return (
    <>
      {groupsOf(undo, isDone).map(({ title, records }) => (
        <section key={title} class="stack gap-4">
          <h3>
            {title} <span class="soft">({count(records.length)})</span>
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
          <ul class={`${css.undoneList} stack scroll gap-2`} tabIndex={0} aria-label={title}>
            {records.slice(0, LISTED_MOST).map(({ kind, id, name, reason }) => (
              <li key={`${kind} ${id}`}>
                <Name of={name === '' ? 'Something without a name' : name} />{' '}
                <span class="soft">
                  {wordFor(kind)}
                  {reason && `: ${reason}`}
                </span>
              </li>
            ))}
            {records.length > LISTED_MOST && <li>And {counted(records.length - LISTED_MOST, 'more record')}.</li>}
          </ul>
        </section>
      ))}
    </>
  )
}

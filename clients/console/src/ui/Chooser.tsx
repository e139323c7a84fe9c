import { useId, useState } from 'preact/hooks'
import type { Choice } from '../model/access.js'
import { count } from '../model/numbers.js'
import { matches } from '../model/people.js'
import { Badge, Name } from './basics.js'
import css from './Chooser.module.css'
import { Tick } from './fields.js'
import { Virtual } from './Virtual.js'

interface ChooserProps {
  /** What is chosen from, such as `Collections`. */
  readonly title: string
  readonly choice: Choice
  readonly choose: (choice: Choice) => void
  /** What there is; undefined while that is not known. */
  readonly items: readonly { readonly id: string; readonly name: string }[] | undefined
  /** What stands in place of the items where there are none to choose from. */
  readonly remark: string
}

const ROW_PX = 40
const ANSWERS = { all: 'All', none: 'None', some: 'Chosen' } as const
const EACH = ['all', 'none', 'some'] as const

/** All, none, or some that are picked from a list. `All` holds what is made later too. */
export function Chooser({ title, choice, choose, items, remark }: ChooserProps) {
  const name = useId()
  return (
    <fieldset class="stack gap-4">
      <legend>{title}</legend>
      <div class={`${css.answers} flex wrap`}>
        {EACH.map((is) => (
          <Tick
            key={is}
            type="radio"
            name={name}
            label={ANSWERS[is]}
            {...(is === 'all' && { about: 'also later ones' })}
            checked={choice.is === is}
            onChange={() => choose({ is, ids: choice.ids })}
          />
        ))}
      </div>
      {choice.is === 'some' && <Picker {...{ title, choice, choose, items, remark }} />}
    </fieldset>
  )
}

function Picker({ title, choice, choose, items, remark }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const picked = new Set(choice.ids)
  const known = new Set(items?.map(({ id }) => id))
  const gone = items ? choice.ids.filter((id) => !known.has(id)) : []
  const all = [...gone.map((id) => ({ id, name: id })), ...(items ?? [])]
  const shown = all.filter((item) => matches(typed, item.name))
  const toggle = (id: string) =>
    choose({ is: 'some', ids: picked.has(id) ? choice.ids.filter((one) => one !== id) : [...choice.ids, id] })
  if (all.length === 0) return <p class="hint">{remark}</p>
  return (
    <div class="fit frame clip">
      <div class={`${css.line} row wrap sunken ruled gap-line`}>
        <input
          class={`${css.filter} fit`}
          type="search"
          aria-label={`Find among ${title}`}
          placeholder="Find"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <span class="hint" role="status">
          {count(picked.size)} of {count(all.length)} chosen
        </span>
      </div>
      {shown.length === 0 ? (
        <p class={`${css.none} soft`}>Nothing here is called that.</p>
      ) : (
        <Virtual
          class={`${css.list} scroll`}
          role="group"
          aria-label={title}
          items={shown}
          rowHeight={ROW_PX}
          keyOf={({ id }) => id}
        >
          {(item) => (
            <label class={`${css.item} row gap-4`}>
              <input type="checkbox" checked={picked.has(item.id)} onChange={() => toggle(item.id)} />
              <Name class="cut" of={item.name} />
              {items && !known.has(item.id) && <Badge tone="note">gone</Badge>}
            </label>
          )}
        </Virtual>
      )}
    </div>
  )
}

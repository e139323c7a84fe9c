import { useState } from 'preact/hooks'
import type { Named } from '../../app/catalog.js'
import { favourites, turnFavourite } from '../../app/favourites.js'
import { useLastChange } from '../../app/lastChange.js'
import { namesAround } from '../../app/members.js'
import { recent } from '../../app/recent.js'
import { mayEdit } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import { identity } from '../../app/session.js'
import { pathOf } from '../../model/records.js'
import { Button, Icon, KIND_ICONS, Name, Section, Select, Time, Virtual } from '../../ui/kit.js'
import css from './browse.module.css'

const ROW_PX = 64
const MOST_PX = 640

type Which = 'all' | 'mine' | 'favourites'
const WHICH: readonly { readonly value: Which; readonly label: string }[] = [
  { value: 'all', label: 'All collections' },
  { value: 'mine', label: 'Made by me' },
  { value: 'favourites', label: 'My favourites' }
]

/** The collections with what happened to each last, favourites first, below what was opened last. */
export function Collections({ collections }: { readonly collections: readonly Named[] }) {
  const [which, setWhich] = useState<Which>('all')
  const first = favourites.value
  const own = identity().user.id
  const shown = collections.filter(
    ({ id, madeBy }) => which === 'all' || (which === 'mine' ? madeBy === own : first.has(id))
  )
  const ordered = [...shown.filter(({ id }) => first.has(id)), ...shown.filter(({ id }) => !first.has(id))]
  return (
    <>
      <OpenedLast />
      {mayEdit() && (
        <div class="narrow">
          <Select label="Show" value={which} options={WHICH} change={setWhich} />
        </div>
      )}
      {ordered.length === 0 ? (
        <p class="soft">{which === 'mine' ? 'You have made none yet.' : 'A star beside a collection makes it one.'}</p>
      ) : (
        <Virtual class={`${css.list} scroll`} role="list" items={ordered} rowHeight={ROW_PX} most_px={MOST_PX}>
          {(one) => <Line key={one.id} collection={one} isFirst={first.has(one.id)} />}
        </Virtual>
      )}
    </>
  )
}

function Line({ collection, isFirst }: { readonly collection: Named; readonly isFirst: boolean }) {
  const { id, name, isLocked } = collection
  const last = useLastChange(id)
  return (
    <div role="listitem" class={`${css.collection} row gap-4`}>
      <a class={`${css.item} pick row grow gap-6`} href={linkTo(['collections', id])}>
        <Icon name="hub" />
        <span class="fit stack">
          <span class="row gap-4">
            <Name class="cut" of={name} />
            {isLocked && <Icon name="lock" size={14} />}
          </span>
          {last && (
            <span class="cut hint">
              <Name of={last.who} /> <Name of={last.what} />, <Time at={last.at} />
            </span>
          )}
        </span>
      </a>
      {mayEdit() && (
        <Button
          kind="quiet"
          icon="star"
          aria-label={`Favourite: ${name}`}
          aria-pressed={isFirst}
          onClick={() => turnFavourite(id)}
        />
      )}
    </div>
  )
}

/** What was opened last, as far as its names are known. */
function OpenedLast() {
  const opened = recent.value.flatMap((ref) => {
    const name = namesAround(ref)(ref.id)
    return name === undefined ? [] : [{ ref, name }]
  })
  if (opened.length === 0) return null
  return (
    <Section title="Opened last">
      <ul class="flex wrap gap-4">
        {opened.map(({ ref, name }) => (
          <li key={ref.id} class={css.opened}>
            <a class="pick row frame gap-4" href={linkTo(pathOf(ref))}>
              <Icon name={KIND_ICONS[ref.kind]} size={14} />
              <Name class="cut" of={name} />
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

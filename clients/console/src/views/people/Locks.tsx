import { useState } from 'preact/hooks'
import { knownOf, useKept, users } from '../../app/accounts.js'
import { catalog } from '../../app/catalog.js'
import { linkTo, route } from '../../app/route.js'
import { count, counted } from '../../model/numbers.js'
import { matches } from '../../model/people.js'
import { ALONE, type AloneKind, KINDS } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { Icon } from '../../ui/Icon.js'
import { KIND_ICONS } from '../../ui/kindIcons.js'
import { FailureNote, Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { type Column, RowTable } from '../../ui/RowTable.js'
import { Skeleton } from '../../ui/Show.js'
import { DeleteRecord } from './DeleteRecord.js'
import { LockSwitch } from './LockSwitch.js'
import type { Lockable } from './lockables.js'
import css from './people.module.css'
import { OneOf, Toolbar, typedFilter } from './Toolbar.js'

const FILTERS: readonly (readonly [AloneKind | 'locked' | 'open' | '', string])[] = [
  ['', 'Everything'],
  ...ALONE.map((kind) => [kind, `${KINDS[kind].label}s`] as const),
  ['locked', 'What is locked'],
  ['open', 'What is not locked']
]

/** What users may not delete: everything that stands by itself, with its lock. */
export function Locks() {
  useKept(users)
  return (
    <Page title="Locks" lead="Nobody but an administrator deletes what is locked. Changing it is not affected.">
      <LockList />
    </Page>
  )
}

function LockList() {
  const [deleting, setDeleting] = useState<Lockable>()
  for (const kind of ALONE) {
    const state = catalog[kind].state.value
    if (state.is === 'failed') return <FailureNote failure={state.failure} retry={catalog[kind].reload} />
    if (state.is === 'loading') return <Skeleton />
  }
  const all = ALONE.flatMap((kind) => knownOf(catalog[kind])?.map((one): Lockable => ({ kind, ...one })) ?? [])
  const only = FILTERS.find(([one]) => one === route.value.query.get('show'))?.[0] ?? ''
  const typed = typedFilter()
  const found = all.filter((one) => isShown(one, only) && matches(typed, one.name))
  if (all.length === 0) {
    return (
      <Placeholder icon="lock" title="There is nothing to lock yet">
        <p>Collections, environments and whatever else stands by itself appear here as people make them.</p>
      </Placeholder>
    )
  }
  const locked = all.filter(({ isLocked }) => isLocked).length
  const isFiltered = found.length < all.length
  return (
    <>
      <Toolbar
        label="Find by name"
        about={
          isFiltered
            ? `${count(found.length)} of ${count(all.length)}`
            : `${count(locked)} of ${counted(all.length, 'record')} locked`
        }
      >
        <OneOf label="Show" name="show" options={FILTERS} value={only} />
      </Toolbar>
      {found.length === 0 ? (
        <Placeholder icon="lock" title="Nothing is found by that">
          <p>Choose what else to show, or look for another name.</p>
        </Placeholder>
      ) : (
        <RowTable label="Locks" columns={columnsOf(setDeleting)} rows={found} keyOf={({ id }) => id} />
      )}
      {deleting && <DeleteRecord record={deleting} close={() => setDeleting(undefined)} />}
    </>
  )
}

function isShown({ kind, isLocked }: Lockable, only: (typeof FILTERS)[number][0]): boolean {
  if (only === 'locked') return isLocked
  if (only === 'open') return !isLocked
  return only === '' || kind === only
}

function columnsOf(remove: (record: Lockable) => void): readonly Column<Lockable>[] {
  return [
    {
      title: 'Name',
      width: 'minmax(10rem, 4fr)',
      isPlain: true,
      cell: ({ kind, id, name }) => (
        <span class={css.who}>
          <Icon name={KIND_ICONS[kind]} />
          <a class={css.link} href={linkTo([KINDS[kind].plural, id])}>
            <bdi>{name}</bdi>
          </a>
        </span>
      )
    },
    {
      title: 'Kind',
      width: '9rem',
      isPlain: true,
      cell: ({ kind }) => <span class={css.soft}>{KINDS[kind].label}</span>
    },
    { title: 'Locked', width: '8rem', isPlain: true, cell: (record) => <LockSwitch record={record} /> },
    {
      title: '',
      width: '6rem',
      cell: (record) => (
        <div class={css.actions}>
          <Button kind="quiet" aria-label={`Delete ${record.name}`} onClick={() => remove(record)}>
            Delete
          </Button>
        </div>
      )
    }
  ]
}

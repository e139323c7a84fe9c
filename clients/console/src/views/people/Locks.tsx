import { useKept, users } from '../../app/accounts.js'
import { catalog, type Named } from '../../app/catalog.js'
import { knownOf, useAct } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { deleteAsAdmin, lockRecord, undelete } from '../../app/records.js'
import { linkTo, route } from '../../app/route.js'
import { recordsCounted } from '../../model/importing.js'
import { count, counted } from '../../model/numbers.js'
import { heldBy } from '../../model/outline.js'
import { matches } from '../../model/people.js'
import { ALONE, type AloneKind, KINDS, wordFor } from '../../model/records.js'
import {
  Ask,
  type Column,
  DialogButton,
  FailureNote,
  Icon,
  KIND_ICONS,
  Name,
  Notice,
  Page,
  Placeholder,
  RowTable,
  Skeleton,
  Switch,
  tellFailure,
  toast
} from '../../ui/kit.js'
import { Filtered, OneOf, typedFilter } from './parts.js'
import css from './people.module.css'

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
  return (
    <Filtered
      label="Find by name"
      all={all.length}
      found={found.length}
      about={`${count(locked)} of ${counted(all.length, 'record')} locked`}
      narrow={<OneOf label="Show" name="show" options={FILTERS} value={only} />}
      none={{
        icon: 'lock',
        title: 'Nothing is found by that',
        hint: 'Choose what else to show, or look for another name.'
      }}
    >
      <RowTable label="Locks" columns={COLUMNS} rows={found} keyOf={({ id }) => id} />
    </Filtered>
  )
}

function isShown({ kind, isLocked }: Lockable, only: (typeof FILTERS)[number][0]): boolean {
  if (only === 'locked') return isLocked
  if (only === 'open') return !isLocked
  return only === '' || kind === only
}

const COLUMNS: readonly Column<Lockable>[] = [
  {
    title: 'Name',
    width: 'minmax(10rem, 4fr)',
    isPlain: true,
    cell: ({ kind, id, name }) => (
      <span class={`${css.who} row fit`}>
        <Icon name={KIND_ICONS[kind]} />
        <a class={`${css.link} bold plain`} href={linkTo([KINDS[kind].plural, id])}>
          <Name class="lines-3" of={name} />
        </a>
      </span>
    )
  },
  {
    title: 'Kind',
    width: '9rem',
    isPlain: true,
    cell: ({ kind }) => <span class="soft">{KINDS[kind].label}</span>
  },
  { title: 'Locked', width: '8rem', isPlain: true, cell: (record) => <LockSwitch record={record} /> },
  {
    title: '',
    width: '6rem',
    cell: (record) => (
      <div class="acts flex wrap gap-3">
        <DialogButton
          kind="quiet"
          aria-label={`Delete ${record.name}`}
          dialog={(close) => <DeleteRecord record={record} close={close} />}
        >
          Delete
        </DialogButton>
      </div>
    )
  }
]

/** Something that can be locked against deletion. */
interface Lockable extends Named {
  readonly kind: AloneKind
}

/** The lock of a record, to be switched on or off. */
function LockSwitch({ record }: { readonly record: Lockable }) {
  const { isBusy, failure, run } = useAct()
  const { kind, id, name, isLocked } = record
  const turn = () =>
    run(async () => {
      await lockRecord(kind, id, !isLocked)
      catalog[kind].change((all) => all.map((one) => (one.id === id ? { ...one, isLocked: !isLocked } : one)))
    })
  return (
    <span class={`${css.who} row wrap fit`}>
      <Switch label={`Lock ${name}`} isOn={isLocked} isBusy={isBusy} turn={turn} />
      <span class="hint" role={failure && 'alert'}>
        {failure?.message ?? (isLocked ? 'locked' : 'not locked')}
      </span>
    </span>
  )
}

/** Asks before something is deleted: what goes with it, who opens it, and where the way back is. */
function DeleteRecord({ record, close }: { readonly record: Lockable; readonly close: () => void }) {
  const { kind, id, name, isLocked } = record
  const naming = knownOf(users)?.filter((user) => user[`${kind}Access`].includes(id)).length ?? 0
  const remove = async () => {
    await deleteAsAdmin(kind, id)
    close()
    catalog[kind].change((all) => all.filter((one) => one.id !== id))
    toast(`${name} is deleted.`, { label: 'Undelete', act: () => void bringBack(record).catch(tellFailure) })
  }
  return (
    <Ask isDanger title={`Delete ${name}?`} verb={`Delete the ${wordFor(kind)}`} act={remove} close={close}>
      {isLocked && <Notice tone="note">It is locked, so that users do not delete it. Administrators can.</Notice>}
      <ul class={css.bullets}>
        {kind === 'collection' && <li>{insideOf(id)}</li>}
        {kind === 'environment' && <li>Environments that build on it stand by themselves then.</li>}
        {naming > 0 && (
          <li>
            {naming === 1
              ? 'One account names it in its access list'
              : `${counted(naming, 'account')} name it in their access lists`}
            , and would open nothing with that.
          </li>
        )}
      </ul>
      <p>
        It can be brought back whole from <a href={linkTo(['deleted'])}>Deleted</a>.
      </p>
    </Ask>
  )
}

/** What a collection takes with it. */
function insideOf(collectionId: string): string {
  const outline = knownOf(outlineOfCollection(collectionId))
  if (!outline) return 'Everything in it goes with it.'
  const { size } = outline.members
  return size === 0
    ? 'Nothing is in it.'
    : `${recordsCounted(heldBy(outline, null))} ${size === 1 ? 'goes' : 'go'} with it.`
}

async function bringBack({ kind, id, name }: Lockable): Promise<void> {
  await undelete({ kind, id })
  await catalog[kind].reload()
  toast(`${name} is back.`)
}

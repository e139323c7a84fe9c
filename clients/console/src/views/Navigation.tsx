import { catalog } from '../app/catalog.js'
import { ANY_FILE, importing, mayImport } from '../app/importing.js'
import { isPlaceFor, type PlaceFor } from '../app/places.js'
import { mayCreate } from '../app/records.js'
import { linkTo, route } from '../app/route.js'
import { seesRecords } from '../app/session.js'
import { ALONE } from '../model/records.js'
import { Icon, type IconName, Show } from '../ui/kit.js'
import { CollectionTree } from './browse/CollectionTree.js'
import { NewMenu } from './editing/NewRecord.js'
import css from './shell.module.css'

interface Place {
  readonly who: PlaceFor
  readonly step: string
  readonly label: string
  readonly icon: IconName
}

/** Where everybody can go who sees records. */
export const FOR_ALL: readonly Place[] = [
  { who: 'records', step: 'environments', label: 'Environments', icon: 'environment' },
  { who: 'records', step: 'snippets', label: 'Snippets', icon: 'snippet' },
  { who: 'records', step: 'live-servers', label: 'Live servers', icon: 'liveServer' },
  { who: 'records', step: 'live-pages', label: 'Live pages', icon: 'livePage' },
  { who: 'records', step: 'run-results', label: 'Run results', icon: 'check' },
  { who: 'records', step: 'deleted', label: 'Deleted', icon: 'deleted' }
]

/** Where those can go who manage the hub, or a part of it. */
export const FOR_MANAGING: readonly Place[] = [
  { who: 'people', step: 'people', label: 'People', icon: 'people' },
  { who: 'people', step: 'groups', label: 'Groups', icon: 'groups' },
  { who: 'people', step: 'tokens', label: 'Tokens', icon: 'token' },
  { who: 'admin', step: 'locks', label: 'Locks', icon: 'lock' },
  { who: 'audit', step: 'audit', label: 'Audit', icon: 'audit' },
  { who: 'admin', step: 'usage', label: 'Usage', icon: 'usage' },
  { who: 'admin', step: 'webhooks', label: 'Webhooks', icon: 'live' },
  { who: 'admin', step: 'health', label: 'Health', icon: 'health' }
]

/** Where one can go: the collections as a tree, and the other views below. */
export function Navigation() {
  return (
    <>
      {seesRecords.value && <Collections />}
      <Places places={FOR_ALL} />
      <Places places={FOR_MANAGING} />
    </>
  )
}

function Collections() {
  const kinds = ALONE.filter(mayCreate)
  const importFile = { label: 'Import…', icon: 'import', act: () => (importing.value = ANY_FILE) } as const
  const more = mayImport() ? [importFile] : []
  return (
    <>
      <div class="row between">
        <h2 class={`${css.heading} small`}>
          <a href={linkTo([])}>Collections</a>
        </h2>
        {kinds.length + more.length > 0 && (
          <NewMenu label="New" kinds={kinds} face={<Icon name="plus" size={16} />} more={more} />
        )}
      </div>
      <Show of={catalog.collection}>{(collections) => <CollectionTree collections={collections} />}</Show>
    </>
  )
}

function Places({ places }: { readonly places: readonly Place[] }) {
  const [here] = route.value.path
  const open = places.filter(({ who }) => isPlaceFor(who))
  if (open.length === 0) return null
  return (
    <ul class={`${css.places} still`}>
      {open.map(({ step, label, icon }) => (
        <li key={step}>
          <a
            class={`${css.place} pick row gap-5`}
            href={linkTo([step])}
            aria-current={here === step ? 'page' : undefined}
          >
            <Icon name={icon} />
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

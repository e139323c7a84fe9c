import { catalog } from '../app/catalog.js'
import { ANY_FILE, importing, mayImport } from '../app/importing.js'
import { mayCreate } from '../app/records.js'
import { linkTo, route } from '../app/route.js'
import { isAdmin } from '../app/session.js'
import { ALONE } from '../model/records.js'
import { Icon, type IconName, Show } from '../ui/kit.js'
import { CollectionTree } from './browse/CollectionTree.js'
import { NewMenu } from './editing/NewRecord.js'
import css from './shell.module.css'

interface Place {
  readonly step: string
  readonly label: string
  readonly icon: IconName
}

/** Where everybody can go. */
export const FOR_ALL: readonly Place[] = [
  { step: 'environments', label: 'Environments', icon: 'environment' },
  { step: 'snippets', label: 'Snippets', icon: 'snippet' },
  { step: 'live-servers', label: 'Live servers', icon: 'liveServer' },
  { step: 'live-pages', label: 'Live pages', icon: 'livePage' },
  { step: 'run-results', label: 'Run results', icon: 'check' },
  { step: 'deleted', label: 'Deleted', icon: 'deleted' }
]

/** Where administrators can go. */
export const FOR_ADMINS: readonly Place[] = [
  { step: 'people', label: 'People', icon: 'people' },
  { step: 'tokens', label: 'Tokens', icon: 'token' },
  { step: 'locks', label: 'Locks', icon: 'lock' },
  { step: 'audit', label: 'Audit', icon: 'audit' },
  { step: 'usage', label: 'Usage', icon: 'usage' },
  { step: 'webhooks', label: 'Webhooks', icon: 'live' },
  { step: 'health', label: 'Health', icon: 'health' }
]

/** Where one can go: the collections as a tree, and the other views below. */
export function Navigation() {
  const kinds = ALONE.filter(mayCreate)
  const importFile = { label: 'Import…', icon: 'import', act: () => (importing.value = ANY_FILE) } as const
  const more = mayImport() ? [importFile] : []
  return (
    <>
      <div class="row between">
        <h2 class={css.heading}>
          <a href={linkTo([])}>Collections</a>
        </h2>
        {kinds.length + more.length > 0 && (
          <NewMenu label="New" kinds={kinds} face={<Icon name="plus" size={16} />} more={more} />
        )}
      </div>
      <Show of={catalog.collection}>{(collections) => <CollectionTree collections={collections} />}</Show>
      <Places places={FOR_ALL} />
      {isAdmin.value && <Places places={FOR_ADMINS} />}
    </>
  )
}

function Places({ places }: { readonly places: readonly Place[] }) {
  const [here] = route.value.path
  return (
    <ul class={`${css.places} still`}>
      {places.map(({ step, label, icon }) => (
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

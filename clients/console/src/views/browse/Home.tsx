import type { VNode } from 'preact'
import { catalog, type Named } from '../../app/catalog.js'
import { ANY_FILE, importing, mayImport } from '../../app/importing.js'
import { mayCreate, mayEdit } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import { identity } from '../../app/session.js'
import { type AloneKind, KINDS, wordsFor } from '../../model/records.js'
import { Button, Icon, KIND_ICONS, Name, Page, Placeholder, Show } from '../../ui/kit.js'
import { EndingTokens } from '../account/EndingTokens.js'
import { NearBudgets } from '../account/NearBudgets.js'
import { NewButton } from '../editing/NewRecord.js'
import css from './browse.module.css'
import { Collections } from './Collections.js'
import { OwnAccount } from './OwnAccount.js'

/** Where everybody begins: the collections, and how to get on. */
export function Home() {
  return (
    <ListOf
      kind="collection"
      lead={`Signed in as ${identity().user.name}.`}
      action={
        mayImport() ? (
          <Button icon="import" onClick={() => (importing.value = ANY_FILE)}>
            Import
          </Button>
        ) : undefined
      }
      hint="Make one, or drop a file of Postman or another tool here to begin with what you have."
      notice={
        <>
          <EndingTokens />
          <NearBudgets />
        </>
      }
    />
  )
}

interface ListProps {
  readonly kind: AloneKind
  readonly lead?: string
  /** What else can be done with them. */
  readonly action?: VNode | undefined
  readonly hint?: string
  /** What stands above them. */
  readonly notice?: VNode
}

/** All records of a kind that stands by itself. Administrators make no collections: they are told who does. */
export function ListOf({ kind, lead, action, hint, notice }: ListProps) {
  const { label } = KINDS[kind]
  return (
    <Page
      title={`${label}s`}
      lead={lead}
      actions={
        <>
          {action}
          {mayCreate(kind) && <NewButton kind={kind} />}
        </>
      }
    >
      {notice}
      {mayEdit() && !mayCreate(kind) && (
        <p class="hint">
          You see the {wordsFor(kind)} that you were given. Who has access to all of them makes new ones: an
          administrator can give you that.
        </p>
      )}
      <Show of={catalog[kind]}>
        {(records) =>
          records.length > 0 ? (
            kind === 'collection' ? (
              <Collections collections={records} />
            ) : (
              <Names kind={kind} records={records} />
            )
          ) : kind === 'collection' && !mayEdit() ? (
            <OwnAccount />
          ) : (
            <Placeholder icon={KIND_ICONS[kind]} title={`No ${wordsFor(kind)} yet`}>
              <p>
                {(mayCreate(kind) && hint) || 'Once somebody makes one that you may see, it appears here by itself.'}
              </p>
            </Placeholder>
          )
        }
      </Show>
    </Page>
  )
}

function Names({ kind, records }: { readonly kind: AloneKind; readonly records: readonly Named[] }) {
  return (
    <ul class={`${css.list} stack gap-1`}>
      {records.map(({ id, name, isLocked }) => (
        <li key={id}>
          <a class={`${css.item} pick row gap-6`} href={linkTo([KINDS[kind].plural, id])}>
            <Icon name={KIND_ICONS[kind]} />
            <Name class="lines-3" of={name} />
            {isLocked && <Icon name="lock" size={14} />}
          </a>
        </li>
      ))}
    </ul>
  )
}

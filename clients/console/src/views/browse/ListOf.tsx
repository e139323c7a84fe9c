import { catalog } from '../../app/catalog.js'
import { mayEdit } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import { type AloneKind, KINDS, wordsFor } from '../../model/records.js'
import { Icon } from '../../ui/Icon.js'
import { Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
import { NewButton } from '../editing/NewButton.js'
import css from './ListOf.module.css'

/** All records of a kind that stands by itself. */
export function ListOf({ kind }: { readonly kind: Exclude<AloneKind, 'collection'> }) {
  const { plural, label } = KINDS[kind]
  return (
    <Page title={`${label}s`} actions={mayEdit() && <NewButton kind={kind} />}>
      <Show of={catalog[kind]}>
        {(records) =>
          records.length === 0 ? (
            <Placeholder icon={kind} title={`No ${wordsFor(kind)} yet`}>
              <p>Once somebody makes one that you may see, it appears here by itself.</p>
            </Placeholder>
          ) : (
            <ul class={css.list}>
              {records.map(({ id, name, isLocked }) => (
                <li key={id}>
                  <a class={css.item} href={linkTo([plural, id])}>
                    <Icon name={kind} />
                    <bdi>{name}</bdi>
                    {isLocked && <Icon name="lock" size={14} />}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  )
}

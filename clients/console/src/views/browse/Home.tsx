import { catalog } from '../../app/catalog.js'
import { importing } from '../../app/importing.js'
import { mayEdit } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import { identity } from '../../app/session.js'
import { Button } from '../../ui/Button.js'
import { Icon } from '../../ui/Icon.js'
import { Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
import { NewButton } from '../editing/NewButton.js'
import css from './ListOf.module.css'
import { OwnAccount } from './OwnAccount.js'

/** Where everybody begins: the collections, and how to get on. */
export function Home() {
  return (
    <Page
      title="Collections"
      lead={`Signed in as ${identity().user.name}.`}
      actions={
        mayEdit() && (
          <>
            <Button icon="import" onClick={() => (importing.value = { file: null, into: null })}>
              Import
            </Button>
            <NewButton kind="collection" />
          </>
        )
      }
    >
      <Show of={catalog.collection}>
        {(collections) =>
          collections.length === 0 && !mayEdit() ? (
            <OwnAccount />
          ) : collections.length === 0 ? (
            <Placeholder icon="hub" title="No collections yet">
              <p>Once somebody makes one that you may see, it appears here by itself.</p>
              <p>Drop a file of Postman or another tool here to begin with what you have.</p>
            </Placeholder>
          ) : (
            <ul class={css.list}>
              {collections.map(({ id, name, isLocked }) => (
                <li key={id}>
                  <a class={css.item} href={linkTo(['collections', id])}>
                    <Icon name="hub" />
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

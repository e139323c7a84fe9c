import { useState } from 'preact/hooks'
import { useReload } from '../../app/live.js'
import { useAct, useMoment } from '../../app/loaded.js'
import { type DeletedRecord, loadDeleted, undelete } from '../../app/records.js'
import { go, linkTo, linkWith, route } from '../../app/route.js'
import { isAdmin } from '../../app/session.js'
import { isBack, recordsCounted } from '../../model/importing.js'
import { kindTitle } from '../../model/logKinds.js'
import { count } from '../../model/numbers.js'
import { pathOf } from '../../model/records.js'
import { Button, Field, Icon, KIND_ICONS, Name, Notice, Page, Placeholder, Show, Time, toast } from '../../ui/kit.js'
import css from './past.module.css'

const FIRST = 100
const MOST = 1000
/** From so many on it is easier to type a name than to look for it. */
const MANY = 8

/** What is gone and can be brought back, the newest first. What goes meanwhile appears by itself. */
export function Deleted() {
  const [limit, setLimit] = useState(FIRST)
  const deleted = useMoment(loadDeleted, '', limit)
  useReload(deleted, ({ type }) => /(?:Deleted|Restored|Erased)$/.test(type))
  const wanted = route.value.query.get('name') ?? ''
  const lead = isAdmin.value
    ? 'What is gone and can be brought back.'
    : 'What you have deleted and can bring back. What others deleted, they or an administrator bring back.'
  return (
    <Page title="Deleted" lead={lead}>
      <Show of={deleted}>
        {(all) => {
          const shown = all.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
          if (all.length === 0)
            return (
              <Placeholder icon="deleted" title="Nothing is deleted">
                <p>What is deleted is kept, and can be brought back from here.</p>
              </Placeholder>
            )
          return (
            <>
              {(all.length > MANY || wanted !== '') && (
                <div class="narrow">
                  <Field
                    label="Find by name"
                    type="search"
                    value={wanted}
                    change={(name) => go(linkWith({ name }), { replace: true })}
                  />
                </div>
              )}
              {shown.length === 0 && <p>Nothing of that name is among the {count(all.length)} that are listed.</p>}
              <ul class={`${css.list} stack`} aria-label="Deleted">
                {shown.map((record) => (
                  <DeletedLine key={record.position} record={record} reload={deleted.reload} />
                ))}
              </ul>
              {all.length === limit && limit < MOST && <Button onClick={() => setLimit(MOST)}>Show older ones</Button>}
              {all.length === MOST && <p>Only the last {count(MOST)} are listed.</p>}
            </>
          )
        }}
      </Show>
    </Page>
  )
}

/** One thing that is gone: what it was, by whom and when, what went with it; and the way back. */
function DeletedLine({ record, reload }: { readonly record: DeletedRecord; readonly reload: () => Promise<void> }) {
  const { kind, name, collection, deletedAt, deletedBy, held } = record
  const { isBusy, failure, run } = useAct()
  const bringBack = () =>
    run(async () => {
      const restored = await undelete(record)
      const { id, collectionId } = record
      const path = pathOf({ kind, id, collectionId })
      toast(isBack(kind, name, restored), { label: 'Open', act: () => go(linkTo(path)) })
      await reload()
    })
  const also = recordsCounted({ folder: held.folders, request: held.requests, document: held.documents })
  return (
    <li class={`${css.line} stack ruled gap-6`}>
      <Icon name={KIND_ICONS[kind]} />
      <div class="stack gap-1">
        <p class="bold">
          <Name class="lines-3" of={name} />
        </p>
        <p class="hint">
          {kindTitle(kind)}
          {collection && (collection.name === null ? ' of a collection that is gone too' : ' in ')}
          {collection?.name && <Name of={collection.name} />}, deleted by <Name of={deletedBy.name ?? 'somebody'} />{' '}
          <Time at={deletedAt} />
          {also && `, with ${also}`}
        </p>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
      </div>
      <Button isBusy={isBusy} aria-label={`Undelete ${name}`} onClick={bringBack}>
        Undelete
      </Button>
    </li>
  )
}

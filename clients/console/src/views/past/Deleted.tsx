import { useState } from 'preact/hooks'
import { loadDeleted } from '../../app/deleted.js'
import { useLoadable } from '../../app/loaded.js'
import { go, linkWith, route } from '../../app/route.js'
import { isAdmin } from '../../app/session.js'
import { useReload } from '../../app/useReload.js'
import { count } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Field } from '../../ui/Field.js'
import { Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
import css from './Deleted.module.css'
import { DeletedLine } from './DeletedLine.js'

const FIRST = 100
const MOST = 1000
/** From so many on it is easier to type a name than to look for it. */
const MANY = 8

/** What is gone and can be brought back, the newest first. What goes meanwhile appears by itself. */
export function Deleted() {
  const [limit, setLimit] = useState(FIRST)
  const deleted = useLoadable((signal) => loadDeleted(limit, signal), [limit])
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
          if (all.length === 0) return <Nothing />
          return (
            <>
              {(all.length > MANY || wanted !== '') && (
                <div class={css.find}>
                  <Field
                    label="Find by name"
                    type="search"
                    value={wanted}
                    onInput={({ currentTarget }) => go(linkWith({ name: currentTarget.value }), { replace: true })}
                  />
                </div>
              )}
              {shown.length === 0 && <p>Nothing of that name is among the {count(all.length)} that are listed.</p>}
              <ul class={css.list} aria-label="Deleted">
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

function Nothing() {
  return (
    <Placeholder icon="deleted" title="Nothing is deleted">
      <p>What is deleted is kept, and can be brought back from here.</p>
    </Placeholder>
  )
}

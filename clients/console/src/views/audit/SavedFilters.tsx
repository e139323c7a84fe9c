import { useState } from 'preact/hooks'
import { linkTo } from '../../app/route.js'
import { forgetFilter, savedFilters, saveFilter } from '../../app/savedFilters.js'
import { type AuditFilter, filterKey } from '../../model/auditFilter.js'
import { isAll, nameIn, SAVED_MOST, SAVED_NAME_LENGTH } from '../../model/savedFilters.js'
import { Ask, Button, DialogButton, Field, Name } from '../../ui/kit.js'
import css from './audit.module.css'

/** The filters that somebody has named, each with the way to remove it, and the way to name the one that is set. */
export function SavedFilters({ filter }: { readonly filter: AuditFilter }) {
  const saved = savedFilters.value
  const key = filterKey(filter)
  const isSaved = saved.some((one) => filterKey(one.filter) === key)
  const maySave = !isSaved && !isAll(filter)
  if (saved.length === 0 && !maySave) return null
  return (
    <section class={`${css.group} ${css.saved} stack gap-2`}>
      {saved.length > 0 && (
        <>
          <h2 class="hint">Saved filters</h2>
          <ul>
            {saved.map((one) => (
              <li key={one.name} class="row gap-2">
                <a
                  class={`${css.value} pick row within clip small grow fit`}
                  href={linkTo(['audit'], one.filter)}
                  aria-current={filterKey(one.filter) === key ? 'true' : undefined}
                >
                  <Name class="cut fit grow" of={one.name} />
                </a>
                <Button
                  kind="quiet"
                  icon="close"
                  aria-label={`Remove the filter ${one.name}`}
                  onClick={() => forgetFilter(one.name)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {maySave && (
        <DialogButton icon="star" kind="quiet" dialog={(close) => <Naming filter={filter} close={close} />}>
          Save this filter…
        </DialogButton>
      )}
    </section>
  )
}

/** What a filter is to be called. */
function Naming({ filter, close }: { readonly filter: AuditFilter; readonly close: () => void }) {
  const [typed, setTyped] = useState('')
  const name = nameIn(typed)
  const isTaken = savedFilters.value.some((one) => one.name === name)
  const save = () => {
    saveFilter({ name, filter })
    close()
  }
  return (
    <Ask
      title="Save this filter"
      verb={isTaken ? 'Replace it' : 'Save'}
      disabled={name === ''}
      act={save}
      close={close}
    >
      <Field
        label="Name"
        value={typed}
        maxLength={SAVED_NAME_LENGTH}
        hint={
          isTaken
            ? 'There is a filter of this name: it becomes this one.'
            : 'This browser keeps it for your account, and nobody else sees it.'
        }
        change={setTyped}
      />
      {savedFilters.value.length >= SAVED_MOST && !isTaken && <p class="hint">The oldest of them goes for it.</p>}
    </Ask>
  )
}

import { useState } from 'preact/hooks'
import { catalog, type Named } from '../../app/catalog.js'
import { useReload } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { go, linkTo, linkWith, route } from '../../app/route.js'
import { loadSetBy } from '../../app/surroundings.js'
import { counted } from '../../model/numbers.js'
import { isReference } from '../../model/secrets.js'
import { type SetBy, sideBySide } from '../../model/sideBySide.js'
import { isSecretUrl } from '../../model/urlSecrets.js'
import type { Filled } from '../../model/variables.js'
import { Check, Name, Page, Placeholder, Secret, Show } from '../../ui/kit.js'
import css from './environments.module.css'

/** So many fit beside each other, and are shown where nobody has chosen. */
const MOST = 6
const FIRST = 3

/** What environments set, beside each other: which are compared stands in the address. */
export function SideBySide() {
  return (
    <Page title="Environments side by side" lead={<a href={linkTo(['environments'])}>All environments</a>}>
      <Show of={catalog.environment}>
        {(known) =>
          known.length < 2 ? (
            <Placeholder icon="environment" title="There is nothing to compare">
              <p>That takes two environments that you may see.</p>
            </Placeholder>
          ) : (
            <Compared known={known} />
          )
        }
      </Show>
    </Page>
  )
}

function Compared({ known }: { readonly known: readonly Named[] }) {
  const ids = chosenOf(known)
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const environments = useLoadable((signal) => Promise.all(ids.map((id) => loadSetBy(id, signal))), [ids.join()])
  useReload(environments, ({ kind }) => kind === 'environment')
  const turn = (id: string) => {
    const chosen = known.filter((one) => ids.includes(one.id) !== (one.id === id))
    go(linkWith({ of: chosen.map(({ id }) => id).join() || 'none' }), { replace: true })
  }
  return (
    <>
      <fieldset class="flex wrap gap-10">
        <legend class="visually-hidden">Compared</legend>
        {known.map(({ id, name }) => {
          const isIn = ids.includes(id)
          return isIn || ids.length < MOST ? (
            <Check key={id} label={<Name of={name} />} isOn={isIn} turn={() => turn(id)} />
          ) : null
        })}
      </fieldset>
      {known.length > ids.length && ids.length >= MOST && <p class="hint">{MOST} are shown at once.</p>}
      <Show of={environments}>
        {(list) => {
          const rows = sideBySide(list)
          const different = rows.filter(({ differs }) => differs)
          return (
            <>
              <Check
                label="Only what differs"
                about={`${different.length} of ${counted(rows.length, 'variable')}`}
                isOn={onlyDifferent}
                turn={setOnlyDifferent}
              />
              <Table environments={list} rows={onlyDifferent ? different : rows} />
            </>
          )
        }}
      </Show>
    </>
  )
}

/** Which are compared: those of the address that are there, else the first ones. */
function chosenOf(known: readonly Named[]): readonly string[] {
  const wanted = route.value.query.get('of')?.split(',')
  const named = wanted && known.filter(({ id }) => wanted.includes(id))
  return (named ?? known.slice(0, FIRST)).slice(0, MOST).map(({ id }) => id)
}

interface TableProps {
  readonly environments: readonly SetBy[]
  readonly rows: ReturnType<typeof sideBySide>
}

function Table({ environments, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <div class="scroll" tabIndex={0} role="region" aria-label="Variables">
      <table class={`${css.table} small`}>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            {environments.map(({ id, name }) => (
              <th key={id} scope="col">
                <a href={linkTo(['environments', id])}>
                  <Name of={name} />
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, differs }) => (
            <tr key={key} class={differs ? css.differs : ''}>
              <th scope="row">
                <Name of={key} />
              </th>
              {cells.map((cell, index) => (
                <td key={index}>
                  <Value cell={cell} own={environments[index]?.name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What an environment sets a variable to, and where it has that from. */
function Value({ cell, own }: { readonly cell: Filled | null; readonly own: string | undefined }) {
  if (!cell) return <span class="bad">not set</span>
  const { value, from, isSecret } = cell
  return (
    <>
      {value === '' ? (
        <span class="hint">empty</span>
      ) : (isSecret || isSecretUrl(value)) && !isReference(value) ? (
        <Secret value={value} />
      ) : (
        <Name of={value} />
      )}
      {from !== own && <span class="hint"> from {from}</span>}
    </>
  )
}

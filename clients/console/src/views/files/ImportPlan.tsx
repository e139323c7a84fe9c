import { fieldName } from '../../model/fieldNames.js'
import {
  CHANGE_WORDS,
  formatName,
  type ImportReport,
  type Note,
  type PlannedChange,
  placesOf,
  summaryOf
} from '../../model/importing.js'
import { counted } from '../../model/numbers.js'
import { Name } from '../../ui/kit.js'
import css from './files.module.css'

/** So many changes are listed: who reads more of them reads the collection. */
const LISTED_MOST = 300

/** What an import would do: in numbers, record by record, and what cannot be carried over. */
export function ImportPlan({ report }: { readonly report: ImportReport }) {
  const { brings, collection, changes, format, notes } = report
  const more = changes.length - LISTED_MOST
  return (
    <>
      <p role="status">
        Read as {formatName(format)}.{' '}
        {brings === 'environments' ? (
          'Environments'
        ) : (
          <>
            {collection.id === null ? 'A new collection' : 'Into the collection'}{' '}
            <strong>
              <Name of={collection.name} />
            </strong>
          </>
        )}
        : {summaryOf(report)}.
      </p>
      {changes.length > 0 && (
        <section class="stack gap-4">
          <h3>What changes</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
          <ul class={`${css.list} stack scroll gap-2`} tabIndex={0} aria-label="What changes">
            {changes.slice(0, LISTED_MOST).map((change) => (
              <ChangeLine key={`${change.kind} ${change.id}`} change={change} />
            ))}
            {more > 0 && <li>And {counted(more, 'more record')}.</li>}
          </ul>
        </section>
      )}
      <Notes title="What cannot be carried over" notes={notes} />
    </>
  )
}

const TONES: Readonly<Record<string, string>> = { create: 'good', delete: 'bad' }

function ChangeLine({ change }: { readonly change: PlannedChange }) {
  const { kind, name, path, fields, reason } = change
  return (
    <li class={`${css.change} stack gap-4`}>
      <span class={TONES[change.change] ?? 'soft'}>{CHANGE_WORDS[change.change]}</span>
      <span>
        <Name of={name} />{' '}
        <span class="soft">
          {kind}
          {path.length > 0 && (
            <>
              {' '}
              in <Name of={path.join(' / ')} />
            </>
          )}
          {fields && fields.length > 0 && `: ${fields.map(fieldName).join(', ')}`}
          {reason && `: ${reason}`}
        </span>
      </span>
    </li>
  )
}

/** What could not be carried over, each thing once, with where it was. */
export function Notes({ title, notes }: { readonly title: string; readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null
  return (
    <section class="stack gap-4">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <ul class={`${css.list} stack scroll gap-2`} tabIndex={0} aria-label={title}>
        {notes.map((note) => (
          <li key={note.what}>
            <span>{note.what}</span> <bdi class="soft">{placesOf(note)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { type Note, placesOf } from '../../model/importing.js'
import css from './files.module.css'

/** What could not be carried over, each thing once, with where it was. */
export function Notes({ title, notes }: { readonly title: string; readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null
  return (
    <section class={css.group}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <ul class={css.list} tabIndex={0} aria-label={title}>
        {notes.map((note) => (
          <li key={note.what}>
            <span>{note.what}</span> <bdi class={css.path}>{placesOf(note)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { ComponentChildren } from 'preact'
import css from './Section.module.css'

interface SectionProps {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a record with its heading. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section class={css.section}>
      <header class={css.head}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

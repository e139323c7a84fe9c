import type { ComponentChildren } from 'preact'
import { Icon } from '../ui/Icon.js'
import css from './Entrance.module.css'

/** A page for who is not signed in: one card, and nothing else. */
export function Entrance({
  title,
  lead,
  children
}: {
  readonly title: string
  readonly lead: string
  readonly children: ComponentChildren
}) {
  return (
    <main class={css.page}>
      <div class={css.card}>
        <span class={css.mark}>
          <Icon name="hub" size={28} />
        </span>
        <h1>{title}</h1>
        <p class={css.lead}>{lead}</p>
        {children}
      </div>
    </main>
  )
}

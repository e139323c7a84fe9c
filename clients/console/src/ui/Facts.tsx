import type { ComponentChildren } from 'preact'
import css from './Facts.module.css'

/** What is known of something, each thing behind its name. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class={css.facts}>{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

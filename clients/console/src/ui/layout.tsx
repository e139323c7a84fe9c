import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { hubName } from '../app/session.js'
import { Name } from './basics.js'
import css from './layout.module.css'

interface PageProps {
  readonly title: string
  readonly lead?: ComponentChildren
  /** What stands before the title. */
  readonly mark?: ComponentChildren
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  /** What stands above the title: where one is. */
  readonly above?: ComponentChildren
  readonly children: ComponentChildren
}

/** Longer titles may be cut off: the pointer shows them. */
const SHORT = 60

/** Calls the tab by what is open in it, and by the hub: as long as that is shown. */
export function useTabTitle(title: string): void {
  const hub = hubName.value
  useEffect(() => {
    document.title = `${title} · ${hub}`
    return () => {
      document.title = hub
    }
  }, [title, hub])
}

/** A view with its title, which is that of the tab as well. */
export function Page({ title, lead, mark, actions, above, children }: PageProps) {
  useTabTitle(title)
  return (
    <article class={`${css.page} stack fit gap-10`}>
      <header class="stack gap-2">
        {above}
        <div class={`${css.line} flex wrap gap-wide`}>
          {mark}
          <div class={css.title}>
            <h1 class="lines-3" title={title.length > SHORT ? title : undefined}>
              <Name of={title} />
            </h1>
            {lead && <p class="soft">{lead}</p>}
          </div>
          {actions && <div class="flex wrap gap-4">{actions}</div>}
        </div>
      </header>
      {children}
    </article>
  )
}

/** The way down to what is shown, each step a link. */
export function Trail({ steps }: { readonly steps: readonly { readonly name: string; readonly href: string }[] }) {
  return (
    <nav class={`${css.trail} flex wrap small`} aria-label="Where this is">
      {steps.map(({ name, href }) => (
        <a key={href} class="plain cut" href={href}>
          <Name of={name} />
        </a>
      ))}
    </nav>
  )
}

interface SectionProps {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a record with its heading. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section class="stack fit gap-4">
      <header class={`${css.head} flex hint gap-6`}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** What is known of something, each thing behind its name. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class={`${css.facts} stack`}>{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly label: string; readonly href: string; readonly isChosen: boolean }[]
}

/** Links of which one is chosen: what they lead to is in the address. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <ul class={`${css.tabs} flex wrap frame sunken`} aria-label={label}>
      {tabs.map(({ label, href, isChosen }) => (
        <li key={label}>
          <a href={href} aria-current={isChosen ? 'true' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

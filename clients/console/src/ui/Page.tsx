import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import css from './Page.module.css'

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

/** A view with its title, which is that of the tab as well. */
export function Page({ title, lead, mark, actions, above, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Collections Hub`
  }, [title])
  return (
    <article class={css.page}>
      <header class={css.head}>
        {above}
        <div class={css.line}>
          {mark}
          <div class={css.title}>
            <h1>
              <bdi>{title}</bdi>
            </h1>
            {lead && <p class={css.lead}>{lead}</p>}
          </div>
          {actions && <div class={css.actions}>{actions}</div>}
        </div>
      </header>
      {children}
    </article>
  )
}

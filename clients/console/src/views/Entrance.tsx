import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Offered, offeredProviders } from '../app/providers.js'
import { Check, Icon, useTabTitle } from '../ui/kit.js'
import css from './shell.module.css'

interface EntranceProps {
  readonly title: string
  readonly lead: string
  /** What the tab is called, where that is not the title. */
  readonly tab?: string
  readonly children: ComponentChildren
}

/** A page for who is not signed in: one card, and nothing else. */
export function Entrance({ title, lead, tab = title, children }: EntranceProps) {
  useTabTitle(tab)
  return (
    <main class={`${css.page} stack`}>
      <div class={`${css.card} stack gap-8`}>
        <span class={`${css.mark} center`}>
          <Icon name="hub" size={28} />
        </span>
        <h1>{title}</h1>
        <p class="soft">{lead}</p>
        {children}
      </div>
    </main>
  )
}

interface ForeignProps {
  readonly isForeign: boolean
  readonly change: (isForeign: boolean) => void
}

/** Whether the session is to be that of this tab alone. */
export function Foreign({ isForeign, change }: ForeignProps) {
  return (
    <Check
      label="This is not my computer"
      about="You stay signed in in this tab alone, until it is closed."
      isOn={isForeign}
      turn={change}
    />
  )
}

/** The ways to sign in that need no token, once they are known. */
export function useProviders(): readonly Offered[] {
  const [providers, setProviders] = useState<readonly Offered[]>([])
  useEffect(() => void offeredProviders().then(setProviders), [])
  return providers
}

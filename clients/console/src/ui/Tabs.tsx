import css from './Tabs.module.css'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly label: string; readonly href: string; readonly isChosen: boolean }[]
}

/** Links of which one is chosen: what they lead to is in the address. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <ul class={css.tabs} aria-label={label}>
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

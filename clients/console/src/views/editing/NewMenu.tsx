import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Container } from '../../app/creating.js'
import { KINDS, type Kind } from '../../model/records.js'
import { Icon, type IconName } from '../../ui/Icon.js'
import { KIND_ICONS } from '../../ui/kindIcons.js'
import { Menu } from '../../ui/Menu.js'
import css from './menus.module.css'
import { NewRecord } from './NewRecord.js'

interface NewMenuProps {
  readonly label: string
  readonly kinds: readonly Kind[]
  readonly container?: Container
  /** What is on the button: `New` where nothing is given. */
  readonly face?: ComponentChildren
  /** What else there is to begin with. */
  readonly more?: readonly { readonly label: string; readonly icon: IconName; readonly act: () => void }[]
}

/** A menu of what can be made here. */
export function NewMenu({ label, kinds, container, face, more = [] }: NewMenuProps) {
  const [kind, setKind] = useState<Kind | null>(null)
  const items = kinds.map((one) => ({ label: KINDS[one].label, icon: KIND_ICONS[one], act: () => setKind(one) }))
  return (
    <Fragment>
      <Menu
        label={label}
        face={
          face ?? (
            <span class={css.face}>
              <Icon name="plus" size={16} />
              New
            </span>
          )
        }
        items={[...items, ...more]}
      />
      {kind && <NewRecord kind={kind} container={container} close={() => setKind(null)} />}
    </Fragment>
  )
}

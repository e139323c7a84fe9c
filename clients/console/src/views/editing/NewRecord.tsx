import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { creating } from '../../app/creating.js'
import { failureOf } from '../../app/hub.js'
import { type Container, createRecord, NOWHERE } from '../../app/records.js'
import { goingOn, linkTo } from '../../app/route.js'
import { faultAt } from '../../model/faults.js'
import { KINDS, type Kind, pathOf, wordFor } from '../../model/records.js'
import { Ask, Button, buttonLook, Field, Icon, type IconName, KIND_ICONS, Menu } from '../../ui/kit.js'

/** A button that makes something that stands by itself. */
export function NewButton({ kind }: { readonly kind: Kind }) {
  return (
    <Button icon="plus" onClick={() => (creating.value = { kind })}>
      New {wordFor(kind)}
    </Button>
  )
}

/** What somebody is making, wherever they have begun it. */
export function Creating() {
  const wanted = creating.value
  return wanted && <NewRecord {...wanted} close={() => (creating.value = null)} />
}

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
  const items = kinds.map((kind) => ({
    ...{ label: KINDS[kind].label, icon: KIND_ICONS[kind] },
    act: () => (creating.value = { kind, container })
  }))
  return (
    <Menu
      label={label}
      face={
        face ?? (
          <span class={buttonLook({ children: 'New' })}>
            <Icon name="plus" size={16} />
            New
          </span>
        )
      }
      items={[...items, ...more]}
    />
  )
}

interface NewRecordProps {
  readonly kind: Kind
  readonly container?: Container | undefined
  readonly close: () => void
}

/** Making a record: its name first, then it opens to be filled in. */
function NewRecord({ kind, container = NOWHERE, close }: NewRecordProps) {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const make = async () => {
    const goOn = goingOn()
    try {
      const made = await createRecord(kind, name, container)
      close()
      // There is nothing more to fill in of a folder.
      goOn(linkTo(pathOf(made), { edit: kind === 'folder' ? null : 'yes' }))
    } catch (error) {
      const ofName = faultAt(failureOf(error).faults ?? [], 'name')
      if (ofName === undefined) throw error
      setFault(ofName)
    }
  }
  const change = (text: string) => {
    setName(text)
    setFault(undefined)
  }
  return (
    <Ask title={`New ${wordFor(kind)}`} verb="Make it" act={make} close={close}>
      <Field label="Name" value={name} fault={fault} autoComplete="off" change={change} />
    </Ask>
  )
}

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { creating } from '../../app/creating.js'
import { useAct } from '../../app/loaded.js'
import { type Container, createRecord, NOWHERE } from '../../app/records.js'
import { go, linkTo } from '../../app/route.js'
import { faultAt } from '../../model/faults.js'
import { KINDS, type Kind, pathOf, wordFor } from '../../model/records.js'
import { Button, Dialog, Field, Icon, type IconName, KIND_ICONS, Menu, Notice } from '../../ui/kit.js'
import css from './editing.module.css'

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
          <span class={`${css.face} bold`}>
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
  const { isBusy, failure, run } = useAct()
  const [isTold, setTold] = useState(true)
  const fault = isTold ? faultAt(failure?.faults ?? [], 'name') : undefined
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const what = wordFor(kind)
  const make = (event: Event) => {
    event.preventDefault()
    setTold(true)
    void run(async () => {
      const made = await createRecord(kind, name, container)
      close()
      // There is nothing more to fill in of a folder.
      go(linkTo(pathOf(made), { edit: kind === 'folder' ? null : 'yes' }))
    })
  }
  return (
    <Dialog
      title={`New ${what}`}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form="new-record" isBusy={isBusy}>
            Make it
          </Button>
        </>
      }
    >
      <form ref={form} id="new-record" onSubmit={make} noValidate>
        <Field
          label="Name"
          value={name}
          autoComplete="off"
          fault={fault}
          change={(text) => {
            setName(text)
            setTold(false)
          }}
        />
      </form>
      {failure && isTold && !fault && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Container, createRecord, NOWHERE } from '../../app/creating.js'
import { type Failure, failureOf } from '../../app/hub.js'
import { go, linkTo } from '../../app/route.js'
import { faultAt } from '../../model/faults.js'
import { type Kind, pathOf, wordFor } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Field } from '../../ui/Field.js'
import { Notice } from '../../ui/Notice.js'

interface NewRecordProps {
  readonly kind: Kind
  readonly container?: Container | undefined
  readonly close: () => void
}

/** Making a record: its name first, then it opens to be filled in. */
export function NewRecord({ kind, container = NOWHERE, close }: NewRecordProps) {
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const fault = faultAt(failure?.faults ?? [], 'name')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const what = wordFor(kind)
  const make = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const made = await createRecord(kind, name, container)
      close()
      // There is nothing more to fill in of a folder.
      go(linkTo(pathOf(made), { edit: kind === 'folder' ? null : 'yes' }))
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
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
          onInput={({ currentTarget }) => {
            setName(currentTarget.value)
            setFailure(undefined)
          }}
        />
      </form>
      {failure && !fault && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}

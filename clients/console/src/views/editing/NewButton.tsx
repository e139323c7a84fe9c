import { useState } from 'preact/hooks'
import { type Kind, wordFor } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { NewRecord } from './NewRecord.js'

/** A button that makes something that stands by itself. */
export function NewButton({ kind }: { readonly kind: Kind }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        New {wordFor(kind)}
      </Button>
      {isOpen && <NewRecord kind={kind} close={() => setOpen(false)} />}
    </>
  )
}

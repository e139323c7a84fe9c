import { useState } from 'preact/hooks'
import { loadRecord, renameRecord } from '../../app/records.js'
import type { RecordRef } from '../../model/records.js'
import { Ask, Field, toast } from '../../ui/kit.js'

interface RenameProps {
  readonly record: RecordRef
  /** What it is called now. */
  readonly name: string
  readonly close: () => void
}

/** Gives a record another name, and leaves all else of it as it is by then. */
export function RenameDialog({ record, name, close }: RenameProps) {
  const [typed, setTyped] = useState(name)
  const rename = async () => {
    await renameRecord(await loadRecord(record, new AbortController().signal), typed)
    close()
    toast(`“${name}” is “${typed.trim()}” now.`)
  }
  return (
    <Ask title={`Rename “${name}”`} verb="Rename" disabled={typed.trim() === ''} act={rename} close={close}>
      <Field
        label="Name"
        value={typed}
        autoComplete="off"
        onFocus={({ currentTarget }) => currentTarget.select()}
        change={setTyped}
      />
    </Ask>
  )
}

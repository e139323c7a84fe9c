import { type Fault, faultAt } from '../../model/faults.js'
import type { Part } from '../../model/forms.js'
import { Field } from '../../ui/Field.js'

interface NameProps {
  readonly form: { readonly name: string }
  readonly faults: readonly Fault[]
  readonly change: (part: Part) => void
}

/** What a record is called. */
export function NameField({ form, faults, change }: NameProps) {
  return (
    <Field
      label="Name"
      value={form.name}
      autoComplete="off"
      fault={faultAt(faults, 'name')}
      onInput={({ currentTarget }) => change({ name: currentTarget.value })}
    />
  )
}

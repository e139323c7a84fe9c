import { type Fault, faultAt } from '../../model/faults.js'
import type { KeyValue } from '../../model/forms.js'
import { isReference, isSecretName } from '../../model/secrets.js'
import type { Column } from '../../ui/RowFields.js'
import { Rows } from '../../ui/Rows.js'
import { Section } from '../../ui/Section.js'

interface PairsProps {
  readonly title: string
  readonly one: string
  readonly field: 'params' | 'headers' | 'runCommandEnv'
  readonly pairs: readonly KeyValue[]
  readonly faults: readonly Fault[]
  readonly change: (pairs: readonly KeyValue[]) => void
}

export const isSecretValue = ({ key, value }: { readonly key: string; readonly value: string }) =>
  isSecretName(key) && value !== '' && !isReference(value)

const COLUMNS: readonly Column<KeyValue>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue }
]
const FRESH: KeyValue = { key: '', value: '', enabled: true }

/** Names and values, each on or off. */
export function PairsEditor({ title, one, field, pairs, faults, change }: PairsProps) {
  return (
    <Section title={title}>
      <Rows
        {...{ label: title, one, columns: COLUMNS, rows: pairs, change, fresh: FRESH }}
        faultOf={(index) => faultAt(faults, `${field}.${index}`)}
      />
    </Section>
  )
}

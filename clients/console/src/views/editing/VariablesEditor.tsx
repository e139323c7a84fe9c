import { type Fault, faultAt } from '../../model/faults.js'
import type { Variable } from '../../model/forms.js'
import type { Column } from '../../ui/RowFields.js'
import { Rows } from '../../ui/Rows.js'
import { Section } from '../../ui/Section.js'
import { isSecretValue } from './PairsEditor.js'

const COLUMNS: readonly Column<Variable>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue },
  {
    name: 'defaultValue',
    label: 'Default',
    isSecret: ({ key, defaultValue }) => isSecretValue({ key, value: defaultValue })
  },
  { name: 'share', label: 'Share', isSwitch: true }
]
const FRESH: Variable = { key: '', value: '', defaultValue: '', share: false, enabled: true }

interface VariablesProps {
  readonly variables: readonly Variable[]
  readonly faults: readonly Fault[]
  readonly change: (variables: readonly Variable[]) => void
}

/** Variables: where a value is empty, the default holds. */
export function VariablesEditor({ variables, faults, change }: VariablesProps) {
  return (
    <Section title="Variables" aside="The default holds where the value is empty.">
      <Rows
        {...{ label: 'Variables', one: 'variable', columns: COLUMNS, rows: variables, change, fresh: FRESH }}
        faultOf={(index) => faultAt(faults, `variables.${index}`)}
      />
    </Section>
  )
}

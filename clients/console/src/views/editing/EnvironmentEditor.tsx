import { catalog } from '../../app/catalog.js'
import { faultAt } from '../../model/faults.js'
import { Select } from '../../ui/Select.js'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'
import { VariablesEditor } from './VariablesEditor.js'

/** The form of an environment. */
export function EnvironmentEditor({ id: ownId, form, faults, change }: EditorProps<'environment'>) {
  const all = catalog.environment.state.value
  const known = all.is === 'ready' ? all.value : []
  const others = known.filter(({ id }) => id !== ownId).map(({ id, name }) => ({ value: id, label: name }))
  const { parentUuid } = form
  const isHidden = parentUuid !== null && !others.some(({ value }) => value === parentUuid)
  const options = [
    { value: '', label: 'Nothing' },
    ...(isHidden ? [{ value: parentUuid, label: 'One that you may not see' }] : []),
    ...others
  ]
  return (
    <>
      <NameField {...{ form, faults, change }} />
      <Select
        label="Builds on"
        hint="Variables that are not here come from there."
        value={parentUuid ?? ''}
        options={options}
        fault={faultAt(faults, 'parentUuid')}
        change={(id) => change({ parentUuid: id === '' ? null : id })}
      />
      <VariablesEditor variables={form.variables} faults={faults} change={(variables) => change({ variables })} />
    </>
  )
}

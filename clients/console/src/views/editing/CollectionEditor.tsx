import { AuthEditor } from './AuthEditor.js'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'
import { PairsEditor } from './PairsEditor.js'
import { ScriptsEditor } from './ScriptsEditor.js'
import { VariablesEditor } from './VariablesEditor.js'

const SCRIPTS = { before: 'Before every request', after: 'After every response' }

/** The form of a collection: what all its requests share. */
export function CollectionEditor({ form, faults, change }: EditorProps<'collection'>) {
  return (
    <>
      <NameField {...{ form, faults, change }} />
      <VariablesEditor variables={form.variables} faults={faults} change={(variables) => change({ variables })} />
      <PairsEditor
        {...{ title: 'Headers of every request', one: 'header', field: 'headers', pairs: form.headers, faults }}
        change={(headers) => change({ headers })}
      />
      <AuthEditor auth={form.auth} faults={faults} change={(auth) => change({ auth })} />
      <ScriptsEditor {...{ form, faults, change, labels: SCRIPTS }} />
    </>
  )
}

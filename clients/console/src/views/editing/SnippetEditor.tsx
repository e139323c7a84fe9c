import { faultAt } from '../../model/faults.js'
import { Select } from '../../ui/Select.js'
import { TextArea } from '../../ui/TextArea.js'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'

const SCOPES = [
  { value: 'any', label: 'Before or after a request' },
  { value: 'pre-request', label: 'Before a request' },
  { value: 'post-request', label: 'After a response' }
] as const

/** The form of a snippet. */
export function SnippetEditor({ form, faults, change }: EditorProps<'snippet'>) {
  return (
    <>
      <NameField {...{ form, faults, change }} />
      <Select
        label="When it runs"
        value={form.scope}
        options={SCOPES}
        fault={faultAt(faults, 'scope')}
        change={(scope) => change({ scope })}
      />
      <TextArea
        label="Code"
        isCode
        rows={18}
        value={form.code}
        fault={faultAt(faults, 'code')}
        onInput={({ currentTarget }) => change({ code: currentTarget.value })}
      />
    </>
  )
}

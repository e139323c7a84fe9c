import { faultAt } from '../../model/faults.js'
import { METHODS } from '../../model/forms.js'
import { Field } from '../../ui/Field.js'
import { Section } from '../../ui/Section.js'
import { Select } from '../../ui/Select.js'
import { TextArea } from '../../ui/TextArea.js'
import { AuthEditor } from './AuthEditor.js'
import { BodyEditor } from './BodyEditor.js'
import css from './editing.module.css'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'
import { PairsEditor } from './PairsEditor.js'
import { ScriptsEditor } from './ScriptsEditor.js'

const METHOD_OPTIONS = METHODS.map((method) => ({ value: method, label: method }))
const SCRIPTS = { before: 'Before the request', after: 'After the response' }

/** The form of a request. */
export function RequestEditor({ form, faults, change }: EditorProps<'request'>) {
  return (
    <>
      <NameField {...{ form, faults, change }} />
      <div class={css.line}>
        <Select
          label="Method"
          value={form.method}
          options={METHOD_OPTIONS}
          fault={faultAt(faults, 'method')}
          change={(method) => change({ method })}
        />
        <Field
          label="URL"
          value={form.url}
          autoComplete="off"
          spellcheck={false}
          fault={faultAt(faults, 'url')}
          onInput={({ currentTarget }) => change({ url: currentTarget.value })}
        />
      </div>
      <PairsEditor
        {...{ title: 'Parameters', one: 'parameter', field: 'params', pairs: form.params, faults }}
        change={(params) => change({ params })}
      />
      <PairsEditor
        {...{ title: 'Headers', one: 'header', field: 'headers', pairs: form.headers, faults }}
        change={(headers) => change({ headers })}
      />
      <AuthEditor auth={form.auth} faults={faults} change={(auth) => change({ auth })} />
      <BodyEditor {...{ form, faults, change }} />
      <ScriptsEditor {...{ form, faults, change, labels: SCRIPTS }} />
      <Section title="Comment">
        <TextArea
          label="What others should know of it, in Markdown"
          value={form.comment}
          fault={faultAt(faults, 'comment')}
          onInput={({ currentTarget }) => change({ comment: currentTarget.value })}
        />
      </Section>
    </>
  )
}

import { faultAt } from '../../model/faults.js'
import { LABELS } from '../../model/forms.js'
import { Field } from '../../ui/Field.js'
import css from './editing.module.css'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'

const ADDRESSES = ['url', 'homeUrl'] as const

/** The form of a live page. Its scripts and the rest are the desktop's, and stay as they are. */
export function LivePageEditor({ form, faults, change }: EditorProps<'livePage'>) {
  return (
    <>
      <NameField {...{ form, faults, change }} />
      {ADDRESSES.map((field) => (
        <Field
          key={field}
          label={LABELS[field]}
          value={form[field]}
          spellcheck={false}
          fault={faultAt(faults, field)}
          onInput={({ currentTarget }) => change({ [field]: currentTarget.value })}
        />
      ))}
      <Field
        label={LABELS.userAgent}
        hint="Empty for that of the browser."
        value={form.userAgent}
        spellcheck={false}
        fault={faultAt(faults, 'userAgent')}
        onInput={({ currentTarget }) => change({ userAgent: currentTarget.value })}
      />
      <p class={css.remark}>
        Scripts, headers, variables and authorization are edited in the desktop, and stay as they are.
      </p>
    </>
  )
}

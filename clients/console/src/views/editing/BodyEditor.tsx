import { type Fault, faultAt } from '../../model/faults.js'
import { type FormRow, formBodyOf, formRowsOf } from '../../model/formBody.js'
import type { Fields, Part } from '../../model/forms.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import type { Column } from '../../ui/RowFields.js'
import { Rows } from '../../ui/Rows.js'
import { Section } from '../../ui/Section.js'
import { Select } from '../../ui/Select.js'
import { TextArea } from '../../ui/TextArea.js'
import { toast } from '../../ui/toasts.js'
import css from './editing.module.css'
import { isSecretValue } from './PairsEditor.js'

const TYPES = [
  { value: 'none', label: 'None' },
  { value: 'json', label: 'JSON' },
  { value: 'text', label: 'Text' },
  { value: 'urlencoded', label: 'Form (URL-encoded)' },
  { value: 'multipart', label: 'Form (multipart)' }
] as const

const COLUMNS: readonly Column<FormRow>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue }
]

interface BodyProps {
  readonly form: Pick<Fields, 'body' | 'bodyType'>
  readonly faults: readonly Fault[]
  readonly change: (part: Part) => void
}

/** What a request sends: a text, or the fields of a form. */
export function BodyEditor({ form: { body, bodyType }, faults, change }: BodyProps) {
  const isForm = bodyType === 'urlencoded' || bodyType === 'multipart'
  const rows = isForm ? formRowsOf(body) : null
  const fresh = { key: '', value: '', enabled: true, ...(bodyType === 'multipart' && { type: 'text', files: [] }) }
  return (
    <Section title="Body">
      <div class={css.columns}>
        <Select
          label="Type of body"
          value={bodyType}
          options={TYPES}
          fault={faultAt(faults, 'bodyType')}
          change={(chosen) => change({ bodyType: chosen })}
        />
        {bodyType === 'json' && (
          <Button kind="quiet" onClick={() => tidy(body, change)}>
            Tidy up
          </Button>
        )}
      </div>
      {isForm && rows && (
        <Rows
          {...{ label: 'Fields', one: 'field', columns: COLUMNS, rows, fresh }}
          change={(changed) => change({ body: formBodyOf(changed) })}
        />
      )}
      {isForm && !rows && (
        <Notice tone="note">
          This text is no list of fields, so it is shown as it is. Empty it to fill in a form instead.
        </Notice>
      )}
      {bodyType !== 'none' && !rows && (
        <TextArea
          label="Body"
          isCode
          value={body}
          fault={faultAt(faults, 'body')}
          onInput={({ currentTarget }) => change({ body: currentTarget.value })}
        />
      )}
    </Section>
  )
}

/** Indents JSON. One with references to variables in it may be none before they are filled in. */
function tidy(body: string, change: BodyProps['change']): void {
  try {
    change({ body: JSON.stringify(JSON.parse(body), null, 2) })
  } catch (error) {
    toast(error instanceof Error ? `This is not JSON yet: ${error.message}` : 'This is not JSON yet.')
  }
}

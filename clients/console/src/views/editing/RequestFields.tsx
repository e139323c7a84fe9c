import { useState } from 'preact/hooks'
import { type FormRow, faultAt, formBodyOf, formRowsOf } from '../../model/faults.js'
import { labelOf, METHODS, type Part } from '../../model/forms.js'
import { paramsFor, urlFor } from '../../model/query.js'
import { isReference, isSecretValue } from '../../model/secrets.js'
import { tidied } from '../../model/tidy.js'
import { CodeEditor } from '../../ui/CodeEditor.js'
import type { Flaw } from '../../ui/code/editor.js'
import { Button, Field, Notice, Section, Select } from '../../ui/kit.js'
import type { Column } from '../../ui/RowFields.js'
import { Rows } from '../../ui/Rows.js'
import { type ControlProps, choice, line, pairs } from './controls.js'
import css from './editing.module.css'

const AUTH_TYPES = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Basic: user and password' },
  { value: 'bearer', label: 'Bearer: a token' }
] as const

/** How a request says who asks. What was filled in for another type stays until it is saved otherwise. */
export function Auth({ form: { auth }, faults, change }: ControlProps) {
  if (!auth) return null
  const { type, basic, bearer } = auth
  const part = (label: string, value: string, isSecret: boolean, changed: (value: string) => Partial<typeof auth>) => (
    <div class={isSecret && value !== '' && !isReference(value) ? css.secret : ''}>
      <Field
        {...{ label, value }}
        isFilledIn
        autoComplete="off"
        spellcheck={false}
        change={(text) => change({ auth: { ...auth, ...changed(text) } })}
      />
    </div>
  )
  return (
    <Section title="Authorization">
      <div class={`${css.columns} filling flex wrap gap-6`}>
        <Select
          label="Type"
          value={type}
          options={AUTH_TYPES}
          fault={faultAt(faults, 'auth')}
          change={(chosen) => change({ auth: { ...auth, type: chosen } })}
        />
        {type === 'basic' && part('User', basic.username, false, (username) => ({ basic: { ...basic, username } }))}
        {type === 'basic' && part('Password', basic.password, true, (password) => ({ basic: { ...basic, password } }))}
        {type === 'bearer' && part('Token', bearer.token, true, (token) => ({ bearer: { token } }))}
      </div>
    </Section>
  )
}

const BodyType = choice('bodyType', [
  { value: 'none', label: 'None' },
  { value: 'json', label: 'JSON' },
  { value: 'text', label: 'Text' },
  { value: 'urlencoded', label: 'Form (URL-encoded)' },
  { value: 'multipart', label: 'Form (multipart)' }
])
const BODY_COLUMNS: readonly Column<FormRow>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue }
]

/** Where a text is no JSON; an empty one is none yet. */
function flawOf(body: string): Flaw | null {
  if (body.trim() === '') return null
  const found = tidied(body)
  return 'fault' in found ? found : null
}

/** What a request sends: a text, or the fields of a form. */
export function Body(props: ControlProps) {
  const { form, change } = props
  const { body = '', bodyType = 'none' } = form
  const isForm = bodyType === 'urlencoded' || bodyType === 'multipart'
  const rows = isForm ? formRowsOf(body) : null
  const fresh = { key: '', value: '', enabled: true, ...(bodyType === 'multipart' && { type: 'text', files: [] }) }
  const [flaw, setFlaw] = useState<(Flaw & { readonly body: string }) | null>(null)
  const shown = flaw?.body === body ? flaw : null
  const tidy = () => {
    const found = tidied(body)
    if ('text' in found) change({ body: found.text })
    else setFlaw({ ...found, body })
  }
  return (
    <Section title="Body">
      <div class={`${css.columns} filling flex wrap gap-6`}>
        <BodyType {...props} />
        {bodyType === 'json' && (
          <Button kind="quiet" onClick={tidy}>
            Tidy up
          </Button>
        )}
      </div>
      {rows && (
        <Rows
          {...{ label: 'Fields', one: 'field', columns: BODY_COLUMNS, rows, fresh }}
          change={(changed) => change({ body: formBodyOf(changed) })}
        />
      )}
      {isForm && !rows && (
        <Notice tone="note">
          This text is no list of fields, so it is shown as it is. Empty it to fill in a form instead.
        </Notice>
      )}
      {bodyType !== 'none' && !rows && (
        <CodeEditor
          label={labelOf('body')}
          language={bodyType === 'json' ? 'json' : 'text'}
          value={body}
          fault={shown?.fault ?? faultAt(props.faults, 'body')}
          typed={(text) => change({ body: text })}
          flawOf={bodyType === 'json' ? flawOf : undefined}
          selection={shown}
        />
      )}
    </Section>
  )
}

const [FIRST_METHOD, ...METHODS_LEFT] = METHODS.map((method) => ({ value: method, label: method }))
const MethodField = choice('method', [FIRST_METHOD ?? { value: 'GET', label: 'GET' }, ...METHODS_LEFT])
const UrlField = line('url', { hasPath: true })

/** The address; the parameters that stand in it are in step with their rows. */
export function Address(props: ControlProps) {
  const { form, change } = props
  const { url: before = '', params = [] } = form
  const withParams = (part: Part) =>
    change(part.url === undefined ? part : { ...part, params: paramsFor(params, before, part.url) })
  return (
    <div class={`${css.line} stack gap-6`}>
      <MethodField {...props} />
      <UrlField {...props} change={withParams} />
    </div>
  )
}

const ParamRows = pairs('params', 'parameter')

/** The parameters; those that are on stand in the address. */
export function Params(props: ControlProps) {
  const { form, change } = props
  const { url = '', params: before = [] } = form
  const withUrl = (part: Part) =>
    change(part.params === undefined ? part : { ...part, url: urlFor(url, before, part.params) })
  return <ParamRows {...props} change={withUrl} />
}

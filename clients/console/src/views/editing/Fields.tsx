import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { catalog } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { type Fault, type FormRow, faultAt, formBodyOf, formRowsOf } from '../../model/faults.js'
import {
  type Fields as AllFields,
  type Field as FieldName,
  type KeyValue,
  labelOf,
  METHODS,
  type Part,
  type Variable
} from '../../model/forms.js'
import type { Kind } from '../../model/records.js'
import { isReference, isSecretValue } from '../../model/secrets.js'
import { tidied } from '../../model/tidy.js'
import { Button, Field, Notice, Section, Select, TextArea, Tick } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'
import type { Column } from '../../ui/RowFields.js'
import { Rows } from '../../ui/Rows.js'
import css from './editing.module.css'

/** What a part of a form is given: what is filled in, how to change that, and what is wrong with it. */
interface ControlProps {
  readonly id: string
  readonly form: Part
  readonly faults: readonly Fault[]
  readonly change: (part: Part) => void
}
type Control = (props: ControlProps) => VNode | null

/** The fields of one type. */
type FieldOf<V> = { [F in FieldName]: AllFields[F] extends V ? (V extends AllFields[F] ? F : never) : never }[FieldName]

interface TextOptions {
  readonly label?: string
  readonly hint?: string
  readonly rows?: number
}

/** A line to type into. */
const line =
  (field: FieldOf<string>, { label = labelOf(field), hint }: TextOptions = {}): Control =>
  ({ form, faults, change }) => (
    <Field
      {...{ label, hint }}
      value={form[field] ?? ''}
      autoComplete="off"
      spellcheck={field === 'name'}
      fault={faultAt(faults, field)}
      onInput={({ currentTarget }) => change({ [field]: currentTarget.value })}
    />
  )

/** A text of several lines, as programs read it but for comments. */
const text =
  (field: FieldOf<string>, { label = labelOf(field), rows }: TextOptions = {}): Control =>
  ({ form, faults, change }) => (
    <TextArea
      label={label}
      isCode={field !== 'comment'}
      {...(rows !== undefined && { rows })}
      value={form[field] ?? ''}
      fault={faultAt(faults, field)}
      onInput={({ currentTarget }) => change({ [field]: currentTarget.value })}
    />
  )

const flag =
  (field: FieldOf<boolean>): Control =>
  ({ form, change }) => (
    <Tick
      type="checkbox"
      label={labelOf(field)}
      checked={form[field] ?? false}
      onChange={({ currentTarget }) => change({ [field]: currentTarget.checked })}
    />
  )

/** One of a few; the first is the usual one. */
const choice =
  <F extends 'method' | 'scope' | 'bodyType'>(
    field: F,
    options: readonly [Option<AllFields[F]>, ...Option<AllFields[F]>[]]
  ): Control =>
  ({ form, faults, change }) => (
    <Select<AllFields[F]>
      label={labelOf(field)}
      value={form[field] ?? options[0].value}
      options={options}
      fault={faultAt(faults, field)}
      change={(chosen) => change({ [field]: chosen })}
    />
  )
interface Option<V> {
  readonly value: V
  readonly label: string
}

const PAIR_COLUMNS: readonly Column<KeyValue>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue }
]

/** Names and values, each on or off. */
const pairs =
  (field: FieldOf<readonly KeyValue[]>, one: string, title: string = labelOf(field)): Control =>
  ({ form, faults, change }) => (
    <Section title={title}>
      <Rows
        {...{ label: title, one, columns: PAIR_COLUMNS, rows: form[field] ?? [] }}
        fresh={{ key: '', value: '', enabled: true }}
        change={(rows) => change({ [field]: rows })}
        faultOf={(index) => faultAt(faults, `${field}.${index}`)}
      />
    </Section>
  )

const VARIABLE_COLUMNS: readonly Column<Variable>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue },
  {
    name: 'defaultValue',
    label: 'Default',
    isSecret: ({ key, defaultValue }) => isSecretValue({ key, value: defaultValue })
  },
  { name: 'share', label: 'Share', isSwitch: true }
]

/** Variables: where a value is empty, the default holds. */
function Variables({ form, faults, change }: ControlProps) {
  return (
    <Section title="Variables" aside="The default holds where the value is empty.">
      <Rows
        {...{ label: 'Variables', one: 'variable', columns: VARIABLE_COLUMNS, rows: form.variables ?? [] }}
        fresh={{ key: '', value: '', defaultValue: '', share: false, enabled: true }}
        change={(variables) => change({ variables })}
        faultOf={(index) => faultAt(faults, `variables.${index}`)}
      />
    </Section>
  )
}

/** Some parts under a heading. */
const section =
  (title: string, ...parts: readonly Control[]): Control =>
  (props) => <Section title={title}>{drawn(parts, props)}</Section>

const drawn = (parts: readonly Control[], props: ControlProps) =>
  parts.map((Part, index) => <Part key={index} {...props} />)

const scripts = (before: string, after: string): Control =>
  section('Scripts', text('preRequestScript', { label: before }), text('postRequestScript', { label: after }))

const remark =
  (words: string): Control =>
  () => <p class="hint">{words}</p>

const AUTH_TYPES = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Basic: user and password' },
  { value: 'bearer', label: 'Bearer: a token' }
] as const

/** How a request says who asks. What was filled in for another type stays until it is saved otherwise. */
function Auth({ form: { auth }, faults, change }: ControlProps) {
  if (!auth) return null
  const { type, basic, bearer } = auth
  const part = (label: string, value: string, isSecret: boolean, changed: (value: string) => Partial<typeof auth>) => (
    <div class={isSecret && value !== '' && !isReference(value) ? css.secret : ''}>
      <Field
        {...{ label, value }}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => change({ auth: { ...auth, ...changed(currentTarget.value) } })}
      />
    </div>
  )
  return (
    <Section title="Authorization">
      <div class={`${css.columns} flex wrap gap-6`}>
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
const BodyText = text('body')
const BODY_COLUMNS: readonly Column<FormRow>[] = [
  { name: 'key', label: 'Name' },
  { name: 'value', label: 'Value', isSecret: isSecretValue }
]

/** What a request sends: a text, or the fields of a form. */
function Body(props: ControlProps) {
  const { form, change } = props
  const { body = '', bodyType = 'none' } = form
  const isForm = bodyType === 'urlencoded' || bodyType === 'multipart'
  const rows = isForm ? formRowsOf(body) : null
  const fresh = { key: '', value: '', enabled: true, ...(bodyType === 'multipart' && { type: 'text', files: [] }) }
  const [wrong, setWrong] = useState({ body: '', message: '' })
  const faults = wrong.message !== '' && wrong.body === body ? [{ path: 'body', ...wrong }] : props.faults
  const place = useRef<HTMLDivElement>(null)
  const tidy = () => {
    const found = tidied(body)
    if ('text' in found) return change({ body: found.text })
    setWrong({ body, message: found.fault })
    const area = place.current?.querySelector('textarea')
    area?.focus()
    area?.setSelectionRange(found.from, found.to)
  }
  return (
    <Section title="Body">
      <div class={`${css.columns} flex wrap gap-6`}>
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
        <div ref={place}>
          <BodyText {...props} faults={faults} />
        </div>
      )}
    </Section>
  )
}

/** The environment that this one builds on; itself is not offered. */
function BuildsOn({ id: own, form: { parentUuid = null }, faults, change }: ControlProps) {
  const others = knownOf(catalog.environment)?.filter(({ id }) => id !== own) ?? []
  const isHidden = parentUuid !== null && !others.some(({ id }) => id === parentUuid)
  return (
    <Select
      label={labelOf('parentUuid')}
      hint="Variables that are not here come from there."
      value={parentUuid ?? ''}
      options={[
        { value: '', label: 'Nothing' },
        ...(isHidden ? [{ value: parentUuid, label: 'One that you may not see' }] : []),
        ...others.map(({ id, name }) => ({ value: id, label: name }))
      ]}
      fault={faultAt(faults, 'parentUuid')}
      change={(chosen) => change({ parentUuid: chosen === '' ? null : chosen })}
    />
  )
}

const RENDERING_MS = 150
const DocumentText = text('content', { label: 'Text, in Markdown', rows: 24 })

/** The text of a document, and beside it what becomes of that. */
function Content(props: ControlProps) {
  const { content = '' } = props.form
  const [rendered, setRendered] = useState(content)
  useEffect(() => {
    const timer = setTimeout(() => setRendered(content), RENDERING_MS)
    return () => clearTimeout(timer)
  }, [content])
  return (
    <div class={`${css.both} stack gap-12`}>
      <DocumentText {...props} />
      <section class="stack fit gap-4" aria-label="Preview">
        <h2>Preview</h2>
        <Markdown text={rendered} />
      </section>
    </div>
  )
}

function Port({ form: { port }, faults, change }: ControlProps) {
  return (
    <Field
      label={labelOf('port')}
      hint="Empty for any that is free."
      type="number"
      min={1}
      max={65535}
      value={port ?? ''}
      fault={faultAt(faults, 'port')}
      onInput={({ currentTarget: { valueAsNumber } }) =>
        change({ port: Number.isNaN(valueAsNumber) ? null : valueAsNumber })
      }
    />
  )
}

const [FIRST_METHOD, ...METHODS_LEFT] = METHODS.map((method) => ({ value: method, label: method }))
const MethodField = choice('method', [FIRST_METHOD ?? { value: 'GET', label: 'GET' }, ...METHODS_LEFT])
const UrlField = line('url')

function Address(props: ControlProps) {
  return (
    <div class={`${css.line} stack gap-6`}>
      <MethodField {...props} />
      <UrlField {...props} />
    </div>
  )
}

const Name = line('name')

/** What is filled in of each kind, in the order in which it is shown. */
const FORMS: Readonly<Record<Kind, readonly Control[]>> = {
  collection: [
    ...[Name, Variables, pairs('headers', 'header', 'Headers of every request'), Auth],
    scripts('Before every request', 'After every response')
  ],
  folder: [Name],
  request: [
    ...[Name, Address, pairs('params', 'parameter'), pairs('headers', 'header'), Auth, Body],
    scripts('Before the request', 'After the response'),
    section('Comment', text('comment', { label: 'What others should know of it, in Markdown' }))
  ],
  document: [Name, Content],
  environment: [Name, BuildsOn, Variables],
  snippet: [
    Name,
    choice('scope', [
      { value: 'any', label: 'Before or after a request' },
      { value: 'pre-request', label: 'Before a request' },
      { value: 'post-request', label: 'After a response' }
    ]),
    text('code', { rows: 18 })
  ],
  liveServer: [
    ...[Name, line('root', { hint: 'What it serves, on the machine that runs it.' }), line('host'), Port],
    ...[line('openPath'), flag('openPathOnStartup'), flag('watch')],
    ...[text('runCommand', { rows: 2 }), flag('runCommandEnabled'), flag('restartOnCrash')],
    pairs('runCommandEnv', 'variable'),
    line('urlVariable', { hint: 'Gets the address when the server starts.' }),
    remark('Headers, routes, proxies and whatever else it has are edited in the desktop, and stay as they are.')
  ],
  livePage: [
    ...[Name, UrlField, line('homeUrl'), line('userAgent', { hint: 'Empty for that of the browser.' })],
    remark('Scripts, headers, variables and authorization are edited in the desktop, and stay as they are.')
  ]
}

/** The fields of a record of any kind. */
export const Fields = ({ kind, ...props }: ControlProps & { readonly kind: Kind }) => <>{drawn(FORMS[kind], props)}</>

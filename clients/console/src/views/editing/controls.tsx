import type { VNode } from 'preact'
import { type Fault, faultAt } from '../../model/faults.js'
import {
  type Fields as AllFields,
  type Field as FieldName,
  type KeyValue,
  labelOf,
  type Part,
  type Variable
} from '../../model/forms.js'
import { isSecretValue } from '../../model/secrets.js'
import { isHidden } from '../../model/variables.js'
import { CodeEditor } from '../../ui/CodeEditor.js'
import type { Language } from '../../ui/code/editor.js'
import { Check, Field, Section, Select, TextArea } from '../../ui/kit.js'
import type { Column } from '../../ui/RowFields.js'
import { Rows } from '../../ui/Rows.js'

/** What a part of a form is given: what is filled in, how to change that, and what is wrong with it. */
export interface ControlProps {
  readonly id: string
  readonly form: Part
  readonly faults: readonly Fault[]
  readonly change: (part: Part) => void
}
export type Control = (props: ControlProps) => VNode | null

/** The fields of one type. */
type FieldOf<V> = { [F in FieldName]: AllFields[F] extends V ? (V extends AllFields[F] ? F : never) : never }[FieldName]

interface TextOptions {
  readonly label?: string
  readonly hint?: string
  readonly rows?: number
  /** Whether it is a URL that is sent, in whose path variables may stand. */
  readonly hasPath?: true
}

/** A line to type into. */
export const line =
  (field: FieldOf<string>, { label = labelOf(field), hint, hasPath }: TextOptions = {}): Control =>
  ({ form, faults, change }) => (
    <Field
      {...{ label, hint }}
      data-path={hasPath}
      isFilledIn={hasPath}
      value={form[field] ?? ''}
      autoComplete="off"
      spellcheck={field === 'name'}
      fault={faultAt(faults, field)}
      change={(text) => change({ [field]: text })}
    />
  )

/** A text of several lines. */
export const text =
  (field: FieldOf<string>, { label = labelOf(field), rows }: TextOptions = {}): Control =>
  ({ form, faults, change }) => (
    <TextArea
      label={label}
      isCode={field !== 'comment'}
      {...(rows !== undefined && { rows })}
      value={form[field] ?? ''}
      fault={faultAt(faults, field)}
      change={(text) => change({ [field]: text })}
    />
  )

/** A text in a language. */
export const code =
  (field: FieldOf<string>, language: Language, label: string = labelOf(field)): Control =>
  ({ form, faults, change }) => (
    <CodeEditor
      {...{ label, language }}
      value={form[field] ?? ''}
      fault={faultAt(faults, field)}
      typed={(text) => change({ [field]: text })}
    />
  )

export const flag =
  (field: FieldOf<boolean>): Control =>
  ({ form, change }) => (
    <Check label={labelOf(field)} isOn={form[field] ?? false} turn={(isOn) => change({ [field]: isOn })} />
  )

/** One of a few; the first is the usual one. */
export const choice =
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
export const pairs =
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
  { name: 'value', label: 'Value', isSecret: (row) => isHidden(row, 'value') },
  { name: 'defaultValue', label: 'Default', isSecret: (row) => isHidden(row, 'defaultValue') },
  { name: 'share', label: 'Share', isSwitch: true }
]

/** Variables: where a value is empty, the default holds. */
export function Variables({ form, faults, change }: ControlProps) {
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
export const section =
  (title: string, ...parts: readonly Control[]): Control =>
  (props) => <Section title={title}>{drawn(parts, props)}</Section>

export const drawn = (parts: readonly Control[], props: ControlProps) =>
  parts.map((Part, index) => <Part key={index} {...props} />)

export const scripts = (before: string, after: string): Control =>
  section('Scripts', code('preRequestScript', 'javascript', before), code('postRequestScript', 'javascript', after))

export const remark =
  (words: string): Control =>
  () => <p class="hint">{words}</p>

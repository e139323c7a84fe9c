import type { ComponentChildren, InputHTMLAttributes, TargetedEvent, TextareaHTMLAttributes, VNode } from 'preact'
import { useId } from 'preact/hooks'
import { withMarks } from '../model/marks.js'
import css from './fields.module.css'
import { useUnset } from './Referring.js'

export interface Frame {
  readonly label: string
  readonly hint?: ComponentChildren
  /** What the hub, or the console, says is wrong with it. */
  readonly fault?: string | undefined
}

interface FramedProps extends Frame {
  /** What a click on the name does, where the browser gives the focus to nothing by itself. */
  readonly clickName?: () => void
  readonly children: (named: Named) => VNode
}

interface Named {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

/** What surrounds something to fill in: its name, what helps with it, and what is wrong with it. */
export function Framed({ label, hint, fault, clickName, children }: FramedProps) {
  const id = useId()
  const about = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined
  return (
    <div class="stack gap-2">
      {clickName ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard what it names is reached itself
        // biome-ignore lint/a11y/noStaticElementInteractions: it does what a label does
        <span class="bold" onClick={clickName}>
          {label}
        </span>
      ) : (
        <label class="bold" for={id}>
          {label}
        </label>
      )}
      {children({ id, 'aria-invalid': fault !== undefined, 'aria-describedby': about })}
      {fault ? (
        <p id={`${id}-fault`} class="fault" role="alert">
          {fault}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} class="hint">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** What is told of each text that is typed. */
interface Typed {
  readonly change?: (text: string) => void
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> &
  Frame &
  Typed & {
    /** Whether variables are filled in where it is sent: what refers to none that is set says so. */
    readonly isFilledIn?: boolean | undefined
  }

/** A line to type into, with its name, what helps to fill it in, and what is wrong with it. */
export function Field({ label, hint, fault, isFilledIn = false, change, ...rest }: FieldProps) {
  const unset = useUnset(isFilledIn && typeof rest.value === 'string' ? [rest.value] : [])
  return (
    <Framed label={label} hint={unset ?? hint} fault={fault}>
      {(named) => (
        <input {...named} class={css.input} onInput={({ currentTarget }) => change?.(currentTarget.value)} {...rest} />
      )}
    </Framed>
  )
}

interface NameFieldProps {
  readonly value: string
  readonly fault: string | undefined
  readonly change: (name: string) => void
}

/** The name of an account, a group or a budget. */
export function NameField({ value, fault, change }: NameFieldProps) {
  return <Field label="Name" value={value} fault={fault} autoComplete="off" change={change} />
}

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> &
  Frame &
  Typed & {
    /** Whether programs read it. */
    readonly isCode?: boolean
    readonly value: string
  }

const ROWS_LEAST = 3
const ROWS_MOST = 28

/** A text to type, as high as it needs until it scrolls. */
export function TextArea({ label, hint, fault, isCode, value, change, ...rest }: TextAreaProps) {
  return (
    <Framed label={label} hint={hint} fault={fault}>
      {(named) => (
        <textarea
          {...named}
          class={`${css.input} ${css.text} ${isCode ? css.code : ''}`}
          rows={rowsOf(value)}
          spellcheck={!isCode}
          value={value}
          onInput={({ currentTarget }) => change?.(currentTarget.value)}
          {...rest}
        />
      )}
    </Framed>
  )
}

function rowsOf(text: string): number {
  let rows = 1
  for (let at = text.indexOf('\n'); at >= 0 && rows < ROWS_MOST; at = text.indexOf('\n', at + 1)) rows++
  return Math.max(rows, ROWS_LEAST)
}

interface SelectProps<V extends string> extends Frame {
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly change: (value: V) => void
  readonly disabled?: boolean
}

/** A choice of one of a few. */
export function Select<V extends string>({ label, hint, fault, value, options, change, disabled }: SelectProps<V>) {
  return (
    <Framed label={label} hint={hint} fault={fault}>
      {(named) => (
        <select
          {...named}
          class={css.input}
          value={value}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const chosen = options[currentTarget.selectedIndex]
            if (chosen) change(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {withMarks(option.label)}
            </option>
          ))}
        </select>
      )}
    </Framed>
  )
}

interface TickProps {
  readonly type: 'checkbox' | 'radio'
  readonly label: ComponentChildren
  /** What helps to decide, behind it. */
  readonly about?: string | undefined
  /** Joins those of which one can be picked. */
  readonly name?: string
  readonly checked: boolean
  readonly onChange: (event: TargetedEvent<HTMLInputElement>) => void
}

/** Something to tick, or one of a few to pick, with its name beside it. */
export function Tick({ label, about, ...input }: TickProps) {
  return (
    <label class={`${css.tick} flex gap-4`}>
      <input {...input} />
      <span>
        {label}
        {about !== undefined && <span class="hint"> {about}</span>}
      </span>
    </label>
  )
}

interface CheckProps extends Pick<TickProps, 'label' | 'about'> {
  readonly isOn: boolean
  readonly turn: (isOn: boolean) => void
}

/** Something to tick. */
export const Check = ({ isOn, turn, ...about }: CheckProps) => (
  <Tick type="checkbox" {...about} checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
)

interface RadiosProps<V> {
  readonly legend: string
  /** Each with what it is called, and what helps to decide. */
  readonly options: readonly (readonly [value: V, label: string, about?: string])[]
  readonly value: V
  readonly change: (value: V) => void
  /** What stands below them. */
  readonly children?: ComponentChildren
}

/** A choice of one of a few, all of which are to be seen. */
export function Radios<V>({ legend, options, value, change, children }: RadiosProps<V>) {
  const radio = { type: 'radio', name: useId() } as const
  return (
    <fieldset class="stack gap-2">
      <legend>{legend}</legend>
      {options.map(([one, label, about]) => (
        <Tick key={label} {...{ ...radio, label, about }} checked={one === value} onChange={() => change(one)} />
      ))}
      {children}
    </fieldset>
  )
}

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly isBusy?: boolean
  readonly turn: () => void
}

/** Something that is on or off, and takes effect at once. */
export function Switch({ label, isOn, isBusy, turn }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={isBusy}
      class={`${css.switch} still sunken`}
      onClick={() => isBusy || turn()}
    >
      <span class={css.knob} />
    </button>
  )
}

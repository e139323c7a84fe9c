import type { InputHTMLAttributes } from 'preact'
import css from './Field.module.css'
import { type Frame, Framed } from './Framed.js'

type FieldProps = InputHTMLAttributes<HTMLInputElement> & Frame

/** A line to type into, with its name, what helps to fill it in, and what is wrong with it. */
export function Field({ label, hint, fault, ...rest }: FieldProps) {
  return (
    <Framed label={label} hint={hint} fault={fault}>
      {(named) => <input {...named} class={css.input} {...rest} />}
    </Framed>
  )
}

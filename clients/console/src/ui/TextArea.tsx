import type { TextareaHTMLAttributes } from 'preact'
import css from './Field.module.css'
import { type Frame, Framed } from './Framed.js'

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> &
  Frame & {
    /** Whether programs read it. */
    readonly isCode?: boolean
    readonly value: string
  }

const ROWS_LEAST = 3
const ROWS_MOST = 28

/** A text to type, as high as it needs until it scrolls. */
export function TextArea({ label, hint, fault, isCode, value, ...rest }: TextAreaProps) {
  return (
    <Framed label={label} hint={hint} fault={fault}>
      {(named) => (
        <textarea
          {...named}
          class={`${css.input} ${css.text} ${isCode ? css.code : ''}`}
          rows={rowsOf(value)}
          spellcheck={!isCode}
          value={value}
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

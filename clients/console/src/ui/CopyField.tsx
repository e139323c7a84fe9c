import { useId, useRef, useState } from 'preact/hooks'
import { Button } from './basics.js'
import css from './CopyField.module.css'
import { copyText } from './copyText.js'

/** What is said where a text could only be selected. */
export const SELECTED = 'It is selected: copy it with your keyboard.'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  /** Told when it was copied. */
  readonly onCopy?: () => void
}

/** A text to take away, with the way to do so. Where the browser does not copy it, it is selected instead. */
export function CopyField({ label, value, onCopy }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [said, setSaid] = useState('')
  const copy = async () => {
    if (await copyText(value)) {
      setSaid('Copied.')
      onCopy?.()
      return
    }
    field.current?.focus()
    field.current?.select()
    setSaid(SELECTED)
  }
  return (
    <div class="stack fit gap-2">
      <label class="bold" for={id}>
        {label}
      </label>
      <div class="flex gap-4">
        <input
          ref={field}
          id={id}
          class={`${css.value} fit grow sunken`}
          readOnly
          spellcheck={false}
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onCopy={onCopy}
        />
        <Button icon="copy" onClick={copy} aria-label={`Copy: ${label}`}>
          Copy
        </Button>
      </div>
      <p class="if-any hint" role="status">
        {said}
      </p>
    </div>
  )
}

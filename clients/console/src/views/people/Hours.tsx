import { Field } from '../../ui/Field.js'

const FAULT = 'This must be a whole number of hours, from 1 on, or empty.'
/** A thousand years, beyond which nobody means it. */
const HOURS_DIGITS = /^[1-9]\d{0,6}$/

/** What is wrong with the hours that somebody has typed; undefined where nothing is. */
export const hoursFault = (typed: string): string | undefined =>
  typed.trim() === '' || HOURS_DIGITS.test(typed.trim()) ? undefined : FAULT

/** How long an invitation lasts, as the hub is told; nothing where the hub's own setting counts. */
export const hoursOf = (typed: string): { readonly expiresInHours?: number } =>
  typed.trim() === '' ? {} : { expiresInHours: Number(typed.trim()) }

/** How many hours an invitation is good for. */
export function Hours({ typed, type }: { readonly typed: string; readonly type: (typed: string) => void }) {
  return (
    <Field
      label="Good for how many hours"
      inputMode="numeric"
      value={typed}
      fault={hoursFault(typed)}
      hint="Empty for what the hub is set to, which is 24 unless somebody has changed it."
      onInput={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

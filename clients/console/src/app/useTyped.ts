import { useState } from 'preact/hooks'
import { formPlace } from './drafts.js'

/** What is typed into a form: a reload, or a session that ends, loses nothing of it. */
interface Typed<T> {
  readonly typed: T
  readonly type: (by: Partial<T>) => void
  /** Forgets it: it is saved, or nobody wants it any more. */
  readonly forget: () => void
}

/** Begins with what was typed into the form of this name and not saved, else with `initial`; `isForm` knows the former. */
export function useTyped<T extends object>(
  form: string,
  initial: () => T,
  isForm: (value: unknown) => value is T
): Typed<T> {
  const place = formPlace(form, isForm)
  const [typed, setTyped] = useState(() => place.read() ?? initial())
  return {
    typed,
    type: (by) =>
      setTyped((before) => {
        const after = { ...before, ...by }
        place.keep(after)
        return after
      }),
    forget: () => place.drop()
  }
}

import type { Fault } from '../../model/faults.js'
import type { Form, Part } from '../../model/forms.js'
import type { Kind } from '../../model/records.js'

/** What the form of a kind is given: what is in it, how to change that, and what is wrong with it. */
export interface EditorProps<K extends Kind> {
  readonly id: string
  readonly form: Form<K>
  readonly faults: readonly Fault[]
  readonly change: (part: Part) => void
}

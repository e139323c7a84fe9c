import { type Fault, faultAt } from '../../model/faults.js'
import type { Part } from '../../model/forms.js'
import { Section } from '../../ui/Section.js'
import { TextArea } from '../../ui/TextArea.js'

interface ScriptsProps {
  readonly form: { readonly preRequestScript: string; readonly postRequestScript: string }
  readonly labels: { readonly before: string; readonly after: string }
  readonly faults: readonly Fault[]
  readonly change: (part: Part) => void
}

/** What runs before a request and after its response. */
export function ScriptsEditor({ form, labels, faults, change }: ScriptsProps) {
  return (
    <Section title="Scripts">
      <TextArea
        label={labels.before}
        isCode
        value={form.preRequestScript}
        fault={faultAt(faults, 'preRequestScript')}
        onInput={({ currentTarget }) => change({ preRequestScript: currentTarget.value })}
      />
      <TextArea
        label={labels.after}
        isCode
        value={form.postRequestScript}
        fault={faultAt(faults, 'postRequestScript')}
        onInput={({ currentTarget }) => change({ postRequestScript: currentTarget.value })}
      />
    </Section>
  )
}

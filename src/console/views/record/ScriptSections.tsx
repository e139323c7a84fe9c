import { scriptsIn } from '../../model/live.js'
import { Code } from '../../ui/Code.js'
import { Section } from '../../ui/Section.js'

interface ScriptsProps {
  /** As clients keep them. */
  readonly scripts: readonly unknown[]
  /** What they are for, or when they run. */
  readonly title: string
}

/** Scripts below each other; nothing where there are none. */
export function ScriptSections({ scripts, title }: ScriptsProps) {
  return (
    <>
      {scriptsIn(scripts).map(({ name, when, isOn, source }, index) => (
        <Section key={index} title={`${title}: ${name}`} aside={[when, isOn ? '' : 'off'].filter(Boolean).join(', ')}>
          <Code label={name} text={source} language="javascript" />
        </Section>
      ))}
    </>
  )
}

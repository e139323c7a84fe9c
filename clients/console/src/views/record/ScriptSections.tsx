import { useState } from 'preact/hooks'
import { scriptsIn } from '../../model/live.js'
import { counted } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Code } from '../../ui/Code.js'
import { Section } from '../../ui/Section.js'

interface ScriptsProps {
  /** As clients keep them. */
  readonly scripts: readonly unknown[]
  /** What they are for, or when they run. */
  readonly title: string
}

/** So many stand there at a time. */
const AT_ONCE = 30

/** Scripts below each other; nothing where there are none. */
export function ScriptSections({ scripts, title }: ScriptsProps) {
  const [shown, setShown] = useState(AT_ONCE)
  const left = scripts.length - shown
  return (
    <>
      {scriptsIn(scripts.slice(0, shown)).map(({ name, when, isOn, source }, index) => (
        <Section key={index} title={`${title}: ${name}`} aside={[when, isOn ? '' : 'off'].filter(Boolean).join(', ')}>
          <Code label={name} text={source} language="javascript" />
        </Section>
      ))}
      {left > 0 && (
        <div>
          <Button onClick={() => setShown(shown + AT_ONCE)}>{counted(left, 'more script')}</Button>
        </div>
      )}
    </>
  )
}

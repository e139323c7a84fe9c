import { useMemo, useState } from 'preact/hooks'
import { withMarks } from '../model/marks.js'
import { count } from '../model/numbers.js'
import { partsOf, takingApart } from '../model/variables.js'
import { Button } from './basics.js'
import css from './Code.module.css'
import type { Language } from './highlight.js'
import { Section } from './layout.js'
import { Parts } from './Referring.js'
import { useLater } from './states.js'

/** Longer texts are shown plain: colours for them would hold up the page. */
const COLOURED_LENGTH = 64 * 1024
/** So much of a long text is shown before somebody asks for all of it. */
const SHOWN_LENGTH = 128 * 1024

interface CodeProps {
  readonly text: string
  readonly language: Language
  readonly label?: string
  /** Whether variables are filled in where it is sent, so that references to them are told. */
  readonly isFilledIn?: boolean
}

/** A text as programs read it, in colours where it is short enough. */
export function Code({ text, language, label, isFilledIn = false }: CodeProps) {
  const [isWhole, setWhole] = useState(false)
  const part = isWhole || text.length <= SHOWN_LENGTH ? text : text.slice(0, SHOWN_LENGTH)
  const shown = useMemo(() => withMarks(part), [part])
  const isReferring = isFilledIn && shown.length <= COLOURED_LENGTH && shown.includes('{{')
  const plain = useMemo(() => (isReferring ? <Parts parts={partsOf(shown)} /> : shown), [isReferring, shown])
  const coloured = useLater(() => inColours(shown, language, isReferring), [shown, language, isReferring])
  return (
    <figure class="stack fit gap-4">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <pre class={`${css.code} frame sunken scroll`} tabIndex={0} role="region" aria-label={label ?? 'Text'}>
        <code>{coloured?.text === shown ? coloured.parts : plain}</code>
      </pre>
      {part.length < text.length && (
        <figcaption class="row hint gap-6">
          The first {count(part.length)} of {count(text.length)} characters.
          <Button onClick={() => setWhole(true)}>Show all</Button>
        </figcaption>
      )}
    </figure>
  )
}

/** The highlighter comes when there is something to colour; until then, and without it, the text is plain. */
async function inColours(text: string, language: Language, isReferring: boolean) {
  if (text.length > COLOURED_LENGTH || language === 'text') return null
  const { highlight } = await import('./highlight.js')
  return { text, parts: highlight(text, language, isReferring ? referring : undefined) }
}

/** Marks references in the pieces of a text; one may begin in a piece and end in another. */
function referring(text: string) {
  const take = takingApart(text)
  return ({ length }: string) => <Parts parts={take(length)} />
}

interface CodeSectionProps extends CodeProps {
  readonly title: string
  readonly aside?: string
  /** Whether it stands there also where the text is empty. */
  readonly isAlways?: boolean
}

/** A text as programs read it, under a heading; nothing where it is empty. */
export function CodeSection({ title, aside, isAlways = false, ...code }: CodeSectionProps) {
  if (code.text === '' && !isAlways) return null
  return (
    <Section title={title} aside={aside}>
      <Code label={title} {...code} />
    </Section>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { bytes } from '../model/numbers.js'
import { Button } from './Button.js'
import css from './Code.module.css'
import type { Language } from './highlight.js'

/** Longer texts are shown plain: colours for them would hold up the page. */
const COLOURED_LENGTH = 64 * 1024
/** So much of a long text is shown before somebody asks for all of it. */
const SHOWN_LENGTH = 128 * 1024

interface CodeProps {
  readonly text: string
  readonly language: Language
  readonly label?: string
}

/** A text as programs read it, in colours where it is short enough. */
export function Code({ text, language, label }: CodeProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || text.length <= SHOWN_LENGTH ? text : text.slice(0, SHOWN_LENGTH)
  const coloured = useColours(shown, language)
  return (
    <figure class={css.figure}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <pre class={css.code} tabIndex={0} role="region" aria-label={label ?? 'Text'}>
        <code>{coloured ?? shown}</code>
      </pre>
      {shown.length < text.length && (
        <figcaption class={css.more}>
          The first {bytes(shown.length)} of {bytes(text.length)}.
          <Button onClick={() => setWhole(true)}>Show all</Button>
        </figcaption>
      )}
    </figure>
  )
}

/** The highlighter comes when there is something to colour; until then, and without it, the text is plain. */
function useColours(text: string, language: Language) {
  const [coloured, setColoured] = useState<{ readonly text: string; readonly parts: preact.ComponentChildren }>()
  useEffect(() => {
    if (text.length > COLOURED_LENGTH || language === 'text') return
    let isWanted = true
    import('./highlight.js')
      .then(({ highlight }) => isWanted && setColoured({ text, parts: highlight(text, language) }))
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [text, language])
  return coloured?.text === text ? coloured.parts : undefined
}

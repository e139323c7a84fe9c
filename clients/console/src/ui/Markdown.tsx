import { useLayoutEffect, useRef } from 'preact/hooks'
import css from './Markdown.module.css'
import { useLater } from './states.js'

/** Longer texts are shown as they were written: to render them would hold up the page. */
const RENDERED_LENGTH = 256 * 1024

interface MarkdownProps {
  readonly text: string
  /** The names of those whose mentions are marked. */
  readonly people?: readonly string[]
}
const NOBODY: readonly string[] = []

/** A document as it is meant to be read. What it brings along that could run, load or look like the console is left out. */
export function Markdown({ text, people = NOBODY }: MarkdownProps) {
  const place = useRef<HTMLDivElement>(null)
  const isShort = text !== '' && text.length <= RENDERED_LENGTH
  const renderer = useLater(() => rendererFor(isShort), [isShort])
  const isRendered = isShort && !!renderer
  useLayoutEffect(() => {
    if (!isRendered) return
    const rendered = renderer.renderMarkdown(text)
    renderer.markMentions(rendered, people, css.mention)
    place.current?.replaceChildren(rendered)
  }, [isRendered, text, people.join('\n')])
  if (text === '') return <p class="soft">Nothing is written here yet.</p>
  return (
    <>
      <div ref={place} class={`${css.markdown} stack`} hidden={!isRendered} />
      {!isRendered && <pre class={css.plain}>{text}</pre>}
    </>
  )
}

const rendererFor = async (isWanted: boolean) => (isWanted ? import('./renderMarkdown.js') : null)

import { useEffect, useRef, useState } from 'preact/hooks'
import css from './Markdown.module.css'

/** Longer texts are shown as they were written: to render them would hold up the page. */
const RENDERED_LENGTH = 256 * 1024

/** A document as it is meant to be read. What it brings along that could run, load or look like the console is left out. */
export function Markdown({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [isRendered, setRendered] = useState(false)
  useEffect(() => {
    setRendered(false)
    if (text.length > RENDERED_LENGTH) return
    let isWanted = true
    import('./renderMarkdown.js')
      .then(({ renderMarkdown }) => {
        if (!isWanted || !place.current) return
        place.current.replaceChildren(renderMarkdown(text))
        setRendered(true)
      })
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [text])
  if (text === '') return <p class={css.empty}>Nothing is written here yet.</p>
  return (
    <>
      <div ref={place} class={css.markdown} hidden={!isRendered} />
      {!isRendered && <pre class={css.plain}>{text}</pre>}
    </>
  )
}

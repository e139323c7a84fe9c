import { useEffect, useState } from 'preact/hooks'
import { faultAt } from '../../model/faults.js'
import { Markdown } from '../../ui/Markdown.js'
import { TextArea } from '../../ui/TextArea.js'
import css from './editing.module.css'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'

const RENDERING_MS = 150

/** The form of a document: its text, and beside it what becomes of that. */
export function DocumentEditor({ form, faults, change }: EditorProps<'document'>) {
  const [rendered, setRendered] = useState(form.content)
  useEffect(() => {
    const timer = setTimeout(() => setRendered(form.content), RENDERING_MS)
    return () => clearTimeout(timer)
  }, [form.content])
  return (
    <>
      <NameField {...{ form, faults, change }} />
      <div class={css.both}>
        <TextArea
          label="Text, in Markdown"
          isCode
          rows={24}
          value={form.content}
          fault={faultAt(faults, 'content')}
          onInput={({ currentTarget }) => change({ content: currentTarget.value })}
        />
        <section class={css.preview} aria-label="Preview">
          <h2>Preview</h2>
          <Markdown text={rendered} />
        </section>
      </div>
    </>
  )
}

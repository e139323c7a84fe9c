import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Editor, Flaw, Language, openEditor } from './code/editor.js'
import { type Frame, Framed, TextArea } from './fields.js'
import css from './fields.module.css'
import { Variable } from './Referring.js'

interface Caret {
  readonly from: number
  readonly to: number
}

interface CodeEditorProps extends Frame {
  readonly value: string
  readonly language: Language
  readonly typed: (text: string) => void
  /** What is wrong with a text, and where; null for nothing. */
  readonly flawOf?: (text: string) => Flaw | null
  /** A part to be looked at. Another object is another look. */
  readonly selection?: Flaw | null
}

/** A text that programs read, with its lines, colours and references. The editor comes when it is needed; until then it is a field. */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const [come, setCome] = useState<{ readonly open: typeof openEditor; readonly caret: Caret | null }>()
  useEffect(() => {
    let isGone = false
    // Without it, the field stays.
    const loading = import('./code/editor.js').catch(() => null)
    void loading.then((module) => {
      const field = place.current?.querySelector('textarea')
      const caret =
        field && document.activeElement === field ? { from: field.selectionStart, to: field.selectionEnd } : null
      if (module && !isGone) setCome({ open: module.openEditor, caret })
    })
    return () => {
      isGone = true
    }
  }, [])
  const { label, hint, fault, value, typed } = props
  return (
    <div ref={place}>
      {come ? <Opened {...props} {...come} /> : <TextArea isCode {...{ label, hint, fault, value }} change={typed} />}
    </div>
  )
}

interface OpenedProps extends CodeEditorProps {
  readonly open: typeof openEditor
  /** What is selected of the field that it takes the place of, where that has the focus. */
  readonly caret: Caret | null
}

const nothingWrong = () => null

function Opened({ open, caret, value, language, typed, flawOf = nothingWrong, selection, ...frame }: OpenedProps) {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const variables = useContext(Variable)
  const isInvalid = frame.fault !== undefined
  const around = { label: frame.label, isInvalid, language, variables }
  const latest = useRef({ typed, flawOf })
  latest.current = { typed, flawOf }
  // In the same turn in which the field goes: no key is lost between them.
  useLayoutEffect(() => {
    const root = host.current?.attachShadow({ mode: 'open', delegatesFocus: true })
    if (!root) return
    const opened = open(root, {
      ...{ text: value, ...around },
      typed: (text) => latest.current.typed(text),
      flawOf: (text) => latest.current.flawOf(text)
    })
    setEditor(opened)
    if (caret) {
      opened.select(caret)
      opened.focus()
    }
    return opened.close
  }, [])
  // At once, before another key is typed behind this text.
  useLayoutEffect(() => editor?.show(value), [editor, value])
  useEffect(() => editor?.surround(around), [editor, frame.label, isInvalid, language, variables])
  // With the sentence that says what is there.
  useLayoutEffect(() => {
    if (!selection) return
    editor?.select(selection)
    editor?.focus()
  }, [editor, selection])
  return (
    <Framed {...frame} clickName={() => editor?.focus()}>
      {() => <div ref={host} class={`${css.input} ${css.editor} clip`} data-invalid={isInvalid || undefined} />}
    </Framed>
  )
}

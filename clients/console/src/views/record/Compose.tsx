import { useEffect, useRef, useState } from 'preact/hooks'
import { useTyped } from '../../app/drafts.js'
import { keepFocus } from '../../app/keepFocus.js'
import { useAct } from '../../app/loaded.js'
import { faultAt } from '../../model/faults.js'
import { Button, Notice, TextArea } from '../../ui/kit.js'
import { Mentioning } from './Mentionable.js'

interface ComposeProps {
  /** What its draft is called. */
  readonly draft: string
  readonly send: (comment: { readonly body: string }) => Promise<unknown>
  readonly label: string
  /** What the button says. */
  readonly verb: string
  /** What it begins with. */
  readonly text?: string
  /** What stands above it once it is said: what it is about, where that is not all of the record. */
  readonly about?: string | undefined
  /** What is done once it is said, or given up. */
  readonly done: (isSaid: boolean) => void
  /** Whether it can be given up; else it is always there. */
  readonly isPassing?: boolean
}

interface Typed {
  readonly text: string
}
const isTyped = (value: unknown): value is Typed =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'

/** Writing a comment. What is typed survives a reload, and Ctrl+Enter sends it. */
export function Compose({ draft, send, label, verb, text = '', about, done, isPassing = false }: ComposeProps) {
  const { typed, type, forget } = useTyped(`comment/${draft}`, () => ({ text }), isTyped)
  const { isBusy, failure, run } = useAct()
  const [fault, setFault] = useState<string>()
  const refused = faultAt(failure?.faults ?? [], 'body')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isPassing) form.current?.querySelector('textarea')?.focus()
    return keepFocus
  }, [])
  const say = async () => {
    if (typed.text.trim() === '') return setFault('Write something first.')
    const body = about === undefined ? typed.text : `${about}\n\n${typed.text}`
    if (!(await run(() => send({ body })))) return
    forget()
    done(true)
  }
  const leave = () => {
    forget()
    done(false)
  }
  return (
    <form
      ref={form}
      class="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void say()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void say()
        else if (event.key === 'Escape' && isPassing) leave()
      }}
    >
      <Mentioning>
        <TextArea
          label={label}
          value={typed.text}
          // What is typed while it is sent would go with it.
          readOnly={isBusy}
          fault={fault ?? refused}
          hint="@ and somebody’s whole name tells them, unless a full stop follows. Ctrl+Enter sends it."
          change={(text) => {
            type({ text })
            setFault(undefined)
          }}
        />
      </Mentioning>
      {failure && refused === undefined && <Notice tone="bad">{failure.message}</Notice>}
      <div class="flex wrap gap-4">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {verb}
        </Button>
        {isPassing && <Button onClick={leave}>Cancel</Button>}
      </div>
    </form>
  )
}

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Editing, type Saved } from '../../app/editing.js'
import type { Loadable } from '../../app/loaded.js'
import type { Loaded } from '../../app/records.js'
import { go, linkWith } from '../../app/route.js'
import { otherFaults } from '../../model/faults.js'
import { FIELDS } from '../../model/forms.js'
import type { Choice } from '../../model/merge.js'
import type { RecordRef } from '../../model/records.js'
import { toast } from '../../ui/toasts.js'
import { Conflicts } from './Conflicts.js'
import { EditorBar } from './EditorBar.js'
import css from './editing.module.css'
import { Fields } from './Fields.js'
import { Leaving } from './Leaving.js'
import { News } from './News.js'
import { Restored } from './Restored.js'
import { useLeaving } from './useLeaving.js'
import { called, listed } from './words.js'

interface RecordEditorProps {
  readonly record: RecordRef
  readonly loading: Loadable<Loaded>
  readonly loaded: Loaded
}

/** A record as a form, in place of its view. Ctrl+S saves and stays; Save and Cancel go back to the view. */
export function RecordEditor({ record: ref, loading, loaded }: RecordEditorProps) {
  const editing = useMemo(() => new Editing(ref, loaded), [ref.kind, ref.id])
  const form = useRef<HTMLFormElement>(null)
  const [asked, setAsked] = useLeaving(ref, editing)
  useEffect(() => () => editing.stop(), [editing])
  useEffect(() => editing.follow(loaded), [editing, loaded])
  useEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), [editing])

  const save = async (choices?: ReadonlyMap<string, Choice>, leave?: () => void) => {
    const saved = await editing.save(choices)
    if (!saved) return
    loading.change(() => saved.record)
    toast(told(saved))
    leave?.()
  }
  useSaveKey(() => void save())
  const failure = editing.failure.value
  const faults = failure?.faults ?? []
  const isAbove = failure && (faults.length === 0 || otherFaults(faults, FIELDS[loaded.kind]).length > 0)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [failure])
  return (
    <>
      <form
        ref={form}
        class={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save(undefined, close)
        }}
      >
        <Restored editing={editing} />
        <News editing={editing} />
        <Fields kind={loaded.kind} id={ref.id} editing={editing} faults={faults} />
        <EditorBar
          editing={editing}
          refusal={isAbove ? failure.message : null}
          cancel={() => (editing.changed.value.length === 0 ? close() : setAsked({ leave: close }))}
        />
      </form>
      {editing.isAsked.value && <Conflicts editing={editing} save={(choices) => save(choices, close)} />}
      {asked && (
        <Leaving
          name={loaded.content.name}
          stay={() => setAsked(null)}
          keep={asked.leave}
          discard={() => {
            editing.discard()
            asked.leave()
          }}
          save={() => {
            setAsked(null)
            return save(undefined, asked.leave)
          }}
        />
      )}
    </>
  )
}

/** Back to the view of the record. */
const close = () => go(linkWith({ edit: null }), { replace: true })

function told({ taken, who }: Saved): string {
  if (taken.length === 0) return 'Saved.'
  return `Saved. It keeps what ${who.length === 0 ? 'others' : listed(who)} changed: ${listed(taken.map(called))}.`
}

function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

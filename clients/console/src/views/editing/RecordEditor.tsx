import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Editing, type Saved } from '../../app/editing.js'
import type { Loadable } from '../../app/loaded.js'
import type { Loaded } from '../../app/records.js'
import { go, guardLeaving, linkWith } from '../../app/route.js'
import { otherFaults } from '../../model/faults.js'
import { FIELDS } from '../../model/forms.js'
import { withMarks } from '../../model/marks.js'
import type { Choice } from '../../model/merge.js'
import { pathOf, type RecordRef } from '../../model/records.js'
import { listed } from '../../model/words.js'
import { Button, Dialog, toast, useKeys } from '../../ui/kit.js'
import { Conflicts, called } from './Conflicts.js'
import { EditorBar, News, Restored } from './EditorBar.js'
import { Fields } from './Fields.js'
import { Referable } from './Referable.js'

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
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      editing.stop()
    }
  }, [editing])
  useEffect(() => editing.follow(loaded), [editing, loaded])
  // Before anybody can have gone to another field.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), [editing])

  const save = async (choices?: ReadonlyMap<string, Choice>, leave?: () => void) => {
    const saved = await editing.save(choices)
    if (!saved) return
    loading.change(() => saved.record)
    toast(told(saved))
    // Who has left before the hub answered is elsewhere by now.
    if (isOpen.current) leave?.()
  }
  useKeys((event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    void save()
  })
  const failure = editing.failure.value
  const faults = editing.faults.value
  const all = failure?.faults ?? []
  const isAbove = failure && (all.length === 0 || otherFaults(faults, FIELDS[loaded.kind]).length > 0)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus(), [failure])
  return (
    <>
      <form
        ref={form}
        class="stack fit gap-12"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save(undefined, close)
        }}
      >
        <Restored editing={editing} />
        <News editing={editing} />
        <Referable collectionId={collectionOf(loaded)}>
          <Fields
            kind={loaded.kind}
            id={ref.id}
            form={editing.form.value}
            faults={faults}
            change={(part) => editing.change(part)}
          />
        </Referable>
        <EditorBar
          editing={editing}
          refusal={isAbove ? failure.message : null}
          cancel={() => (editing.changed.value.length === 0 ? close() : setAsked({ leave: close, isEnd: false }))}
        />
      </form>
      {editing.isAsked.value && <Conflicts editing={editing} save={(choices) => save(choices, close)} />}
      {asked && (
        <Leaving
          name={loaded.content.name}
          stay={() => setAsked(null)}
          keep={asked.isEnd ? null : asked.leave}
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

/** The collection whose variables a record can refer to; null for what has none. */
function collectionOf({ kind, content }: Loaded): string | null {
  if (kind === 'request') return content.collectionId
  return kind === 'collection' ? content.id : null
}

/** Back to the view of the record. */
const close = () => go(linkWith({ edit: null }), { replace: true })

function told({ taken, who }: Saved): string {
  if (taken.length === 0) return 'Saved.'
  return `Saved. It keeps what ${who.length === 0 ? 'others' : listed(who)} changed: ${listed(taken.map(called))}.`
}

/** Somewhere else that the reader wants to go, once it is clear what becomes of their changes. */
interface Departure {
  readonly leave: () => void
  /** Whether the session ends by it, of which nothing is kept. */
  readonly isEnd: boolean
}

/** Has who leaves with unsaved changes asked; gives where they were going while they are. */
function useLeaving(ref: RecordRef, editing: Editing) {
  const asked = useState<Departure | null>(null)
  const [, setAsked] = asked
  useEffect(() => {
    const here = pathOf(ref).join('/')
    const isUnchanged = () => editing.changed.peek().length === 0
    return guardLeaving((to, leave) => {
      const isHere = to?.path.join('/') === here && to.query.get('edit') === 'yes'
      if (isHere || isUnchanged()) return true
      setAsked({ leave, isEnd: to === null })
      return false
    }, isUnchanged)
  }, [ref, editing])
  return asked
}

interface LeavingProps {
  readonly name: string
  readonly stay: () => void
  /** Null where they cannot be kept. */
  readonly keep: (() => void) | null
  readonly discard: () => void
  readonly save: () => unknown
}

/** What to do with changes that are not saved, asked before something else is opened. */
function Leaving({ name, stay, keep, discard, save }: LeavingProps) {
  return (
    <Dialog
      title="Leave without saving?"
      close={stay}
      actions={
        <>
          <Button kind="danger" onClick={discard}>
            Discard changes
          </Button>
          {keep && <Button onClick={keep}>Keep them for later</Button>}
          <Button kind="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <p>
        Your changes to <strong>{withMarks(name)}</strong> are not saved.{' '}
        {keep
          ? 'Kept for later, they wait for you in this tab until it is closed.'
          : 'Who signs out leaves nothing behind: they are lost then.'}
      </p>
    </Dialog>
  )
}

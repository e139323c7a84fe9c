import { useState } from 'preact/hooks'
import { now } from '../../app/clock.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { carryOutUndo, type Deed, planUndo, type Undo } from '../../app/undoing.js'
import { RANGES, sinceDays } from '../../model/auditFilter.js'
import { counted } from '../../model/numbers.js'
import { isEmpty, takenOf } from '../../model/undoing.js'
import { Ask, Button, Dialog, Notice, Select, Show } from '../../ui/kit.js'
import { UndoLists } from './UndoLists.js'

interface UndoDialogProps {
  /** What is taken back, as a title says it: `what the token Laptop did`. */
  readonly what: string
  readonly deed: Deed
  readonly close: () => void
}

/** Says what taking something back would come to, does it when that is wanted, and then offers the way back. */
export function UndoDialog({ what, deed: asked, close }: UndoDialogProps) {
  const [deed, setDeed] = useState({ what, deed: asked })
  const [done, setDone] = useState<Undo>()
  if (done)
    return (
      <Done
        what={deed.what}
        done={done}
        close={close}
        takeBack={(request) => {
          setDeed({ what: 'that undo', deed: { request } })
          setDone(undefined)
        }}
      />
    )
  return (
    <Planned
      key={JSON.stringify(deed)}
      {...deed}
      since={(from) => 'token' in asked && setDeed({ ...deed, deed: { token: asked.token, ...(from && { from }) } })}
      did={setDone}
      close={close}
    />
  )
}

interface PlannedProps extends UndoDialogProps {
  readonly since: (from: string) => void
  readonly did: (done: Undo) => void
}

function Planned({ what, deed, since, did, close }: PlannedProps) {
  const plan = useLoadable((signal) => planUndo(deed, signal), [])
  const known = knownOf(plan)
  return (
    <Ask
      isDanger
      isWide
      title={`Undo ${what}?`}
      verb="Undo"
      disabled={!known || isEmpty(known)}
      act={async () => known && did(await carryOutUndo(deed, known))}
      close={close}
    >
      {'token' in deed && <Since from={deed.from ?? ''} since={since} />}
      <Show of={plan}>
        {(undo) => (
          <>
            <p role="status">
              {isEmpty(undo)
                ? 'There is nothing that can be taken back.'
                : `${counted(takenOf(undo), 'record')} would be changed. Nothing is yet.`}
            </p>
            <UndoLists undo={undo} />
          </>
        )}
      </Show>
      <p class="hint">Accounts, tokens and run results are not taken back: an undo is about records.</p>
    </Ask>
  )
}

/** How far back it goes. */
function Since({ from, since }: { readonly from: string; readonly since: (from: string) => void }) {
  const options = [
    { value: '', label: 'Everything that it ever did' },
    ...RANGES.map(({ label, days }) => ({ value: sinceDays(days, now.value), label: rangeWords(label) }))
  ]
  return <Select label="How far back" value={from} options={options} change={since} />
}

const rangeWords = (label: string): string => (label === 'Today' ? 'What it did today' : `What it did in ${label}`)

interface DoneProps {
  readonly what: string
  readonly done: Undo
  readonly close: () => void
  readonly takeBack: (request: string) => void
}

function Done({ what, done, close, takeBack }: DoneProps) {
  const { requestId } = done
  return (
    <Dialog
      isWide
      title={`Undone: ${what}`}
      close={close}
      actions={
        <>
          {requestId !== null && <Button onClick={() => takeBack(requestId)}>Take that back…</Button>}
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <Notice tone={requestId === null ? 'note' : 'good'}>
        {requestId === null ? 'Nothing was changed.' : `${counted(takenOf(done), 'record')} changed.`}{' '}
        {requestId !== null && <a href={linkTo(['audit'], { request: requestId })}>Show it in the audit</a>}
      </Notice>
      <UndoLists undo={done} isDone />
    </Dialog>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { catalog } from '../../app/catalog.js'
import { previewImport, runImport, type Source, sourceOf, UnreadableFile } from '../../app/importing.js'
import { useLoadable } from '../../app/loaded.js'
import { go, leaving, linkTo } from '../../app/route.js'
import { useAct } from '../../app/useAct.js'
import { doesAnything, summaryOf } from '../../model/importing.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Notice } from '../../ui/Notice.js'
import { Select } from '../../ui/Select.js'
import { Show } from '../../ui/Show.js'
import { Tick } from '../../ui/Tick.js'
import { toast } from '../../ui/toasts.js'
import { ChooseFile } from './ChooseFile.js'
import { ImportPlan } from './ImportPlan.js'

interface ImportProps {
  readonly file: File | null
  readonly into: string | null
  readonly close: () => void
}

/** A file that has been read. */
interface Chosen {
  readonly name: string
  readonly source: Source
}

/** Importing a file: which, what comes of it, then it is done. */
export function ImportDialog({ file, into, close }: ImportProps) {
  const [chosen, setChosen] = useState<Chosen>()
  const [fault, setFault] = useState<string | null>(null)
  const choose = async (file: File) => {
    setFault(null)
    try {
      setChosen({ name: file.name, source: await sourceOf(file) })
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      setFault(error.message)
    }
  }
  useEffect(() => {
    if (file) void choose(file)
  }, [])
  if (chosen) return <Preview {...{ chosen, into, close }} another={() => setChosen(undefined)} />
  return (
    <Dialog title="Import" isWide close={close} actions={<Button onClick={close}>Cancel</Button>}>
      <ChooseFile fault={fault} choose={choose} />
    </Dialog>
  )
}

interface PreviewProps {
  readonly chosen: Chosen
  readonly into: string | null
  readonly another: () => void
  readonly close: () => void
}

const NEW = ''

/** What would come of it, with what can be chosen about it. */
function Preview({ chosen, into, another, close }: PreviewProps) {
  const [target, setTarget] = useState(into ?? NEW)
  const [prune, setPrune] = useState(false)
  const [overwrite, setOverwrite] = useState(false)
  const act = useAct()
  const { source } = chosen
  const choices = target === NEW ? {} : { collectionId: target, prune, overwrite }
  const plan = useLoadable((signal) => previewImport(source, choices, signal), [source, target, prune, overwrite])
  const state = plan.state.value
  const run = () =>
    act.run(async () => {
      const report = await runImport(source, choices)
      close()
      const { id, name } = report.collection
      toast(`Imported into ${name}: ${summaryOf(report)}.`)
      if (id !== null) leaving(() => go(linkTo(['collections', id])))
    })
  return (
    <Dialog
      title={`Import “${chosen.name}”`}
      isWide
      close={close}
      actions={
        <>
          <Button onClick={another}>Another file</Button>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={act.isBusy}
            disabled={state.is !== 'ready' || !doesAnything(state.value)}
            onClick={run}
          >
            Import
          </Button>
        </>
      }
    >
      <Target value={target} change={setTarget} />
      {target !== NEW && (
        <div>
          <Tick
            type="checkbox"
            label="Delete what an earlier import of the same source brought and the file has no more"
            checked={prune}
            onChange={({ currentTarget }) => setPrune(currentTarget.checked)}
          />
          <Tick
            type="checkbox"
            label="Also replace what somebody has changed or deleted here since then"
            checked={overwrite}
            onChange={({ currentTarget }) => setOverwrite(currentTarget.checked)}
          />
        </div>
      )}
      <Show of={plan}>{(report) => <ImportPlan report={report} />}</Show>
      {act.failure && <Notice tone="bad">{act.failure.message}</Notice>}
    </Dialog>
  )
}

function Target({ value, change }: { readonly value: string; readonly change: (value: string) => void }) {
  const state = catalog.collection.state.value
  const collections = state.is === 'ready' ? state.value : []
  return (
    <Select
      label="Into"
      value={value}
      options={[
        { value: NEW, label: 'A new collection' },
        ...collections.map(({ id, name }) => ({ value: id, label: name }))
      ]}
      change={change}
    />
  )
}

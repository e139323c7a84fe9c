import { useEffect, useRef, useState } from 'preact/hooks'
import { catalog } from '../../app/catalog.js'
import { previewImport, runImport, type Source, sourceOf, UnreadableFile } from '../../app/importing.js'
import { knownOf, useAct, useLoadable } from '../../app/loaded.js'
import { mayCreate } from '../../app/records.js'
import { go, leaving, linkTo } from '../../app/route.js'
import { doesAnything, summaryOf } from '../../model/importing.js'
import { Button, Dialog, Notice, Select, Show, TextArea, Tick, toast } from '../../ui/kit.js'
import css from './files.module.css'
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
  const [target, setTarget] = useState(into ?? (mayCreate('collection') ? NEW : knownCollections()[0]?.id) ?? NEW)
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

const knownCollections = () => knownOf(catalog.collection) ?? []

function Target({ value, change }: { readonly value: string; readonly change: (value: string) => void }) {
  return (
    <Select
      label="Into"
      value={value}
      options={[
        ...(mayCreate('collection') ? [{ value: NEW, label: 'A new collection' }] : []),
        ...knownCollections().map(({ id, name }) => ({ value: id, label: name }))
      ]}
      change={change}
    />
  )
}

/** The first step of an import: a file, or its text. */
function ChooseFile({ fault, choose }: { readonly fault: string | null; readonly choose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  return (
    <>
      <div class={`${css.zone} stack sunken gap-4`}>
        <p>Drop a file here, or anywhere on the console.</p>
        <Button icon="import" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File to import"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) choose(file)
            // So that the same file can be chosen again when it has changed.
            currentTarget.value = ''
          }}
        />
        <p class="hint">
          Postman, OpenAPI and Swagger, Insomnia, Bruno (its folder as a zip archive), HTTP Archives, curl commands.
        </p>
      </div>
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextArea
        label="Or paste it"
        isCode
        value={text}
        hint="A curl command, or what is in such a file."
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button
        disabled={text.trim() === ''}
        onClick={() => choose(new File([text], 'What was pasted', { type: 'text/plain' }))}
      >
        See what it brings
      </Button>
    </>
  )
}

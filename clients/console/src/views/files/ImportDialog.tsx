import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { changeableCollections } from '../../app/catalog.js'
import {
  type Importable,
  importOnlyThis,
  previewImport,
  runImport,
  type Source,
  sourceOf,
  UnreadableFile
} from '../../app/importing.js'
import { useAct, useIsOpen, useLoadable } from '../../app/loaded.js'
import { mayChange, mayCreate } from '../../app/records.js'
import { go, leaving, linkTo } from '../../app/route.js'
import {
  doesAnything,
  doneOf,
  FORMATS,
  type ImportReport,
  isUnknownFormat,
  togetherWith
} from '../../model/importing.js'
import { Button, Check, Dialog, Notice, Select, Show, toast } from '../../ui/kit.js'
import { ChooseFile } from './ChooseFile.js'
import { ImportAll } from './ImportAll.js'
import { ImportPlan } from './ImportPlan.js'
import { KnownNotice, NEW, Target } from './ImportTarget.js'

interface ImportProps {
  readonly what: Importable | null
  readonly into: string | null
  /** What came together with it and has its turn behind it, and how many more are left out. */
  readonly rest?: readonly Importable[]
  readonly leftOut?: number
  readonly close: () => void
}

/** A file that has been read. */
interface Chosen {
  readonly name: string
  readonly source: Source
  readonly leftOut: readonly string[]
}

/** Importing a file: which, what comes of it, then it is done. */
export function ImportDialog({ what, into, rest = [], leftOut = 0, close }: ImportProps) {
  const [chosen, setChosen] = useState<Chosen>()
  const [fault, setFault] = useState<string | null>(null)
  const choose = async (what: Importable) => {
    setFault(null)
    try {
      setChosen({ name: what.name, ...(await sourceOf(what)) })
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      setFault(error.message)
    }
  }
  useEffect(() => {
    if (what) void choose(what)
  }, [])
  const another = () => setChosen(undefined)
  const together = togetherWith(rest.length, leftOut)
  const notice = (
    <>
      {together !== '' && (
        <Notice tone="note">
          {together} {rest.length > 0 && <Button onClick={importOnlyThis}>Leave the others out</Button>}
        </Notice>
      )}
      {chosen?.leftOut.map((said) => (
        <Notice key={said} tone="note">
          {said}
        </Notice>
      ))}
    </>
  )
  if (chosen) return <Preview {...{ chosen, into, notice, another, close }} />
  return (
    <Dialog title="Import" isWide close={close} actions={<Button onClick={close}>Cancel</Button>}>
      {notice}
      <ChooseFile fault={fault} choose={choose} />
    </Dialog>
  )
}

interface PreviewProps {
  readonly chosen: Chosen
  readonly into: string | null
  /** What is to be said of the file before everything else. */
  readonly notice: ComponentChildren
  readonly another: () => void
  readonly close: () => void
}

/** The format that the content tells. */
const TOLD = ''
type Format = ImportReport['format'] | typeof TOLD
/** The part that the hub chooses. */
const FIRST = ''

const partsOf = ({ parts }: ImportReport) =>
  parts.map(({ id, name, brings }) => ({
    value: id,
    label: brings === 'environments' ? name : `${name || id} (a collection)`
  }))

/** What would come of it, with what can be chosen about it. */
function Preview({ chosen, into, notice, another, close }: PreviewProps) {
  const [target, setTarget] = useState(into ?? (mayCreate('collection') ? NEW : changeableCollections()[0]?.id) ?? NEW)
  const [prune, setPrune] = useState(false)
  const [overwrite, setOverwrite] = useState(false)
  const [format, setFormat] = useState<Format>(TOLD)
  const [part, setPart] = useState(FIRST)
  // What the last preview has said stays while the next one is asked for.
  const [report, setReport] = useState<ImportReport | null>(null)
  const names = new Map(report?.known?.filter(mayChange).map(({ id, name }) => [id, name]))
  const [all, setAll] = useState<ImportReport['parts']>([])
  const act = useAct()
  const isOpen = useIsOpen()
  const { source } = chosen
  const choices = {
    overwrite,
    ...(target !== NEW && { collectionId: target, prune }),
    ...(format !== TOLD && { format }),
    ...(part !== FIRST && { part })
  }
  const inputs = [source, target, prune, overwrite, format, part]
  const plan = useLoadable(async (signal) => {
    const report = await previewImport(source, choices, signal)
    setReport(report)
    return report
  }, inputs)
  const state = plan.state.value
  const isUnknown = state.is === 'failed' && isUnknownFormat(state.failure.message)
  if (all.length > 0) {
    const apart = { overwrite, ...(format !== TOLD && { format }) }
    return <ImportAll {...{ name: chosen.name, source, parts: all, choices: apart, another, close }} />
  }
  const run = () =>
    act.run(async () => {
      const done = await runImport(source, report ? { ...choices, part: report.part } : choices)
      toast(doneOf(done))
      // Who has gone on meanwhile has another file before them, or another page.
      if (!isOpen.current) return
      close()
      const { id } = done.collection
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
          {report && report.parts.length > 1 && target === NEW && (
            <Button disabled={act.isBusy} onClick={() => setAll(report.parts)}>
              Import all
            </Button>
          )}
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
      {notice}
      {(isUnknown || format !== TOLD) && (
        <Select
          label="Read it as"
          value={format}
          options={[{ value: TOLD, label: 'What its content tells' }, ...FORMATS]}
          change={setFormat}
        />
      )}
      {report && report.parts.length > 1 && (
        <Select label="Of what is in the file" value={report.part} options={partsOf(report)} change={setPart} />
      )}
      {report?.brings !== 'environments' && <Target value={target} known={names} change={setTarget} />}
      {target === NEW && <KnownNotice known={names} change={setTarget} />}
      <div>
        {target !== NEW && report?.brings !== 'environments' && (
          <Check
            label="Delete what an earlier import of the same source brought and the file has no more"
            isOn={prune}
            turn={setPrune}
          />
        )}
        {(target !== NEW || report?.changes.some(({ kind }) => kind === 'environment')) && (
          <Check
            label="Also replace what somebody has changed or deleted here since then"
            isOn={overwrite}
            turn={setOverwrite}
          />
        )}
      </div>
      {isUnknown ? (
        <Notice tone="bad">Nothing in it says which format it is of. Choose above what to read it as.</Notice>
      ) : (
        <Show of={plan}>{(report) => <ImportPlan report={report} />}</Show>
      )}
      {act.failure && <Notice tone="bad">{act.failure.message}</Notice>}
    </Dialog>
  )
}

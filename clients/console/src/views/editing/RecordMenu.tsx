import { useMemo, useState } from 'preact/hooks'
import { importing } from '../../app/importing.js'
import type { Loaded } from '../../app/records.js'
import { fits, positionOf, siblingsOf } from '../../model/moving.js'
import { linesOf, type Outline } from '../../model/outline.js'
import { isMember, type RecordRef, wordFor } from '../../model/records.js'
import { Ask, Menu, Select } from '../../ui/kit.js'
import { type Moving, moveTo, movingOf, outlineAround } from '../browse/moves.js'
import { ExportDialog } from '../files/ExportDialog.js'
import { DeleteDialog } from './DeleteDialog.js'

/** What is done with a record as a whole. */
export function RecordMenu({ record, loaded }: { readonly record: RecordRef; readonly loaded: Loaded }) {
  const [open, setOpen] = useState<'move' | 'delete' | 'export' | null>(null)
  const close = () => setOpen(null)
  const moving = movingOf(record)
  const outline = open === 'move' && moving ? outlineAround(moving) : null
  return (
    <>
      <Menu
        label={`More with this ${wordFor(record.kind)}`}
        items={[
          ...(isMember(record.kind) ? [{ label: 'Move…', icon: 'move', act: () => setOpen('move') } as const] : []),
          ...(record.kind === 'collection'
            ? ([
                {
                  label: 'Import into it…',
                  icon: 'import',
                  act: () => (importing.value = { file: null, into: record.id })
                },
                { label: 'Export…', icon: 'export', act: () => setOpen('export') }
              ] as const)
            : []),
          { label: 'Delete…', icon: 'deleted', isDanger: true, act: () => setOpen('delete') }
        ]}
      />
      {moving && outline && <MoveDialog {...{ moving, outline, close }} />}
      {open === 'export' && <ExportDialog id={record.id} name={loaded.content.name} close={close} />}
      {open === 'delete' && <DeleteDialog {...{ record, loaded, close }} />}
    </>
  )
}

interface MoveProps {
  readonly moving: Moving
  readonly outline: Outline
  readonly close: () => void
}

/** Of a folder with more in it than this, only its beginning and its end are offered. */
const PLACES_MOST = 500
const ROOT = ''
const FIRST = 'first'
const LAST = 'last'

/** Moving a record without dragging it: which folder, and where in it. */
function MoveDialog({ moving, outline, close }: MoveProps) {
  const here = useMemo(() => positionOf(outline, moving.id), [])
  const [folder, setFolder] = useState(here?.parentId ?? ROOT)
  const [place, setPlace] = useState(LAST)
  const member = outline.members.get(moving.id)
  const folders = useMemo(() => foldersFor(outline, moving.id), [outline])
  if (!member) return null
  const parentId = folder === ROOT ? null : folder
  const siblings = siblingsOf(outline, parentId, member)
  const offered = siblings.length > PLACES_MOST ? [] : siblings.slice(0, -1)
  const options = [
    { value: FIRST, label: 'At the beginning' },
    ...offered.map(({ id, name }) => ({ value: id, label: `Behind ${name}` })),
    { value: LAST, label: 'At the end' }
  ]
  const move = () => {
    close()
    const behind = siblings.findIndex(({ id }) => id === place)
    const index = place === FIRST ? 0 : behind < 0 ? siblings.length : behind + 1
    void moveTo(moving, { parentId, index })
  }
  return (
    <Ask title={`Move “${member.name}”`} verb="Move" act={move} close={close}>
      <Select
        label="Folder"
        value={folder}
        options={folders}
        change={(chosen) => {
          setFolder(chosen)
          setPlace(LAST)
        }}
      />
      <Select label="Place" value={place} options={options} change={setPlace} />
      <p>In the tree, Alt and the arrow keys move what is chosen, and so does dragging it.</p>
    </Ask>
  )
}

/** The folders that a member can go into, as deep as they are. */
function foldersFor(outline: Outline, id: string) {
  const all = new Set(outline.members.keys())
  const folders = linesOf(outline, all).filter(({ member }) => fits(outline, id, member.id))
  return [
    { value: ROOT, label: 'None: directly in the collection' },
    ...folders.map(({ member, level }) => ({ value: member.id, label: `${'\u2003'.repeat(level - 1)}${member.name}` }))
  ]
}

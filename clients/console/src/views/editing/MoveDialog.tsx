import { useMemo, useState } from 'preact/hooks'
import { fits, positionOf, siblingsOf } from '../../model/moving.js'
import { linesOf, type Outline } from '../../model/outline.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Select } from '../../ui/Select.js'
import { type Moving, moveTo } from '../browse/moves.js'

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
export function MoveDialog({ moving, outline, close }: MoveProps) {
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
    <Dialog
      title={`Move “${member.name}”`}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" onClick={move}>
            Move
          </Button>
        </>
      }
    >
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
    </Dialog>
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

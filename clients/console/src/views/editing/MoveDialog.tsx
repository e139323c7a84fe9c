import { useMemo, useState } from 'preact/hooks'
import { changeableCollections } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { type Item, type Loaded, moveAcross } from '../../app/records.js'
import { goingOn, linkTo } from '../../app/route.js'
import { fits, positionOf, siblingsOf } from '../../model/moving.js'
import { linesOf, type Outline } from '../../model/outline.js'
import { pathOf } from '../../model/records.js'
import { Ask, Select, toast } from '../../ui/kit.js'
import { type Moving, moveTo } from '../browse/moves.js'

interface MoveProps {
  readonly moving: Moving
  /** What the collection holds that it is in. */
  readonly outline: Outline
  readonly item: Item | Loaded<'folder'>
  readonly close: () => void
}

/** Of a folder with more in it than this, only its beginning and its end are offered. */
const PLACES_MOST = 500
/** The value of no folder. */
export const ROOT = ''
const FIRST = 'first'
const LAST = 'last'

/** Moving a record without dragging it: which folder, and where in it; or which other collection. */
export function MoveDialog({ moving, outline, item, close }: MoveProps) {
  const [collection, setCollection] = useState(moving.collectionId)
  const isHere = collection === moving.collectionId
  const there = isHere ? outline : knownOf(outlineOfCollection(collection))
  const here = useMemo(() => positionOf(outline, moving.id), [])
  const [folder, setFolder] = useState(here?.parentId ?? ROOT)
  const [place, setPlace] = useState(LAST)
  const member = outline.members.get(moving.id)
  const folders = useMemo(() => foldersFor(there, [moving.id]), [there])
  if (!member) return null
  const parentId = folder === ROOT ? null : folder
  const siblings = siblingsOf(outline, parentId, member)
  const offered = siblings.length > PLACES_MOST ? [] : siblings.slice(0, -1)
  const options = [
    { value: FIRST, label: 'At the beginning' },
    ...offered.map(({ id, name }) => ({ value: id, label: `Behind ${name}` })),
    { value: LAST, label: 'At the end' }
  ]
  const move = async () => {
    if (!isHere) {
      const goOn = goingOn()
      const moved = await moveAcross(item, { collectionId: collection, folderId: parentId })
      close()
      goOn(linkTo(pathOf(moved)))
      return toast(`“${member.name}” is in another collection now.`)
    }
    close()
    const behind = siblings.findIndex(({ id }) => id === place)
    const index = place === FIRST ? 0 : behind < 0 ? siblings.length : behind + 1
    void moveTo(moving, { parentId, index })
  }
  return (
    <Ask title={`Move “${member.name}”`} verb="Move" disabled={!there} act={move} close={close}>
      <CollectionSelect
        value={collection}
        change={(chosen) => {
          setCollection(chosen)
          setFolder(chosen === moving.collectionId ? (here?.parentId ?? ROOT) : ROOT)
          setPlace(LAST)
        }}
      />
      <Select
        label="Folder"
        value={folder}
        options={folders}
        change={(chosen) => {
          setFolder(chosen)
          setPlace(LAST)
        }}
      />
      {isHere ? (
        <>
          <Select label="Place" value={place} options={options} change={setPlace} />
          <p>In the tree, Alt and the arrow keys move what is chosen, and so does dragging it.</p>
        </>
      ) : (
        <p>{`It goes behind all others there, ${COMES_WITH[item.kind]}. Who sees that collection alone sees it then.`}</p>
      )}
    </Ask>
  )
}

/** What goes with each kind to another collection. */
const COMES_WITH = {
  request: 'with its history',
  document: 'with its history',
  folder: 'with all that it holds: requests and documents with their history, folders as new ones'
} as const

/** The collections that members can go into. */
export function CollectionSelect(props: { readonly value: string; readonly change: (id: string) => void }) {
  const options = changeableCollections().map(({ id, name }) => ({ value: id, label: name }))
  return <Select label="Collection" options={options} {...props} />
}

/** The folders that members can go into, all of them together, as deep as they are. */
export function foldersFor(outline: Outline | undefined, ids: readonly string[]) {
  if (!outline) return [{ value: ROOT, label: 'Looking…' }]
  const all = new Set(outline.members.keys())
  const folders = linesOf(outline, all).filter(({ member }) => ids.every((id) => fits(outline, id, member.id)))
  return [
    { value: ROOT, label: 'None: directly in the collection' },
    ...folders.map(({ member, level }) => ({ value: member.id, label: `${'\u2003'.repeat(level - 1)}${member.name}` }))
  ]
}

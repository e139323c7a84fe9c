import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Named } from '../../app/catalog.js'
import { type ChosenRecord, isChosen } from '../../app/chosen.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { mayChange, mayEdit } from '../../app/records.js'
import { go, linkTo, route } from '../../app/route.js'
import { fold, unfold, unfolded } from '../../app/unfolded.js'
import type { Step } from '../../model/moving.js'
import { foldersAbove } from '../../model/outline.js'
import { pathOf, refOf } from '../../model/records.js'
import { Virtual } from '../../ui/kit.js'
import { RenameDialog } from '../editing/RenameDialog.js'
import css from './browse.module.css'
import { choosable, chooseByKey, chooseByPointer } from './choosing.js'
import { moveByStep, movingOf, said } from './moves.js'
import { Several } from './Several.js'
import { type TreeLine, TreeRow, treeLines } from './TreeRow.js'
import { useDragging } from './useDragging.js'

const IS_COARSE = matchMedia('(pointer: coarse)').matches
const ROW_PX = IS_COARSE ? 44 : 30
const TYPED_MS = 700
/** With Alt they move what is meant. */
const STEPS: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

/**
 * All collections with what they hold, as one tree: arrows walk it, letters jump, Enter opens. Whoever may edit moves its members
 * with Alt and the arrows, or by dragging them, names them by F2, and chooses several to do something with them together.
 */
export function CollectionTree({ collections }: { readonly collections: readonly Named[] }) {
  const open = unfolded.value
  const lines = treeLines(collections, open)
  const here = useOpenRecord()
  const [activeId, setActive] = useState<string | null>(null)
  const lastAt = useRef(0)
  const at = lines.findIndex(({ id }) => id === (activeId ?? here))
  // What has gone leaves its place.
  const active = at < 0 ? Math.max(0, Math.min(lastAt.current, lines.length - 1)) : at
  lastAt.current = active
  const atHere = useMemo(() => lines.findIndex(({ id }) => id === here), [lines.length, here])
  const typed = useRef({ text: '', at: 0 })

  const { dragged, dragging } = useDragging(lines, ROW_PX)
  const [renamed, setRenamed] = useState<ChosenRecord | null>(null)

  const moveTo = (index: number) => {
    const line = lines[Math.min(Math.max(index, 0), lines.length - 1)]
    if (line) setActive(line.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[active]
    const step = STEPS[event.key]
    if (!line) return
    if (chooseByKey(lines, active, event)) {
      if (event.shiftKey) moveTo(active + (event.key === 'ArrowDown' ? 1 : -1))
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || (event.altKey && !step)) return
    if (event.altKey && step) {
      setActive(line.id)
      void moveByStep(line, step)
    } else if (event.key === 'ArrowDown') moveTo(active + 1)
    else if (event.key === 'ArrowUp') moveTo(active - 1)
    else if (event.key === 'Home') moveTo(0)
    else if (event.key === 'End') moveTo(lines.length - 1)
    else if (event.key === 'ArrowRight') line.isOpen === false ? unfold([line.id]) : moveTo(active + 1)
    else if (event.key === 'ArrowLeft') line.isOpen ? fold(line.id) : moveTo(parentOf(lines, active))
    else if (event.key === 'Enter') openLine(line)
    else if (event.key === 'F2') setRenamed(line.ref && mayChange(line.ref) ? choosable(line) : null)
    else if (event.key === ' ' && !isTyping(typed.current)) toggle(line)
    else if (event.key.length === 1 && event.key !== '/')
      moveTo(nextTyped(lines, active, remember(typed.current, event.key)))
    else return
    event.preventDefault()
    // What is typed after a walk begins a new word.
    if (event.key.length > 1) typed.current.text = ''
  }
  if (collections.length === 0) return <p class={`${css.empty} soft`}>There is nothing that you may see yet.</p>
  return (
    <>
      <Virtual
        class={`${css.tree} grow scroll`}
        role="tree"
        aria-label="Collections"
        aria-activedescendant={lines[active] ? rowId(lines[active].id) : undefined}
        aria-multiselectable={mayEdit()}
        tabIndex={0}
        items={lines}
        rowHeight={ROW_PX}
        reveal={activeId === null ? atHere : active}
        onKeyDown={onKeyDown}
        {...dragging}
      >
        {(line, index) => (
          <TreeRow
            key={line.id}
            id={rowId(line.id)}
            line={line}
            isHere={line.id === here}
            isChosen={isChosen(line.id)}
            isActive={index === active}
            mark={dragged?.drop?.mark.id === line.id ? dragged.drop.mark.kind : undefined}
            isDragged={dragged?.line.id === line.id}
            // A finger scrolls.
            isDraggable={!IS_COARSE && movingOf(line.ref) !== null}
            open={(event) => {
              setActive(line.id)
              if (!chooseByPointer(lines, active, index, event)) openLine(line)
            }}
            toggle={() => toggle(line)}
          />
        )}
      </Virtual>
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
      <Several />
      {renamed && <RenameDialog record={renamed} name={renamed.name} close={() => setRenamed(null)} />}
    </>
  )
}

const rowId = (id: string) => `tree-${id}`

function openLine({ ref, id, isOpen, again }: TreeLine): void {
  again?.()
  if (!ref) return
  if (isOpen === false) unfold([id])
  go(linkTo(pathOf(ref)))
}

function toggle({ id, isOpen }: TreeLine): void {
  if (isOpen === undefined) return
  if (isOpen) fold(id)
  else unfold([id])
}

/** The record that the address names; what it is in is opened. */
function useOpenRecord(): string | null {
  const ref = refOf(route.value.path)
  const collectionId = ref?.kind === 'collection' ? ref.id : (ref?.collectionId ?? null)
  const outline = collectionId === null ? undefined : knownOf(outlineOfCollection(collectionId))
  const isKnown = outline !== undefined
  useEffect(() => {
    if (collectionId === null || !outline || !ref) return
    unfold([collectionId, ...foldersAbove(outline, ref.id).map(({ id }) => id)])
  }, [collectionId, ref?.id, isKnown])
  return ref?.id ?? null
}

function parentOf(lines: readonly TreeLine[], index: number): number {
  const level = lines[index]?.level ?? 1
  for (let above = index - 1; above >= 0; above--) if ((lines[above]?.level ?? 1) < level) return above
  return index
}

interface Typed {
  text: string
  at: number
}

/** Whether a word is being typed, of which a space is a part. */
const isTyping = ({ text, at }: Typed): boolean => text !== '' && performance.now() - at < TYPED_MS

function remember(typed: Typed, letter: string): string {
  typed.text = isTyping(typed) ? typed.text + letter : letter
  typed.at = performance.now()
  return typed.text.toLowerCase()
}

function nextTyped(lines: readonly TreeLine[], from: number, text: string): number {
  const start = text.length === 1 ? from + 1 : from
  for (let step = 0; step < lines.length; step++) {
    const index = (start + step) % lines.length
    if (lines[index]?.name.toLowerCase().startsWith(text)) return index
  }
  return from
}

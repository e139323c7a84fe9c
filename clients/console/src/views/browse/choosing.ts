import { type ChosenRecord, choose, chooseNone, chosen, toggleChosen } from '../../app/chosen.js'
import { mayEdit } from '../../app/records.js'
import type { TreeLine } from './TreeRow.js'

/**
 * The record of a line as something to choose, also one that is only looked at: it can be exported. Null where the line is none, or for
 * administrators.
 */
export const choosable = ({ ref, name }: TreeLine): ChosenRecord | null => (ref && mayEdit() ? { ...ref, name } : null)

const between = (lines: readonly TreeLine[], from: number, to: number) =>
  lines.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((line) => choosable(line) ?? [])

/** Ctrl and Space choose a line, Shift and arrows go on with that, Escape gives all up. Says whether the key was one of these. */
export function chooseByKey(lines: readonly TreeLine[], at: number, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event
  if (altKey) return false
  const record = lines[at] && choosable(lines[at])
  if (key === ' ' && (ctrlKey || metaKey) && record) {
    toggleChosen(record)
    return true
  }
  if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
    choose(between(lines, at, at + (key === 'ArrowDown' ? 1 : -1)))
    return true
  }
  if (key !== 'Escape' || chosen.peek().length === 0) return false
  chooseNone()
  return true
}

/**
 * Ctrl and a click choose a line, Shift all up to it; by touch a tap does, once something is chosen. Says whether that was so: another
 * click opens, and gives up what was chosen.
 */
export function chooseByPointer(lines: readonly TreeLine[], from: number, at: number, event: MouseEvent): boolean {
  const record = lines[at] && choosable(lines[at])
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  if (record && event.shiftKey) choose(between(lines, from, at))
  else if (record && (event.ctrlKey || event.metaKey || (isTouch && chosen.peek().length > 0))) toggleChosen(record)
  else {
    chooseNone()
    return false
  }
  return true
}

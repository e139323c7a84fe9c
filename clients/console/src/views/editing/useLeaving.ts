import { useEffect, useState } from 'preact/hooks'
import type { Editing } from '../../app/editing.js'
import { guardLeaving } from '../../app/route.js'
import { pathOf, type RecordRef } from '../../model/records.js'

/** Somewhere else that the reader wants to go, once it is clear what becomes of their changes. */
interface Departure {
  readonly leave: () => void
}

/** Has who leaves with unsaved changes asked; gives where they were going while they are. */
export function useLeaving(ref: RecordRef, editing: Editing) {
  const asked = useState<Departure | null>(null)
  const [, setAsked] = asked
  useEffect(() => {
    const here = pathOf(ref).join('/')
    const isUnchanged = () => editing.changed.peek().length === 0
    const stopGuarding = guardLeaving(({ path, query }, leave) => {
      const isHere = path.join('/') === here && query.get('edit') === 'yes'
      if (isHere || isUnchanged()) return true
      setAsked({ leave })
      return false
    })
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isUnchanged()) event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    return () => {
      stopGuarding()
      removeEventListener('beforeunload', onUnload)
    }
  }, [ref, editing])
  return asked
}

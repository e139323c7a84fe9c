import type { NameOf } from '../model/fieldNames.js'
import type { RecordRef } from '../model/records.js'
import { catalog } from './catalog.js'
import { outlineOfCollection } from './members.js'

/** The names of what the console knows: all that stands by itself, and what is in the collection of a record. */
export function namesAround({ kind, id, collectionId }: RecordRef): NameOf {
  const holder = kind === 'collection' ? id : collectionId
  const outline = holder ? outlineOfCollection(holder).state.value : null
  const lists = Object.values(catalog).map(({ state }) => state.value)
  return (wanted) => {
    const member = outline?.is === 'ready' ? outline.value.members.get(wanted) : undefined
    if (member) return member.name
    for (const list of lists) {
      const found = list.is === 'ready' ? list.value.find((one) => one.id === wanted) : undefined
      if (found) return found.name
    }
    return undefined
  }
}

import { name as nameSchema } from '../../../commands/content.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { type CollectionTree, type Item, itemsOf, type Notes, placeIn, type RequestFields } from '../formats/model.js'
import type { ReadSource } from './parts.js'

/**
 * A tree as the hub can hold it: names as it takes them, and no more of anything than one import may bring. Refuses with 413 what
 * is more.
 */
export function fitted(source: ReadSource, notes: Notes): CollectionTree {
  const tree = { ...source, name: nameOf(source.name, 'Imported collection', [], notes) }
  requireSize(tree)
  return { ...tree, items: itemsIn(source.items, [], notes) }
}

function requireSize(tree: CollectionTree): void {
  let [count, characters] = [0, 0]
  const lists = (...lists: readonly (readonly unknown[])[]) => {
    if (lists.some(({ length }) => length > LIMITS.list.max))
      throw errors.importTooLarge(`a list in it has more than ${LIMITS.list.max} entries`)
  }
  lists(tree.settings.variables, tree.settings.headers)
  characters += JSON.stringify(tree.settings).length
  for (const { item, path } of itemsOf(tree.items)) {
    if (++count > LIMITS.importItems.max)
      throw errors.importTooLarge(`there are more than ${LIMITS.importItems.max} folders, requests and documents in it`)
    if (path.length >= LIMITS.importFolders.max)
      throw errors.importTooLarge(`folders in it nest deeper than ${LIMITS.importFolders.max}`)
    if (item.kind === 'request') lists(item.content.headers, item.content.params)
    if (item.kind !== 'folder') characters += JSON.stringify(item.content).length
    if (characters > LIMITS.importContent.max)
      throw errors.importTooLarge(`what is in it has more than ${LIMITS.importContent.max} characters`)
  }
}

function itemsIn(items: readonly Item[], path: readonly string[], notes: Notes): readonly Item[] {
  return items.map((item) => itemOf(item, path, notes))
}

function itemOf(item: Item, path: readonly string[], notes: Notes): Item {
  switch (item.kind) {
    case 'folder': {
      const name = nameOf(item.name, 'Untitled folder', path, notes)
      return { ...item, name, items: itemsIn(item.items, [...path, name], notes) }
    }
    case 'request': {
      const { content } = item
      return { ...item, content: { ...content, name: nameOf(content.name, untitled(content), path, notes) } }
    }
    case 'document':
      return { ...item, name: nameOf(item.name, 'Untitled.md', path, notes) }
  }
}

const untitled = ({ method, url }: RequestFields) => `${method} ${url}`.slice(0, 100)

function nameOf(text: string, otherwise: string, path: readonly string[], notes: Notes): string {
  const shown = storableName(text) || storableName(otherwise)
  const whole = nameSchema.safeParse(shown)
  if (whole.success) return whole.data
  notes.add(placeIn(path), `A name that is longer than ${LIMITS.name.max} characters is cut.`)
  return nameSchema.parse(
    storableName(
      shown
        .slice(0, LIMITS.name.max)
        .normalize('NFC')
        .slice(0, LIMITS.name.max - 1)
    )
  )
}

const storableName = (text: string) => text.toWellFormed().replaceAll('\0', '').trim()

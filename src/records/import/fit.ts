import { name as nameSchema } from '../../../commands/content.js'
import type { ImportBounds } from '../../config/importBounds.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import {
  type CollectionTree,
  type EnvironmentOfFile,
  environmentKey,
  type Item,
  itemsOf,
  type Notes,
  placeIn,
  type RequestFields,
  type Variable
} from '../formats/model.js'
import { urlParts } from '../formats/url.js'
import { type ReadSource, variable } from './parts.js'

type FitBounds = Pick<ImportBounds, 'maxItems' | 'maxContent'>

/**
 * A tree as the hub can hold it: names as it takes them, and no more of anything than one import may bring. Refuses with 413 what
 * is more.
 */
export function fitted(source: ReadSource, notes: Notes, bounds: FitBounds): CollectionTree {
  const { sourceId, items } = source
  const settings = { ...source.settings, variables: [...withPathValues(source, notes)] }
  const tree = { name: nameOf(source.name, 'Imported collection', [], notes), sourceId, settings, items }
  requireSize(tree, bounds)
  return { ...tree, items: itemsIn(items, [], notes) }
}

/**
 * Environments with names as the hub takes them, each of those that a file calls the same once. Refuses with 413 what is more than one
 * import may bring.
 */
export function fittedEnvironments(
  environments: readonly EnvironmentOfFile[],
  notes: Notes,
  { maxItems, maxContent }: FitBounds
): readonly EnvironmentOfFile[] {
  if (environments.length > maxItems)
    throw errors.importTooLarge(`there are more than ${maxItems} environments in it`, 'maxItems')
  const named = environments.map((one) => ({ ...one, name: nameOf(one.name, 'Environment', [one.name], notes) }))
  // What one adds to is named as the file calls it, and told apart as it is called here.
  const keys = new Map(environments.map((one, i) => [environmentKey(one), environmentKey(named[i] ?? one)]))
  const known = new Set<string>()
  let characters = 0
  return named.flatMap((one) => {
    if (known.has(environmentKey(one))) {
      notes.add(one.name, 'Of environments of the same name the first is carried over.')
      return []
    }
    known.add(environmentKey(one))
    requireLists(one.variables)
    if (one.parent !== null && !keys.has(one.parent))
      notes.add(one.name, 'The environment that it adds to is not in the file.')
    characters += JSON.stringify(one.variables).length
    if (characters > maxContent)
      throw errors.importTooLarge(`what is in it has more than ${maxContent} characters`, 'maxContentMb')
    return [{ ...one, parent: one.parent === null ? null : (keys.get(one.parent) ?? null) }]
  })
}

function requireLists(...lists: readonly (readonly unknown[])[]): void {
  if (lists.some(({ length }) => length > LIMITS.list.max))
    throw errors.importTooLarge(`a list in it has more than ${LIMITS.list.max} entries`)
}

function requireSize(tree: CollectionTree, { maxItems, maxContent }: FitBounds): void {
  let [count, characters] = [0, 0]
  requireLists(tree.settings.variables, tree.settings.headers)
  characters += JSON.stringify(tree.settings).length
  for (const { item, path } of itemsOf(tree.items)) {
    if (++count > maxItems)
      throw errors.importTooLarge(`there are more than ${maxItems} folders, requests and documents in it`, 'maxItems')
    if (path.length >= LIMITS.importFolders.max)
      throw errors.importTooLarge(`folders in it nest deeper than ${LIMITS.importFolders.max}`)
    if (item.kind === 'request') requireLists(item.content.headers, item.content.params)
    if (item.kind !== 'folder') characters += JSON.stringify(item.content).length
    if (characters > maxContent)
      throw errors.importTooLarge(`what is in it has more than ${maxContent} characters`, 'maxContentMb')
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
      const { kind, sourceId, content } = item
      return { kind, sourceId, content: { ...content, name: nameOf(content.name, untitled(content), path, notes) } }
    }
    case 'document':
      return { ...item, name: nameOf(item.name, 'Untitled.md', path, notes) }
  }
}

/** What a request without a name is called: names are shown and searched, so by no account before the host, and no query. */
const untitled = ({ method, url }: RequestFields) =>
  `${method} ${urlParts(url).base.replace(/(?<=\/\/)[^/]*@/, '')}`.slice(0, 100)

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

const DIFFERING =
  'Values of variables in a path (/:id) are left out where requests have different ones, or the collection another.'

/**
 * The variables of a collection, and those that its requests give a value in their paths: here such a variable stands for the one of
 * its name, of which there is one in a collection. Where requests, or the collection, give it several, they are named and left out.
 */
function withPathValues({ settings, items }: ReadSource, notes: Notes): readonly Variable[] {
  const given = [...itemsOf(items)].flatMap(({ item, path }) =>
    item.kind === 'request'
      ? (item.pathValues ?? [])
          .filter(({ key, value }) => value !== '' && value !== `{{${key}}}` && isIn(item.content.url, key))
          .map((row) => ({ ...row, place: placeIn([...path, item.content.name]) }))
      : []
  )
  const values = new Map<string, Set<string>>()
  for (const { key, value } of [...settings.variables, ...given])
    values.set(key, (values.get(key) ?? new Set()).add(value))
  const isOne = (key: string) => values.get(key)?.size === 1
  for (const { key, place } of given) if (!isOne(key)) notes.add(`${place} (${key})`, DIFFERING)
  const known = new Set(settings.variables.map(({ key }) => key))
  const added = new Map(given.filter(({ key }) => isOne(key) && !known.has(key)).map(({ key, value }) => [key, value]))
  return [...settings.variables, ...[...added].map(([key, value]) => variable(key, value))]
}

const isIn = (url: string, key: string): boolean =>
  urlParts(url).base.split('/').includes(`:${key}`) || url.includes(`{{${key}}}`)

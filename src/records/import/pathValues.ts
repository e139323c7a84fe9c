import { itemsOf, type Notes, placeIn, type Variable } from '../formats/model.js'
import { urlParts } from '../formats/url.js'
import { type ReadSource, variable } from './parts.js'

const DIFFERING =
  'Values of variables in a path (/:id) are left out where requests have different ones, or the collection another.'

/**
 * The variables of a collection, and those that its requests give a value in their paths: here such a variable stands for the one of
 * its name, of which there is one in a collection. Where requests, or the collection, give it several, they are named and left out.
 */
export function withPathValues({ settings, items }: ReadSource, notes: Notes): readonly Variable[] {
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

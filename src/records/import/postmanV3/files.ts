import { type Notes, placeIn } from '../../formats/model.js'
import { folderAt } from '../folders.js'
import { type Fields, fields, text } from '../loose.js'
import { document, type Reading, type ReadSource } from '../parts.js'
import { readPostman } from '../postman.js'
import { authOf, eventsOf, requestOf, rowsOf } from './items.js'

const DEFINITION = /^(.*\/)?\.resources\/definition\.ya?ml$/s
const REQUEST = /^(.*\/)?([^/]+)\.request\.ya?ml$/s
const EXAMPLE = /^(.*\/)?\.resources\/([^/]+)\.resources\/examples\/([^/]+)\.example\.ya?ml$/s
const DOCUMENT = /\.(md|markdown)$/i
const KIND = /^["']?\$kind["']?[ \t]*:/m

/** True for a file of a collection of schema 3.0, by its path and its content. */
export const isV3File = (path: string, file: string): boolean =>
  (DEFINITION.test(path) || REQUEST.test(path)) && KIND.test(file)

/** The folder of the collection that such a file is in; null where it does not tell. */
export function v3Root(path: string): string | null {
  const [, below] = /^((?:.*?\/)?collections\/[^/]+\/)/s.exec(path) ?? []
  if (below !== undefined) return below
  const defined = DEFINITION.exec(path)
  return defined ? (defined[1] ?? '') : null
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly requests: { readonly stem: string; readonly value: Fields }[]
  readonly documents: { readonly name: string; readonly content: string }[]
  readonly examples: Map<string, Fields[]>
  definition: Fields
}

const newFolder = (): Folder => ({
  ...{ folders: new Map(), requests: [], documents: [], examples: new Map() },
  definition: {}
})

/**
 * Reads the directory of a collection of schema 3.0: its files by their paths below it. It is called `name` where its definition says
 * no other.
 */
export function readV3Files(files: ReadonlyMap<string, string>, name: string, { notes, parse }: Reading): ReadSource {
  const top = newFolder()
  for (const [path, file] of files) put(top, path, file, { notes, parse })
  const { name: said, description, variables, auth, scripts } = top.definition
  const held = readPostman(
    {
      info: { name: text(said) || name, description },
      ...{ variable: rowsOf(variables), auth: authOf(auth), event: eventsOf(scripts, placeIn([]), notes) },
      item: itemsIn(top, [], notes)
    },
    notes
  )
  return { ...held, items: [...held.items, ...top.documents.map(({ name, content }) => document(name, content))] }
}

function put(top: Folder, path: string, file: string, { notes, parse }: Reading): void {
  const [, defined = ''] = DEFINITION.exec(path) ?? []
  const [, requested = '', stem] = REQUEST.exec(path) ?? []
  const [, beside = '', request, example] = EXAMPLE.exec(path) ?? []
  const at = (folder: string) => folderAt(top, folder.split('/').filter(Boolean), newFolder)
  if (DEFINITION.test(path)) at(defined).definition = fields(parse(file))
  else if (stem !== undefined) at(requested).requests.push({ stem, value: fields(parse(file)) })
  else if (request !== undefined) {
    const { examples } = at(beside)
    examples.set(request, [...(examples.get(request) ?? []), { name: example, ...fields(parse(file)) }])
  } else if (DOCUMENT.test(path) && !path.includes('/')) top.documents.push({ name: path, content: file })
  else
    notes.add(path, 'Files of a collection that are neither requests, definitions nor examples are not carried over.')
}

/** What is in a folder, by its order; what has none comes behind, by its name. */
function itemsIn({ folders, requests, examples }: Folder, path: readonly string[], notes: Notes): readonly object[] {
  const inner = [...folders].map(([directory, folder]) => {
    const { name: said, description, variables, auth, scripts, order } = folder.definition
    const name = text(said) || directory
    const own = [...path, name]
    const event = eventsOf(scripts, placeIn(own), notes)
    const held = { variable: rowsOf(variables), auth: authOf(auth), event }
    return { name, order, item: { name, description, ...held, item: itemsIn(folder, own, notes) } }
  })
  const others = requests.flatMap(({ stem, value }) => {
    const name = text(value.name) || stem
    const kind = text(value.$kind)
    if (kind !== 'http-request' && kind !== 'graphql-request') {
      notes.add(placeIn([...path, name]), 'Only HTTP requests are carried over.')
      return []
    }
    const own = [...(examples.get(stem) ?? [])].sort((a, b) => orderOf(a) - orderOf(b))
    return [{ name, order: value.order, item: requestOf(value, [...path, name], own, notes) }]
  })
  const byOrder = (a: Ordered, b: Ordered) => orderOf(a) - orderOf(b) || (a.name < b.name ? -1 : 1)
  return [...inner, ...others].sort(byOrder).map(({ item }) => item)
}

interface Ordered {
  readonly name: string
  readonly order: unknown
}

const orderOf = ({ order }: Fields | Ordered): number => (typeof order === 'number' ? order : Number.MAX_VALUE)

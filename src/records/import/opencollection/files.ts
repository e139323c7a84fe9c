import { type EnvironmentOfFile, type Notes, placeIn } from '../../formats/model.js'
import { folderAt } from '../folders.js'
import { type Fields, fields, text } from '../loose.js'
import type { Reading, ReadSource } from '../parts.js'
import { itemOf, rootOf } from './items.js'
import { isItem, openCollection, readOpenEnvironment } from './opencollection.js'

/** The names of the file at the root. */
const ROOT = /^opencollection\.ya?ml$/
const FOLDER = /^folder\.ya?ml$/
const YAML = /\.ya?ml$/
const ENVIRONMENT = /^environments\/([^/]+)\.ya?ml$/

interface Folder {
  readonly items: Placed[]
  readonly folders: Map<string, Folder>
  own: Fields
}
type Placed = Fields & { readonly seq: number }

const newFolder = (): Folder => ({ items: [], folders: new Map(), own: {} })
const LAST = Number.MAX_SAFE_INTEGER

/** Reads the directory of a collection: its files by their paths below it. `name` is what it is called where no file says so. */
export function readOpenFiles(files: ReadonlyMap<string, string>, name: string, { notes, parse }: Reading): ReadSource {
  const top = newFolder()
  const environments: EnvironmentOfFile[] = []
  let root: Fields = {}
  for (const [path, file] of files) {
    const [, environment] = ENVIRONMENT.exec(path) ?? []
    if (ROOT.test(path)) root = fields(parse(file))
    else if (environment !== undefined) environments.push(readOpenEnvironment(parse(file), environment, notes))
    else if (!path.includes('node_modules/')) put(top, path, file, { notes, parse })
  }
  const info = { name, ...fields(root.info) }
  return openCollection({ ...root, info }, sorted(top, [], notes), environments, notes)
}

function put(top: Folder, path: string, file: string, { notes, parse }: Reading): void {
  const [name = '', ...above] = path.split('/').toReversed()
  const isDocument = /\.(md|markdown)$/i.test(name)
  const value = YAML.test(name) ? parse(file) : null
  if (!isDocument && !isItem(value)) {
    if (/\.(js|json|har)$/i.test(name) || value !== null)
      notes.add(path, 'Files of a collection that are neither requests nor documents are not carried over.')
    return
  }
  const folder = folderAt(top, above.toReversed(), newFolder)
  const item = fields(value)
  const info = fields(item.info)
  if (isDocument) folder.items.push({ type: 'document', name, content: file, seq: LAST })
  else if (FOLDER.test(name)) folder.own = item
  else folder.items.push({ ...item, info: { name: name.replace(YAML, ''), ...info }, seq: seqOf(info.seq) })
}

function sorted({ items, folders }: Folder, path: readonly string[], notes: Notes): readonly Fields[] {
  const inside = [...folders].map(([directory, folder]) => {
    const info = fields(folder.own.info)
    const name = text(info.name) || directory
    const own = [...path, name]
    const root = rootOf(folder.own, placeIn(own), notes)
    return { type: 'folder', name, seq: seqOf(info.seq), root, items: sorted(folder, own, notes) }
  })
  const others = items.map((one) => (one.type === 'document' ? one : { ...itemOf(one, path, notes), seq: one.seq }))
  return [...inside, ...others].toSorted((a, b) => a.seq - b.seq)
}

const seqOf = (value: unknown): number => (typeof value === 'number' ? value : LAST - 1)

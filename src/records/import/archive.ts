import type { ImportBounds } from '../../config/importBounds.js'
import { HubError } from '../../errors.js'
import { brunoOfFiles } from './bruFiles.js'
import { readBruno } from './bruno.js'
import { isBruEnvironment, readBruEnvironment } from './environments/bruno.js'
import { harborClientName, harborClientRoot, readHarborClientFiles } from './harborclientFiles.js'
import { fields, text } from './loose.js'
import { readOpenFiles } from './opencollection/files.js'
import type { FilePart, Reading, ReadSource } from './parts.js'
import { isV3File, readV3Files, v3Root } from './postmanV3/files.js'
import { partsOfValue, together } from './valueFormats.js'
import { parsedValue } from './values.js'

/** The files of a folder by their paths. */
type Files = ReadonlyMap<string, string>

/** The file at a path; undefined where there is none. */
type FileAt = (path: string) => string | undefined

/** A format that keeps a collection in a folder of files. */
interface FolderFormat {
  readonly format: 'bruno' | 'opencollection' | 'postman-v3' | 'harborclient'
  /** The folder of the collection where a file tells it, by its path and its content; null for another file. */
  readonly rootOf: (path: string, file: string) => string | null
  /** True for any file by which a collection is told where no file tells its folder. */
  readonly isOf: (path: string, file: string) => boolean
  /** What the files at the root say that the collection is called; empty where they do not. */
  readonly nameIn: (files: Files, parse: Reading['parse']) => string
  /** `above` has what is below the folder that the folder of the collection is in. */
  readonly read: (files: Files, name: string, reading: Reading, above: FileAt) => ReadSource
}

const FOLDER_FORMATS: readonly FolderFormat[] = [
  {
    format: 'bruno',
    rootOf: (path) => (/^(bruno\.json|collection\.bru)$/.test(nameOf(path)) ? folderOf(path) : null),
    isOf: (path, file) => path.endsWith('.bru') && !isBruEnvironment(file),
    nameIn: (files, parse) => text(fields(parse(files.get('bruno.json') ?? '{}')).name),
    read: (files, name, { notes }) => readBruno(brunoOfFiles(files, name, notes), notes)
  },
  {
    format: 'opencollection',
    rootOf: (path, file) =>
      /^opencollection\.ya?ml$/.test(nameOf(path)) && /^["']?opencollection["']?[ \t]*:/m.test(file)
        ? folderOf(path)
        : null,
    isOf: (path, file) =>
      /\.ya?ml$/.test(path) && /^info:/m.test(file) && /^[ \t]+type:[ \t]*["']?(http|graphql|folder)\b/m.test(file),
    nameIn: (files, parse) => text(fields(fields(parse(files.get('opencollection.yml') ?? '{}')).info).name),
    read: readOpenFiles
  },
  {
    format: 'postman-v3',
    rootOf: (path, file) => (isV3File(path, file) ? v3Root(path) : null),
    isOf: isV3File,
    nameIn: (files, parse) => text(fields(parse(files.get('.resources/definition.yaml') ?? '{}')).name),
    read: readV3Files
  },
  {
    format: 'harborclient',
    rootOf: harborClientRoot,
    isOf: () => false,
    nameIn: harborClientName,
    read: readHarborClientFiles
  }
]

/** What an archive brings, and the files in it that are of no format. */
export interface Archive {
  readonly parts: readonly FilePart[]
  readonly unknown: readonly string[]
}

/**
 * What a folder of files brings, told by their content: collections that are folders, then files that are collections, then the
 * environments that are files of their own, together.
 */
export function archiveOf(files: Files, bounds: ImportBounds): Archive {
  const parse = (text: string) => parsedValue(text, bounds)
  const folders = FOLDER_FORMATS.flatMap((one) => foldersOf(files, one, parse))
  const alone = [...files].filter(([path]) => !folders.some(({ id }) => path.startsWith(id)))
  const told = alone.map(([path, file]) => ({ path, parts: partsOfFile(path, file, parse) }))
  const parts = [...folders, ...told.flatMap(({ parts }) => parts)]
  const unknown = told.filter(({ path, parts }) => parts.length === 0 && VALUES.test(path))
  return { parts: together(parts), unknown: unknown.map(({ path }) => path).filter((path) => path !== 'archive.json') }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** The collections that are folders of a format: by the files at their roots, else by the files that are of it. */
function foldersOf(
  files: Files,
  { format, rootOf, isOf, nameIn, read }: FolderFormat,
  parse: Reading['parse']
): readonly FilePart[] {
  const roots = outermost(new Set([...files].flatMap(([path, file]) => rootOf(path, file) ?? [])))
  const others = [...files]
    .filter(([path, file]) => isOf(path, file) && !roots.some((root) => path.startsWith(root)))
    .map(([path]) => path)
  const all = others.length > 0 ? outermost(new Set([...roots, commonFolder(others)])) : roots
  return all.map((root) => {
    const inside = new Map(
      [...files].filter(([path]) => path.startsWith(root)).map(([path, file]) => [path.slice(root.length), file])
    )
    const name = nameIn(inside, (text) => valueIn(text, parse)) || nameOf(root.slice(0, -1)) || 'Imported collection'
    return {
      ...{ id: root, name, format, brings: 'collection' },
      read(notes) {
        const above: FileAt = (path) => files.get(`${folderOf(root.slice(0, -1))}${path}`)
        const source = read(inside, name, { notes, parse }, above)
        return { source, environments: source.environments ?? [] }
      }
    }
  })
}

const outermost = (folders: ReadonlySet<string>): readonly string[] =>
  [...folders].filter((one) => ![...folders].some((other) => other !== one && one.startsWith(other)))

/** The innermost folder that all of these are in. */
function commonFolder(paths: readonly string[]): string {
  return paths.map(folderOf).reduce((common, folder) => {
    let shared = common
    while (!folder.startsWith(shared)) shared = folderOf(shared.slice(0, -1))
    return shared
  })
}

/** What files of JSON and YAML are called. */
const VALUES = /\.(json|har|ya?ml)$/i

/** What one file brings that is in no folder of a format. */
function partsOfFile(path: string, file: string, parse: Reading['parse']): readonly FilePart[] {
  if (path.endsWith('.bru') && isBruEnvironment(file)) {
    const name = nameOf(path).slice(0, -'.bru'.length)
    const read: FilePart['read'] = (notes) => ({ source: null, environments: [readBruEnvironment(name, file, notes)] })
    return [{ id: path, name, format: 'bruno', brings: 'environments', read }]
  }
  if (!VALUES.test(path)) return []
  const value = valueIn(file, parse)
  const parts = value === null ? [] : partsOfValue(value)
  return parts.map((one) => ({ ...one, id: parts.length === 1 ? path : `${path}/${one.id}` }))
}

/** The value of a file; null where it is none. Refuses what is more than the limits. */
function valueIn(file: string, parse: Reading['parse']): unknown {
  try {
    return parse(file)
  } catch (error) {
    if (error instanceof HubError && error.status === 400) return null
    throw error
  }
}

import { type DocumentItem, type Item, type Notes, placeIn } from '../formats/model.js'

/** What formats of one file for each request have in common. */

/** A name that files may have everywhere, and none of its siblings has. It is taken then. */
export function freeName(name: string, taken: Set<string>): string {
  const plain = [...name].map((char) => (FORBIDDEN.test(char) ? '-' : char)).join('')
  const safe =
    plain
      .trim()
      .replace(/^\.+|[. ]+$/g, '')
      .slice(0, 100)
      .toWellFormed() || 'untitled'
  for (let count = 1; ; count++) {
    const free = count === 1 ? safe : `${safe} ${count}`
    if (taken.has(free.toLowerCase())) continue
    taken.add(free.toLowerCase())
    return free
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f]/

/** A folder that is being written: its path with a slash behind it, where it is, and the names that are taken in it. */
export interface WrittenFolder {
  readonly files: Map<string, string>
  readonly base: string
  readonly path: readonly string[]
  readonly names: Set<string>
}

/** Writes these documents of a container as they are. What else is in it tells whether they stood behind requests. */
export function writeDocuments(
  { files, base, path, names }: WrittenFolder,
  documents: readonly DocumentItem[],
  items: readonly Item[],
  notes: Notes
): void {
  const written = new Set<Item>(documents)
  const lastRequest = items.findLastIndex(({ kind }) => kind === 'request')
  if (items.some((one, i) => written.has(one) && i < lastRequest))
    notes.add(placeIn(path), 'Documents stand behind requests.')
  for (const { name, content } of documents) {
    const [stem, ending] = /\.(md|markdown)$/i.test(name) ? splitEnding(name) : [name, '.md']
    const file = `${freeName(stem, names)}${ending}`
    if (file !== name) notes.add(placeIn([...path, name]), `A document is named as files can be: ${file}`)
    files.set(`${base}${file}`, content)
  }
}

function splitEnding(name: string): readonly [string, string] {
  const at = name.lastIndexOf('.')
  return [name.slice(0, at), name.slice(at)]
}

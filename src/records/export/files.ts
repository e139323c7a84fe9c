import { type DocumentItem, type Item, type Notes, placeIn } from '../formats/model.js'

/** What formats of one file for each request have in common. */

/** The names that are taken in a folder, in small letters, with how many siblings have asked for each. */
export type TakenNames = Map<string, number>

/** Names that are taken before anything is written. */
export const takenNames = (...names: readonly string[]): TakenNames => new Map(names.map((one) => [one, 1]))

/** A name that files may have everywhere, and none of its siblings has. It is taken then. */
export function freeName(name: string, taken: TakenNames): string {
  const plain = [...name].map((char) => (FORBIDDEN.test(char) ? '-' : char)).join('')
  const safe =
    plain
      .trim()
      .replace(/^\.+/, '')
      .slice(0, 100)
      .replace(/[. ]+$/, '')
      .replace(DEVICE, '$1-')
      .toWellFormed() || 'untitled'
  const asked = safe.toLowerCase()
  for (let count = (taken.get(asked) ?? 0) + 1; ; count++) {
    const free = count === 1 ? safe : `${safe} ${count}`
    if (count > 1 && taken.has(free.toLowerCase())) continue
    taken.set(free.toLowerCase(), 1)
    taken.set(asked, count)
    return free
  }
}

/** What Windows takes for devices, whatever ending they have. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f]/

/** A folder that is being written: its path with a slash behind it, where it is, and the names that are taken in it. */
export interface WrittenFolder {
  readonly files: Map<string, string>
  readonly base: string
  readonly path: readonly string[]
  readonly names: TakenNames
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

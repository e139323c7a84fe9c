import { isDeepStrictEqual } from 'node:util'
import { EXPORT_FORMATS, type ExportFormat } from '../../../src/records/export/exported.js'
import { writeExport } from '../../../src/records/export/formats.js'
import { type CollectionTree, type Item, itemsOf } from '../../../src/records/formats/model.js'
import { type CollectionRead, readCollection } from '../read.js'
import { byBruno, byPostman, descriptions, fixtures, MOST, type Sample } from './files.js'
import { requestsRead } from './readers.js'

/**
 * Imports public files, exports each to every format, has the format's own library read it where there is one, imports it again and
 * compares. Prints a row for each file, then how many there are of what, as docs/import.md has it: `npm run samples`.
 */

/** What a tree says, folders first, without what its source calls things by. */
const said = ({ name, settings, items }: CollectionTree): unknown => ({
  name,
  settings,
  items: inOrder(items).map(itemSaid)
})
const inOrder = (items: readonly Item[]) => [
  ...items.filter(({ kind }) => kind === 'folder'),
  ...items.filter(({ kind }) => kind === 'request'),
  ...items.filter(({ kind }) => kind === 'document')
]
function itemSaid(item: Item): unknown {
  const { sourceId: _, ...rest } = item
  return 'items' in rest ? { ...rest, items: inOrder(rest.items).map(itemSaid) } : rest
}

function countsOf({ items }: CollectionTree) {
  const counts = { folder: 0, request: 0, document: 0 }
  for (const { item } of itemsOf(items)) counts[item.kind]++
  return counts
}
const shown = (tree: CollectionTree) => Object.values(countsOf(tree)).join('/')

/** The same, differs in what was told, or differs; `unread` where the library of the format finds other requests in it. */
type Outcome = 'equal' | 'told' | 'differs' | 'unread'

function roundTrip(tree: CollectionTree, format: ExportFormat): { readonly outcome: Outcome; readonly counts: string } {
  const { bytes, notes } = writeExport(tree, format)
  const found = attempt(() => requestsRead(format, bytes))
  const isRead = found === null || found === countsOf(tree).request
  const again = readCollection(bytes).tree
  if (!isRead) return { outcome: 'unread', counts: shown(again) }
  const isEqual = isDeepStrictEqual(said(again), said(tree))
  return { outcome: isEqual ? 'equal' : notes.length > 0 ? 'told' : 'differs', counts: shown(again) }
}

/** What comes of it; of what throws, its name. */
function attempt<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Tally = Record<Outcome, number>
const tallies = new Map<string, { files: number; readonly outcomes: Map<ExportFormat, Tally> }>()

function row(kind: string, { name, bytes }: Sample): void {
  const read = attempt((): CollectionRead => readCollection(bytes))
  if (typeof read === 'string') return void process.stdout.write(`| ${name} | ${kind} | refused: ${read} |\n`)
  const { tree, notes } = read
  if (tree.items.length === 0) return
  const tally = tallies.get(kind) ?? { files: 0, outcomes: new Map<ExportFormat, Tally>() }
  tallies.set(kind, tally)
  tally.files++
  const trips = EXPORT_FORMATS.map((format) => {
    const { outcome, counts } = roundTrip(tree, format)
    const own = tally.outcomes.get(format) ?? { equal: 0, told: 0, differs: 0, unread: 0 }
    own[outcome]++
    tally.outcomes.set(format, own)
    return `${outcome} ${counts}`
  })
  const lost = notes.map(({ what, count }) => (count > 1 ? `${what} (${count}×)` : what)).join(' ')
  process.stdout.write(`| ${name} | ${kind} | ${shown(tree)} | ${lost || '-'} | ${trips.join(' | ')} |\n`)
}

process.stdout.write(
  `| file | read as | folders/requests/documents | not carried over | ${EXPORT_FORMATS.join(' | ')} |\n`
)
process.stdout.write(`|${'---|'.repeat(4 + EXPORT_FORMATS.length)}\n`)
for (const one of fixtures()) {
  const read = attempt(() => readCollection(one.bytes).format)
  if (typeof read === 'string' && !read.includes(' ')) row(`${read}, from tests of tools`, one)
}
for (const one of descriptions().slice(0, MOST)) {
  row('openapi, published descriptions', one)
  const made = attempt(() => byBruno(one))
  if (typeof made !== 'string') {
    const [json, open, folder] = made
    if (json) row('bruno, an export as JSON by its library', json)
    if (open) row('opencollection, by its library', open)
    if (folder) row('bruno, a folder by its library', folder)
  }
  const postman = await byPostman(one).catch(() => null)
  if (postman) row('postman, by its library', postman)
}

process.stdout.write(
  `\n| read as | files | ${EXPORT_FORMATS.join(' | ')} |\n|---|---|${'---|'.repeat(EXPORT_FORMATS.length)}\n`
)
for (const [kind, { files, outcomes }] of tallies) {
  const cells = EXPORT_FORMATS.map((format) => {
    const { equal, told, differs, unread } = outcomes.get(format) ?? { equal: 0, told: 0, differs: 0, unread: 0 }
    return `${equal} / ${told} / ${differs}${unread > 0 ? ` (${unread} unread)` : ''}`
  })
  process.stdout.write(`| ${kind} | ${files} | ${cells.join(' | ')} |\n`)
}

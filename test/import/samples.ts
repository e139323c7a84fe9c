import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { EXPORT_FORMATS, writeExport } from '../../src/records/export/formats.js'
import { type CollectionTree, type Item, itemsOf } from '../../src/records/formats/model.js'
import { type Imported, readImport } from '../../src/records/import/formats.js'

/**
 * Imports the sample files of published packages, exports each and imports it again, and prints what came of it as the table of
 * docs/import.md. The packages are installed into a cache, without their scripts: `npm run samples`.
 */

/** Packages whose tests have files of other tools, both under the MIT licence. */
const PACKAGES = ['insomnia-importers@3.6.0', '@readme/oas-examples@8.2.2'] as const
const CACHE = join(tmpdir(), 'collections-hub-samples')

const folders = PACKAGES.map((name) => join(CACHE, 'node_modules', name.slice(0, name.lastIndexOf('@'))))
if (!folders.every((folder) => existsSync(folder))) {
  mkdirSync(CACHE, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', CACHE]
  execFileSync('npm', ['install', ...options, ...PACKAGES], { stdio: ['ignore', 'ignore', 'inherit'] })
}

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) {
      // The same documents in YAML.
      if (name !== 'node_modules' && name !== 'yaml') yield* filesIn(path)
    } else if (
      /(input\.(json|ya?ml|sh)|^[a-z0-9-]+\.(json|ya?ml))$/.test(name) &&
      !/output|package|tsconfig/.test(name)
    )
      yield path
  }
}

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

/** The same, differs in what was told, or differs. */
function roundTrip(tree: CollectionTree, format: (typeof EXPORT_FORMATS)[number]): string {
  const { bytes, notes } = writeExport(tree, format)
  if (isDeepStrictEqual(said(readImport(bytes, format).tree), said(tree))) return 'equal'
  return notes.length > 0 ? 'but for what it tells' : 'differs'
}

const rows: string[] = []
for (const folder of folders) {
  for (const path of filesIn(folder)) {
    const read = attempt(path)
    if (!read || read.tree.items.length === 0) continue
    const { format, tree, notes } = read
    const counts = { folder: 0, request: 0, document: 0 }
    for (const { item } of itemsOf(tree.items)) counts[item.kind]++
    const lost = notes.map(({ what, count }) => (count > 1 ? `${what} (${count}×)` : what)).join(' ')
    const trips = EXPORT_FORMATS.map((one) => roundTrip(tree, one))
    const name = path.slice(join(CACHE, 'node_modules').length + 1)
    rows.push(
      `| ${name} | ${format} | ${counts.folder} / ${counts.request} / ${counts.document} | ${lost || '-'} | ${trips.join(' | ')} |`
    )
  }
}
const HEAD = '| file | format | folders / requests / documents | not carried over | Postman | OpenAPI | Bruno | HAR |'
process.stdout.write(`${[HEAD, '|---|---|---|---|---|---|---|---|', ...rows].join('\n')}\n`)

/** Null for a file of no format. */
function attempt(path: string): Imported | null {
  try {
    return readImport(readFileSync(path))
  } catch {
    return null
  }
}

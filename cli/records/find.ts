import { Option } from 'clipanion'
import { nameKey } from '../../commands/keys.js'
import { systemEditor } from '../../commands/people/user/system.js'
import { nameOf } from '../../commands/record.js'
import { KINDS, kinds, type RestorableKind } from '../../commands/records/kinds.js'
import type { UserRow } from '../../queries/callers.js'
import { type NamedRecord, namesInCollection, pathOf } from '../../queries/names.js'
import { listUsers } from '../../queries/users.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import type { SearchResult } from '../../src/followers/search/results.js'
import { type SearchQuestion, search } from '../../src/followers/search/search.js'
import type { Snippet } from '../../src/followers/search/snippets.js'
import { LIMITS } from '../../src/limits.js'
import type { PagedReads } from '../../src/storage/storage.js'
import { AnsweringCommand, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { countValue, oneOfValue } from '../lib/option-values.js'

interface Found {
  readonly kind: RestorableKind | 'user'
  readonly id: string
  readonly name: string
  /** The collection that it is in, and the folders; empty where it stands on its own. */
  readonly where: string
  readonly snippets: readonly Snippet[]
}

const SEARCHED = ['user', ...KINDS] as const

export class FindCommand extends AnsweringCommand {
  static override readonly usage = usage('find', {
    description: 'Find records that have all of some words, and accounts whose name holds a text',
    details:
      'Records are found as `GET /search` finds them, of all collections, environments and snippets: by their names, URLs and texts, the best first. The last word may be the beginning of one.',
    examples: [
      ['Whatever is about payments', '$0 find pay'],
      ['Requests to a host', '$0 find api.example.com --kind request']
    ]
  })

  readonly text = Option.String({ name: 'text' })
  readonly kind = Option.String('--kind', { description: `<KIND> Only one kind: ${SEARCHED.join(', ')}` })
  readonly limit = Option.String('--limit', '50', { description: '<COUNT> How many at most; 50 by default' })

  protected run(): Promise<void> {
    const limit = countValue('--limit', this.limit)
    const kind = this.kind === undefined ? undefined : oneOfValue('--kind', this.kind, SEARCHED)
    if (this.text.length > LIMITS.searchQuery.max || nameKey(this.text) === '')
      throw new CliError('There is nothing to look for in this text, or too much.')
    return this.withLedger(async (ledger) => {
      const found: Found[] = []
      let isMore = false
      for await (const one of this.#everything(ledger, kind)) {
        isMore = found.length === limit
        if (isMore) break
        found.push(one)
      }
      if (this.json) return this.printJson({ found, more: isMore })
      if (found.length === 0)
        return this.print(`Nothing was found with "${this.text}", among ${kind ?? 'all'}${kind ? 's' : ' kinds'}.`)
      this.printList(
        ['kind', 'id', 'name', 'where', 'found in'],
        found.map((one) => [one.kind, one.id, one.name, one.where || '-', placeIn(one) || '-']),
        found.map(lineOf)
      )
      if (isMore) this.warn(`There are more than ${limit}. See: hub find --help, --limit.`)
    })
  }

  async *#everything(ledger: OpenLedger, kind: Found['kind'] | undefined): AsyncGenerator<Found, void> {
    const isOf = ({ name }: UserRow) => nameKey(name).includes(nameKey(this.text))
    const users = kind === undefined || kind === 'user' ? await listUsers(ledger.readModel) : []
    for (const { id, name } of users.filter(isOf)) yield { kind: 'user', id, name, where: '', snippets: [] }
    if (kind === 'user') return
    if (!(await ledger.indexer.caughtUp()).isComplete) {
      this.warn('Waiting until the search index has everything that was written…')
      await ledger.indexer.bringForward()
    }
    yield* records(ledger, { q: this.text, kinds: kind && [kind], limit: LIMITS.searchResults.max })
  }
}

function lineOf(one: Found): string {
  const { kind, id, name, where } = one
  const place = placeIn(one)
  return `${kind}  ${id}  ${name}${where === '' ? '' : `  in ${where}`}${place === '' ? '' : `  (${place})`}`
}

/** Where it was found, if not by its name. */
function placeIn({ snippets }: Found): string {
  const [first] = snippets
  return !first || first.field === 'name' ? '' : `${first.field}: ${first.text.replaceAll(/\s+/g, ' ').trim()}`
}

async function* records(ledger: OpenLedger, question: SearchQuestion): AsyncGenerator<Found, void> {
  const placeOf = placesIn(ledger.readModel)
  for (let cursor: string | undefined; ; ) {
    const { results, nextCursor } = await search(ledger, async () => systemEditor, { ...question, cursor })
    for (const { kind, id, name, snippets, ...at } of results)
      yield { kind, id, name, where: await placeOf(at), snippets }
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/** How to say where a record is; of each collection the folders are read once. */
function placesIn(readModel: PagedReads) {
  const known = new Map<string, { readonly name: string; readonly folders: ReadonlyMap<string, NamedRecord> }>()
  return async ({ collectionId, folderId }: Pick<SearchResult, 'collectionId' | 'folderId'>): Promise<string> => {
    if (collectionId === null) return ''
    const read = async () => {
      const row = await readModel.get(kinds.collection.table, collectionId)
      const folders = await namesInCollection(readModel, 'folder', collectionId)
      return { name: row ? nameOf(row) : collectionId, folders: new Map(folders.map((one) => [one.id, one])) }
    }
    const { name, folders } = known.get(collectionId) ?? (await read())
    known.set(collectionId, { name, folders })
    return [name, ...[pathOf(folders, folderId)].filter(Boolean)].join(' / ')
  }
}

import { Command, Option } from 'clipanion'
import { isMember, KINDS, type Member, type RestorableKind } from '../commands/kinds.js'
import { nameKey } from '../projections/keys.js'
import { type NamedRecord, namesInCollection, namesOfKind, pathOf } from '../queries/names.js'
import { requestLines } from '../queries/requests.js'
import { listUsers } from '../queries/users.js'
import type { PagedReads } from '../src/storage/storage.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'
import { countValue, oneOfValue } from './option-values.js'

interface Found {
  readonly kind: RestorableKind | 'user'
  readonly id: string
  readonly name: string
  /** The collection that it is in, and the folders; empty where it stands on its own. */
  readonly where: string
}

const SEARCHED = ['user', ...KINDS] as const

/** `hub find`: everything whose name holds a text, and requests whose address does. */
export class FindCommand extends AnsweringCommand {
  static override readonly paths = [['find']]
  static override readonly usage = Command.Usage({
    category: 'Collections',
    description: 'Find accounts and records whose name holds a text, and requests whose URL does',
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
    const text = nameKey(this.text)
    if (text === '') throw new CliError('There is nothing to look for in this text.')
    return this.withLedger(async ({ view }) => {
      const found: Found[] = []
      let isMore = false
      for await (const one of search(view, text, kind === undefined ? SEARCHED : [kind])) {
        isMore = found.length === limit
        if (isMore) break
        found.push(one)
      }
      if (this.json) return this.printJson({ found, more: isMore })
      if (found.length === 0)
        return this.print(
          `Nothing was found with "${this.text}" in its name, among ${kind ?? 'all'}${kind ? 's' : ' kinds'}.`
        )
      this.printList(
        ['kind', 'id', 'name', 'where'],
        found.map(({ kind, id, name, where }) => [kind, id, name, where || '-']),
        found.map(({ kind, id, name, where }) => `${kind}  ${id}  ${name}${where === '' ? '' : `  in ${where}`}`)
      )
      if (isMore) this.warn(`There are more than ${limit}. See: hub find --help, --limit.`)
    })
  }
}

async function* search(view: PagedReads, text: string, wanted: readonly Found['kind'][]): AsyncGenerator<Found, void> {
  const holds = (name: string) => nameKey(name).includes(text)
  if (wanted.includes('user'))
    for (const { id, name } of await listUsers(view)) if (holds(name)) yield { kind: 'user', id, name, where: '' }
  for (const kind of KINDS) {
    if (!wanted.includes(kind) || isMember(kind)) continue
    for await (const records of namesOfKind(view, kind))
      for (const { id, name } of records) if (holds(name)) yield { kind, id, name, where: '' }
  }
  const members = KINDS.filter(isMember).filter((kind) => wanted.includes(kind))
  if (members.length === 0) return
  for await (const collections of namesOfKind(view, 'collection'))
    for (const collection of collections) yield* inCollection(view, collection, members, holds)
}

async function* inCollection(
  view: PagedReads,
  { id: collectionId, name }: NamedRecord,
  wanted: readonly Member[],
  holds: (text: string) => boolean
): AsyncGenerator<Found, void> {
  const folders = new Map((await namesInCollection(view, 'folder', collectionId)).map((one) => [one.id, one]))
  const where = (folderId: string | null) => [name, ...[pathOf(folders, folderId)].filter(Boolean)].join(' / ')
  for (const kind of wanted) {
    if (kind === 'request') {
      for await (const page of requestLines(view, collectionId))
        for (const { id, name, url, folderId } of page)
          if (holds(name) || holds(url)) yield { kind, id, name, where: where(folderId) }
    } else {
      for (const { id, name, folderId } of await namesInCollection(view, kind, collectionId))
        if (holds(name)) yield { kind, id, name, where: where(folderId) }
    }
  }
}

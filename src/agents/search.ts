import { allows, type Caller } from '../../commands/context.js'
import { isMember, kinds, type Member, type RestorableKind } from '../../commands/kinds.js'
import { nameKey } from '../../projections/keys.js'
import { type NamedRecord, namesInCollection, namesOfKind, pathOf } from '../../queries/names.js'
import type { ReadStore } from '../storage/storage.js'
import { giveWay } from '../turns.js'

/** What is looked for. */
export interface SearchQuestion {
  readonly query: string
  readonly kinds: readonly RestorableKind[]
  /** Only what this collection holds. */
  readonly collectionId?: string | undefined
  readonly limit: number
}

export interface FoundRecord {
  readonly kind: RestorableKind
  readonly id: string
  readonly name: string
  /** Null for what stands on its own. */
  readonly collectionId: string | null
  /** The collection and the folders that it is in. */
  readonly where: string
}

/** Finds records that a caller may see. `more` is true where there is more to be found, or too much to go through. */
export type Search = (
  caller: Caller,
  question: SearchQuestion
) => Promise<{ readonly results: readonly FoundRecord[]; readonly more: boolean }>

/** So many names are gone through for one question. */
const NAMES_MAX = 50_000

/** Searches by names, of which the first 160 characters count. */
export const searchNames =
  (view: ReadStore): Search =>
  async (caller, { query, kinds: wanted, collectionId, limit }) => {
    const text = nameKey(query)
    const results: FoundRecord[] = []
    let seen = 0
    for await (const some of namedRecords(view, caller, wanted, collectionId)) {
      for (const one of some) {
        if (++seen > NAMES_MAX) return { results, more: true }
        await giveWay()
        if (text === '' || !nameKey(one.name).includes(text)) continue
        if (results.length === limit) return { results, more: true }
        results.push(one)
      }
    }
    return { results, more: false }
  }

async function* namedRecords(
  view: ReadStore,
  caller: Caller,
  wanted: readonly RestorableKind[],
  collectionId: string | undefined
): AsyncGenerator<readonly FoundRecord[], void> {
  const members = wanted.filter(isMember)
  for (const kind of wanted) {
    if (isMember(kind) || collectionId !== undefined) continue
    const { access } = kinds[kind]
    for await (const records of namesOfKind(view, kind)) {
      const allowed = records.filter(({ id }) => allows(caller[access], id))
      yield allowed.map(({ id, name }) => ({ kind, id, name, collectionId: null, where: '' }))
    }
  }
  if (members.length === 0) return
  for await (const collections of namesOfKind(view, 'collection'))
    for (const collection of collections)
      if (allows(caller.collectionAccess, collection.id) && (collectionId ?? collection.id) === collection.id)
        yield* inCollection(view, collection, members)
}

async function* inCollection(view: ReadStore, { id, name: collection }: NamedRecord, wanted: readonly Member[]) {
  const folders = new Map((await namesInCollection(view, 'folder', id)).map((one) => [one.id, one]))
  const where = (folderId: string | null) => [collection, pathOf(folders, folderId)].filter(Boolean).join(' / ')
  for (const kind of wanted)
    yield (await namesInCollection(view, kind, id)).map((one) => ({
      kind,
      id: one.id,
      name: one.name,
      collectionId: id,
      where: where(one.folderId)
    }))
}

import { z } from 'zod'
import { collectionContent } from '../../../commands/records/collection/events.js'
import { documentContent } from '../../../commands/records/document/events.js'
import { requestContent } from '../../../commands/records/request/events.js'
import type { Frozen } from '../../lib/frozen.js'
import { grouped } from '../../lib/grouped.js'
import type { CollectionTree, Item } from '../formats/model.js'

const list = z.array(z.string())
/** A collection with all that it holds, as the JSON texts that clients get. */
export const collectionTexts = z.object({ collection: z.string(), folders: list, requests: list, documents: list })
export type CollectionTexts = Frozen<z.infer<typeof collectionTexts>>

const placed = { id: z.string(), sortOrder: z.number() }
const collection = collectionContent.extend({ id: z.string() })
const folder = z.object({ ...placed, name: z.string(), parentFolderId: z.string().nullable() })
const request = requestContent.omit({ marker: true }).extend({ ...placed, folderId: z.string().nullable() })
const document = documentContent.omit({ marker: true }).extend({ ...placed, folderId: z.string().nullable() })

interface Placed {
  readonly folderId: string | null
  readonly sortOrder: number
  readonly item: Item
}

/** The tree of a collection. What stands in a folder that is not there is left at the root. */
export function treeOf(texts: CollectionTexts): CollectionTree {
  const { id, name, variables, headers, auth, preRequestScript, postRequestScript } = collection.parse(
    JSON.parse(texts.collection)
  )
  const folders = texts.folders.map((text) => folder.parse(JSON.parse(text)))
  const known = new Set(folders.map((one) => one.id))
  const within = (container: string | null) => (container !== null && known.has(container) ? container : null)
  const foldersIn = grouped(folders, (one) => within(one.parentFolderId))
  const requests = texts.requests.map((text): Placed => {
    const { id: sourceId, folderId, sortOrder, ...content } = request.parse(JSON.parse(text))
    return { folderId, sortOrder, item: { kind: 'request', sourceId, content } }
  })
  const documents = texts.documents.map((text): Placed => {
    const { id: sourceId, folderId, sortOrder, name, content } = document.parse(JSON.parse(text))
    return { folderId, sortOrder, item: { kind: 'document', sourceId, name, content } }
  })
  const inside = grouped([...requests, ...documents], (one) => within(one.folderId))
  const itemsIn = (container: string | null): readonly Item[] => {
    const own = foldersIn.get(container) ?? []
    const others = inside.get(container) ?? []
    return [
      ...own
        .toSorted((a, b) => a.sortOrder - b.sortOrder)
        .map(({ id, name }): Item => ({ kind: 'folder', sourceId: id, name, items: itemsIn(id) })),
      ...others.toSorted((a, b) => a.sortOrder - b.sortOrder).map(({ item }) => item)
    ]
  }
  const settings = { variables, headers, auth, preRequestScript, postRequestScript }
  return { name, sourceId: id, settings, items: itemsIn(null) }
}

/** Those of these ids that are folders, and the folders within them, however deep. */
export function foldersWithin(folders: readonly string[], ids: readonly string[]): ReadonlySet<string> {
  const all = folders.map((text) => folder.parse(JSON.parse(text)))
  const inside = grouped(all, ({ parentFolderId }) => parentFolderId)
  const wanted = new Set(ids)
  const within = new Set(all.map(({ id }) => id).filter((id) => wanted.has(id)))
  // A set goes on with what is added on the way.
  for (const id of within) for (const child of inside.get(id) ?? []) within.add(child.id)
  return within
}

/** What of a tree has these ids, with all that it holds, in the folders that it is in. */
export function partOf(tree: CollectionTree, ids: ReadonlySet<string>): CollectionTree {
  return { ...tree, items: itemsOf(tree.items, ids) }
}

function itemsOf(items: readonly Item[], ids: ReadonlySet<string>): readonly Item[] {
  return items.flatMap((item): readonly Item[] => {
    if (item.sourceId !== null && ids.has(item.sourceId)) return [item]
    if (item.kind !== 'folder') return []
    const inside = itemsOf(item.items, ids)
    return inside.length === 0 ? [] : [{ ...item, items: inside }]
  })
}

import { collectionContent } from '../../commands/records/collection/events.js'
import { documentContent } from '../../commands/records/document/events.js'
import { environmentContent } from '../../commands/records/environment/events.js'
import { requestContent } from '../../commands/records/request/events.js'
import { snippetContent } from '../../commands/records/snippet/events.js'
import { isInItself } from '../../commands/records/within.js'
import { emitImported } from '../../commands/takeover/events.js'
import { type OrderedRecord, renumbered } from './orders.js'
import type { Places } from './places.js'
import type { LegacyRecord } from './read.js'
import { originOf } from './records.js'
import type { Sink } from './sink.js'
import { type LegacySource, latestLast } from './source.js'
import { type People, personOf } from './users.js'

/** Who is who, what is told of what is taken, and since when what happened is news. */
export interface Taking {
  readonly people: People
  readonly places: Places
  readonly since: string
}

type Lockable = LegacyRecord<'collections' | 'environments' | 'snippets'>
type LockableImported = 'CollectionImported' | 'EnvironmentImported' | 'SnippetImported'

/** Takes over what stands on its own. */
export async function standalone(
  source: LegacySource,
  sink: Sink,
  { people, places, since }: Taking
): Promise<ReadonlySet<string>> {
  const imported = (one: Lockable, type: LockableImported, content: object) => {
    const { id, deletionLocked } = one
    return emitImported(id, type, { content, deletionLocked, origin: originOf(one, people) })
  }
  for await (const one of source.records('collections')) {
    const event = imported(one, 'CollectionImported', collectionContent.parse(one))
    if (await sink.add(source, 'collections', event)) places.add('collection', one.id, one.id)
  }
  const environments: LegacyRecord<'environments'>[] = []
  for await (const one of source.records('environments')) environments.push(one)
  const ids = new Set(environments.map(({ id }) => id))
  for (const one of environments) {
    const { id, parentUuid: parent } = one
    const parentUuid = parent !== null && parent !== id && ids.has(parent) ? parent : null
    const content = environmentContent.parse({ ...one, parentUuid })
    await sink.add(source, 'environments', imported(one, 'EnvironmentImported', content))
  }
  for await (const one of source.records('snippets')) {
    await sink.add(source, 'snippets', imported(one, 'SnippetImported', snippetContent.parse(one)))
  }
  const runResults = new Set<string>()
  for await (const one of latestLast(source, 'run_results', since)) {
    const { id, kind, label, collectionName, requestName, payload, createdAt } = one
    const summary = { passed: one.summaryPassed, failed: one.summaryFailed, skipped: one.summarySkipped }
    const createdBy = personOf(people, one.createdByUserId)
    const data = { kind, label, collectionName, requestName, summary, payload, createdAt, createdBy }
    if (!(await sink.add(source, 'run_results', emitImported(id, 'RunResultImported', data)))) continue
    places.add('runResult', id, null)
    runResults.add(id)
  }
  return runResults
}

/** Takes over what collections hold, and returns who saved each request last. */
export async function contents(
  source: LegacySource,
  sink: Sink,
  { people, places, since }: Taking
): Promise<ReadonlyMap<string, string>> {
  const collections = new Set<string>()
  for await (const { id } of source.records('collections')) collections.add(id)
  const folders = new Map<string, LegacyRecord<'folders'>>()
  for await (const folder of source.records('folders')) {
    if (collections.has(folder.collectionId)) folders.set(folder.id, folder)
    else source.refuse('folders', folder.id, 'its collection is gone')
  }
  /** The folder that something of a collection is in; null for its root, also where the folder is gone. */
  const within = (collectionId: string, folderId: string | null) =>
    folderId !== null && folders.get(folderId)?.collectionId === collectionId ? folderId : null

  const parents = new Map([...folders.values()].map((one) => [one.id, within(one.collectionId, one.parentFolderId)]))
  for (const id of parents.keys()) {
    if (!isInItself(id, (one) => parents.get(one) ?? null)) continue
    parents.set(id, null)
    source.report('folders').notes.push(`${id}: it was in itself, and stands at the root of its collection.`)
  }
  const folderOrders = renumbered(
    [...folders.values()].map(({ id, collectionId, sortOrder, name }) => ({
      ...{ id, sortOrder, name, rank: 0 },
      container: parents.get(id) ?? collectionId
    }))
  )
  for (const folder of folders.values()) {
    const { id, collectionId, name, marker } = folder
    const parentFolderId = parents.get(id) ?? null
    const sortOrder = folderOrders.get(id) ?? 0
    const data = { collectionId, parentFolderId, sortOrder, name, marker, origin: originOf(folder, people) }
    const event = emitImported(id, 'FolderImported', data)
    if (await sink.add(source, 'folders', event)) places.add('folder', id, collectionId)
  }

  const records: OrderedRecord[] = []
  for (const [rank, table] of (['requests', 'documents'] as const).entries()) {
    for await (const { id, collectionId, folderId, sortOrder, name } of source.records(table)) {
      if (!collections.has(collectionId)) source.refuse(table, id, 'its collection is gone')
      else records.push({ id, sortOrder, name, rank, container: within(collectionId, folderId) ?? collectionId })
    }
  }
  const orders = renumbered(records)
  const savedBy = new Map<string, string>()
  for await (const request of latestLast(source, 'requests', since)) {
    const { id, collectionId } = request
    const sortOrder = orders.get(id)
    if (sortOrder === undefined) continue
    const content = requestContent.parse(request)
    const folderId = within(collectionId, request.folderId)
    const origin = originOf(request, people)
    const data = { collectionId, folderId, sortOrder, content, origin }
    if (!(await sink.add(source, 'requests', emitImported(id, 'RequestImported', data)))) continue
    places.add('request', id, collectionId)
    if (origin.updatedBy !== null && origin.updatedAt !== origin.createdAt) savedBy.set(id, origin.updatedBy)
  }
  for await (const document of source.records('documents')) {
    const { id, collectionId } = document
    const sortOrder = orders.get(id)
    if (sortOrder === undefined) continue
    const folderId = within(collectionId, document.folderId)
    const content = documentContent.parse(document)
    const data = { collectionId, folderId, sortOrder, content, origin: originOf(document, people) }
    await sink.add(source, 'documents', emitImported(id, 'DocumentImported', data))
  }
  return savedBy
}

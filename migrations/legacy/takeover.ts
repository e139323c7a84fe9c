import { emitImported, importedKinds } from '../../commands/import/events.js'
import type { NewEvent } from '../../src/log/event.js'
import { type OrderedRecord, renumbered } from './orders.js'
import type { LegacyRecord } from './read.js'
import { originOf, userImported } from './records.js'
import { type Sink, sinkOf, type Take } from './sink.js'
import { type LegacySource, refuse } from './source.js'
import { type Here, tokens } from './tokens.js'
import { namedHere, type People, peopleOf, personOf } from './users.js'

/** Takes an older hub over: its rows become events, with their ids, times and creators. Reports go to the source. */
export async function takeOver(source: LegacySource, take: Take, here: Here, now: string): Promise<void> {
  const sink = sinkOf(take)
  const users = await all(source.records('users'))
  const people = peopleOf(users)
  const named = namedHere(users, here.names)
  for (const note of named.notes) source.report('users').notes.push(note)
  for (const { user, name } of named.users) await sink.add(source, 'users', userImported(user, name, people))
  await tokens(source, sink, people, named.bootstrapId, here, now)
  await standalone(source, sink, people)
  await contents(source, sink, people)
  await usage(source, sink)
  for await (const { id, createdAt, userId, userName, action, entityType, entityId, metadata } of source.records(
    'audit_log'
  )) {
    const data = { userId, userName, action, entityType, entityId, createdAt, metadata: metadata ?? null }
    await sink.add(source, 'audit_log', emitImported(id, 'AuditEntryImported', data))
  }
  const taken = Object.fromEntries([...source.reports].map(([table, report]) => [table, report.taken]))
  await sink.end(emitImported(source.tenant, 'TakeoverCompleted', { tables: taken }))
}

/** The stream that says that a tenant is taken over. */
export function markerOf(tenant: string): string {
  return `takeover-${tenant}`
}

const BEGUN = 'begun'
/** The stream that says which tenants somebody has begun to take over. */
export const BEGUN_STREAM = `${importedKinds.TakeoverBegun}-${BEGUN}`

/** The event that says so. */
export function begunEvent(tenant: string): NewEvent {
  return emitImported(BEGUN, 'TakeoverBegun', { tenant })
}

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = []
  for await (const record of records) result.push(record)
  return result
}

async function standalone(source: LegacySource, sink: Sink, people: People): Promise<void> {
  for await (const one of source.records('collections')) {
    const { id, name, variables, headers, auth, preRequestScript, postRequestScript, marker, deletionLocked } = one
    const content = { name, variables, headers, auth, preRequestScript, postRequestScript, marker }
    const data = { content, deletionLocked, origin: originOf(one, people) }
    await sink.add(source, 'collections', emitImported(id, 'CollectionImported', data))
  }
  const environments = await all(source.records('environments'))
  const ids = new Set(environments.map(({ id }) => id))
  for (const one of environments) {
    const { id, name, variables, marker, deletionLocked } = one
    const parentUuid =
      one.parentUuid !== null && one.parentUuid !== id && ids.has(one.parentUuid) ? one.parentUuid : null
    const data = { content: { name, variables, marker, parentUuid }, deletionLocked, origin: originOf(one, people) }
    await sink.add(source, 'environments', emitImported(id, 'EnvironmentImported', data))
  }
  for await (const one of source.records('snippets')) {
    const { id, name, code, scope, sortOrder, deletionLocked } = one
    const data = { content: { name, code, scope, sortOrder }, deletionLocked, origin: originOf(one, people) }
    await sink.add(source, 'snippets', emitImported(id, 'SnippetImported', data))
  }
  for await (const one of source.records('run_results')) {
    const { id, kind, label, collectionName, requestName, payload, createdAt } = one
    const summary = { passed: one.summaryPassed, failed: one.summaryFailed, skipped: one.summarySkipped }
    const createdBy = personOf(people, one.createdByUserId)
    const data = { kind, label, collectionName, requestName, summary, payload, createdAt, createdBy }
    await sink.add(source, 'run_results', emitImported(id, 'RunResultImported', data))
  }
}

async function contents(source: LegacySource, sink: Sink, people: People): Promise<void> {
  const collections = new Set<string>()
  for await (const { id } of source.records('collections')) collections.add(id)
  const folders = new Map<string, LegacyRecord<'folders'>>()
  for await (const folder of source.records('folders')) {
    if (collections.has(folder.collectionId)) folders.set(folder.id, folder)
    else refuse(source.report('folders'), folder.id, 'its collection is gone')
  }
  /** The folder that something of a collection is in; null for its root, also where the folder is gone. */
  const within = (collectionId: string, folderId: string | null) =>
    folderId !== null && folders.get(folderId)?.collectionId === collectionId ? folderId : null

  const folderOrders = renumbered(
    [...folders.values()].map(({ id, collectionId, parentFolderId, sortOrder, name }) => ({
      ...{ id, sortOrder, name, rank: 0 },
      container: within(collectionId, parentFolderId) ?? collectionId
    }))
  )
  for (const folder of folders.values()) {
    const { id, collectionId, name, marker } = folder
    const parentFolderId = within(collectionId, folder.parentFolderId)
    const sortOrder = folderOrders.get(id) ?? 0
    const data = { collectionId, parentFolderId, sortOrder, name, marker, origin: originOf(folder, people) }
    await sink.add(source, 'folders', emitImported(id, 'FolderImported', data))
  }

  const records: OrderedRecord[] = []
  for (const [rank, table] of (['requests', 'documents'] as const).entries()) {
    for await (const { id, collectionId, folderId, sortOrder, name } of source.records(table)) {
      if (!collections.has(collectionId)) refuse(source.report(table), id, 'its collection is gone')
      else records.push({ id, sortOrder, name, rank, container: within(collectionId, folderId) ?? collectionId })
    }
  }
  const orders = renumbered(records)
  for await (const request of source.records('requests')) {
    const { id, collectionId, createdAt: _, ...rest } = request
    const sortOrder = orders.get(id)
    if (sortOrder === undefined) continue
    const { name, method, url, headers, params, auth, body, bodyType, comment, protocol, marker } = rest
    const { preRequestScript, postRequestScript } = rest
    const scripts = { preRequestScript, postRequestScript }
    const content = { name, method, url, headers, params, auth, body, bodyType, ...scripts, comment, protocol, marker }
    const folderId = within(collectionId, request.folderId)
    const data = { collectionId, folderId, sortOrder, content, origin: originOf(request, people) }
    await sink.add(source, 'requests', emitImported(id, 'RequestImported', data))
  }
  for await (const document of source.records('documents')) {
    const { id, collectionId, name, content: text, marker } = document
    const sortOrder = orders.get(id)
    if (sortOrder === undefined) continue
    const folderId = within(collectionId, document.folderId)
    const content = { name, content: text, marker }
    const data = { collectionId, folderId, sortOrder, content, origin: originOf(document, people) }
    await sink.add(source, 'documents', emitImported(id, 'DocumentImported', data))
  }
}

async function usage(source: LegacySource, sink: Sink): Promise<void> {
  const logged = new Map<string, number>()
  for await (const { id, apiTokenId: tokenId, tenantId: _, ...step } of source.records('llm_usage_log')) {
    const month = `${step.period}:${step.userId}`
    logged.set(month, (logged.get(month) ?? 0) + step.promptTokens + step.completionTokens)
    const data = { ...step, tokenId, outcome: 'completed', estimated: false }
    await sink.add(source, 'llm_usage_log', emitImported(id, 'LlmStepImported', data))
  }
  for await (const { userId, period, promptTokens, completionTokens, totalTokens } of source.records('llm_usage')) {
    const month = `${period}:${userId}`
    const unloggedTokens = totalTokens - (logged.get(month) ?? 0)
    if (unloggedTokens !== 0) {
      const why = `${month} has ${totalTokens} tokens, its log ${totalTokens - unloggedTokens}: the rollup counts`
      source.report('llm_usage').notes.push(why)
    }
    const data = { userId, period, promptTokens, completionTokens, totalTokens, unloggedTokens }
    await sink.add(source, 'llm_usage', emitImported(month, 'LlmUsageImported', data))
  }
}

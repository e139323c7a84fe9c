import { z } from 'zod'
import { collectionContent } from '../../commands/collection/events.js'
import { documentContent } from '../../commands/document/events.js'
import { environmentContent } from '../../commands/environment/events.js'
import { origin } from '../../commands/import/events.js'
import type { Command } from '../../commands/index.js'
import { requestContent } from '../../commands/request/events.js'
import { snippetContent } from '../../commands/snippet/events.js'
import type { Restorable } from '../../commands/undelete/decide.js'
import type { RestorableKind } from '../../projections/departures.js'
import type { Row } from '../storage/storage.js'

/** What a row of the past says, taken apart into what commands and events are made of. */

const placeColumns = z.object({ collectionId: z.string(), container: z.string(), sortOrder: z.number() })
const lockColumns = z.object({ deletionLocked: z.boolean() })
const environmentColumns = z.object({ parentUuid: z.string().nullable() })
const snippetColumns = z.object({ sortOrder: z.number() })
const folderBody = z.object({ name: z.string(), marker: z.string().nullable() })
const environmentBody = environmentContent.omit({ parentUuid: true })
const snippetBody = snippetContent.omit({ sortOrder: true })

/** Where the row stood: its collection, and the folder that it was in, null at the root. */
function placeOf(row: Row) {
  const { collectionId, container, sortOrder } = placeColumns.parse(row)
  return { collectionId, inside: container === collectionId ? null : container, sortOrder }
}

/** Where a row of such a kind stood; null for a kind that stands nowhere. */
export function placed(kind: string, row: Row) {
  return kind === 'folder' || kind === 'request' || kind === 'document' ? placeOf(row) : null
}

const attributionColumns = z.object({ createdBy: z.string().nullable(), updatedBy: z.string().nullable() })

/** The accounts that a row names, each once. */
export function attributed(row: Row): readonly string[] {
  const { createdBy, updatedBy } = attributionColumns.parse(row)
  return [...new Set([createdBy, updatedBy])].filter((id) => id !== null)
}

/** The environment that a row of an environment stands below; null for none, and for every other kind. */
export function parented(kind: string, row: Row): string | null {
  return kind === 'environment' ? environmentColumns.parse(row).parentUuid : null
}

/** The event that brings a deleted record back as its last row was. */
export function restorable(
  kind: RestorableKind,
  row: Row,
  { follows, deletionPositions }: { readonly follows: number; readonly deletionPositions: number[] }
): Restorable {
  const body: unknown = JSON.parse(row.body)
  const event = { id: row.id, stream: `${kind}-${row.id}`, follows }
  const also = { origin: origin.parse(row), deletionPositions }
  switch (kind) {
    case 'collection':
      return {
        ...event,
        type: 'CollectionRestored',
        data: { content: collectionContent.parse(body), ...lockColumns.parse(row), ...also }
      }
    case 'environment': {
      const content = { ...environmentBody.parse(body), ...environmentColumns.parse(row) }
      return { ...event, type: 'EnvironmentRestored', data: { content, ...lockColumns.parse(row), ...also } }
    }
    case 'snippet': {
      const content = { ...snippetBody.parse(body), ...snippetColumns.parse(row) }
      return { ...event, type: 'SnippetRestored', data: { content, ...lockColumns.parse(row), ...also } }
    }
    case 'folder': {
      const { inside: parentFolderId, ...place } = placeOf(row)
      return {
        ...event,
        type: 'FolderRestored',
        data: { ...folderBody.parse(body), ...place, parentFolderId, ...also }
      }
    }
    case 'request': {
      const { inside: folderId, ...place } = placeOf(row)
      return {
        ...event,
        type: 'RequestRestored',
        data: { content: requestContent.parse(body), ...place, folderId, ...also }
      }
    }
    case 'document': {
      const { inside: folderId, ...place } = placeOf(row)
      return {
        ...event,
        type: 'DocumentRestored',
        data: { content: documentContent.parse(body), ...place, folderId, ...also }
      }
    }
  }
}

/**
 * The command that gives a record the content that it had in a row of its past. It stays in its collection, and goes back to
 * the folder it was in where `hasFolder` knows that one still; `now` is its present row.
 */
export function restoring(
  kind: RestorableKind,
  past: Row,
  now: Row,
  known: { readonly folder: (id: string) => boolean; readonly environment: (id: string) => boolean },
  ifRevision: readonly number[] | undefined
): Command & { readonly id: string } {
  const { id } = now
  const body: unknown = JSON.parse(past.body)
  switch (kind) {
    case 'collection':
      return { type: 'UpdateCollection', id, content: collectionContent.parse(body), ifRevision }
    case 'environment': {
      const { parentUuid } = environmentColumns.parse(past)
      const isKnown = parentUuid === null || known.environment(parentUuid)
      const content = { ...environmentBody.parse(body), ...(isKnown && { parentUuid }) }
      return { type: 'UpdateEnvironment', id, content, ifRevision }
    }
    case 'snippet':
      return {
        type: 'UpdateSnippet',
        id,
        content: { ...snippetBody.parse(body), ...snippetColumns.parse(past) },
        ifRevision
      }
    case 'folder':
      return { type: 'UpdateFolder', id, ...folderBody.parse(body), ifRevision }
    case 'request':
      return {
        type: 'UpdateRequest',
        id,
        ...destination(past, now, known.folder),
        content: requestContent.parse(body),
        ifRevision
      }
    case 'document':
      return {
        type: 'UpdateDocument',
        id,
        ...destination(past, now, known.folder),
        content: documentContent.parse(body),
        ifRevision
      }
  }
}

/** The collection of the present, and the folder of the past where that can be. */
function destination(past: Row, now: Row, hasFolder: (id: string) => boolean) {
  const [was, is] = [placeOf(past), placeOf(now)]
  const isPossible = was.collectionId === is.collectionId && (was.inside === null || hasFolder(was.inside))
  return { collectionId: is.collectionId, folderId: isPossible ? was.inside : is.inside }
}

/** The folder or the parent environment that a row stands below, if any. */
export function above(kind: RestorableKind, row: Row): string | null {
  if (kind === 'environment') return environmentColumns.parse(row).parentUuid
  return kind === 'request' || kind === 'document' || kind === 'folder' ? placeOf(row).inside : null
}

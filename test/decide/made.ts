import { noAuth } from '../../commands/content.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import { emitDocument } from '../../commands/records/document/events.js'
import type { DocumentContent } from '../../commands/records/document/fields.js'
import { emitFolder } from '../../commands/records/folder/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import type { RequestContent } from '../../commands/records/request/fields.js'
import type { NewEvent } from '../../src/log/event.js'

/** Events by which things came to be, of which only what matters is said. */

export const collection = (id: string, name = id): NewEvent =>
  emitCollection(id, 'CollectionCreated', {
    name,
    variables: [],
    headers: [],
    auth: noAuth,
    preRequestScript: '',
    postRequestScript: '',
    marker: null
  })

/** A collection that is deleted, with what was in it. */
export const collectionDeleted = (
  id: string,
  held: { folders?: string[]; requests?: string[]; documents?: string[] } = {}
) => emitCollection(id, 'CollectionDeleted', { name: id, folders: [], requests: [], documents: [], ...held })

export const locked = (id: string): NewEvent => emitCollection(id, 'CollectionDeletionLocked', {})

export const folder = (id: string, collectionId: string, sortOrder = 1024, parentFolderId: string | null = null) =>
  emitFolder(id, 'FolderCreated', { collectionId, parentFolderId, sortOrder, name: id, marker: null })

/** The content of a request. */
export function content(name: string, changes: Partial<RequestContent> = {}): RequestContent {
  return {
    name,
    method: 'GET',
    url: '',
    headers: [],
    params: [],
    auth: noAuth,
    body: '',
    bodyType: 'none',
    preRequestScript: '',
    postRequestScript: '',
    comment: '',
    protocol: 'http',
    marker: null,
    ...changes
  }
}

export const request = (id: string, collectionId: string, sortOrder = 1024, folderId: string | null = null) =>
  emitRequest(id, 'RequestCreated', { collectionId, folderId, sortOrder, content: content(id) })

/** The content of a document. */
export const prose = (name: string, changes: Partial<DocumentContent> = {}): DocumentContent => {
  return { name, content: '', marker: null, ...changes }
}

export const document = (id: string, collectionId: string, sortOrder = 1024, folderId: string | null = null) =>
  emitDocument(id, 'DocumentCreated', { collectionId, folderId, sortOrder, content: prose(id) })

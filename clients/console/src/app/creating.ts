import { isMember, type Kind, type RecordRef } from '../model/records.js'
import { hub } from './session.js'

/** Where a new member of a collection is to be: null for no folder. */
export interface Container {
  readonly collectionId: string
  readonly folderId: string | null
}

interface Made {
  readonly body: { readonly id: string }
}

const EMPTY_REQUEST = {
  method: 'GET',
  url: '',
  headers: [],
  params: [],
  auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } },
  body: '',
  bodyType: 'none',
  preRequestScript: '',
  postRequestScript: '',
  comment: ''
} as const

const make: { readonly [K in Kind]: (name: string, container: Container) => Promise<Made> } = {
  collection: (name) => hub().request('POST', '/collections', { body: { name } }),
  environment: (name) => hub().request('POST', '/environments', { body: { name } }),
  snippet: (name) => hub().request('POST', '/snippets', { body: { name } }),
  liveServer: (name) => hub().request('POST', '/live-servers', { body: { name } }),
  livePage: (name) => hub().request('POST', '/live-pages', { body: { name } }),
  folder: (name, { collectionId, folderId }) =>
    hub().request('POST', '/collections/{collectionId}/folders', {
      path: { collectionId },
      body: { name, parentFolderId: folderId }
    }),
  request: (name, { collectionId, folderId }) =>
    hub().request('POST', '/collections/{collectionId}/requests', {
      path: { collectionId },
      body: { ...EMPTY_REQUEST, name, folderId }
    }),
  document: (name, { collectionId, folderId }) =>
    hub().request('POST', '/collections/{collectionId}/documents', {
      path: { collectionId },
      body: { name, content: '', folderId }
    })
}

/** Where what stands by itself is made. */
export const NOWHERE: Container = { collectionId: '', folderId: null }

/** Makes a record with nothing in it but its name; members of a collection behind all others of their folder. */
export async function createRecord(kind: Kind, name: string, container: Container): Promise<RecordRef> {
  const { id } = (await make[kind](name, container)).body
  return { kind, id, collectionId: isMember(kind) ? container.collectionId : null }
}

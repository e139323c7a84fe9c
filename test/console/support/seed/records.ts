import type { Schemas } from '../../../../clients/typescript/src/index.js'
import type { ConsoleHub } from '../hub.js'
import type { Person } from './team.js'

export type Content = Pick<
  Schemas['SavedRequest'],
  | 'name'
  | 'method'
  | 'url'
  | 'headers'
  | 'params'
  | 'auth'
  | 'body'
  | 'bodyType'
  | 'preRequestScript'
  | 'postRequestScript'
  | 'comment'
>

const none = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } } as const
/** A bearer token that comes from the environment. */
export const bearer = { ...none, type: 'bearer', bearer: { token: '{{token}}' } } as const
export const pair = (key: string, value: string, enabled = true) => ({ key, value, enabled })

const ACCEPTS = [pair('Accept', 'application/json')]
const BODY = { GET: '', DELETE: '' }

/** A request as somebody saves it who fills in what it needs and nothing else. */
export function request(method: Content['method'], name: string, url: string, more: Partial<Content> = {}): Content {
  const isEmpty = method in BODY || more.body === ''
  return {
    ...{ name, method, url, headers: ACCEPTS, params: [], auth: none, preRequestScript: '', postRequestScript: '' },
    ...{ body: isEmpty ? '' : '{}', bodyType: isEmpty ? 'none' : 'json', comment: '' },
    ...more
  }
}

/** JSON as people write it into a body. */
export const json = (value: object): string => JSON.stringify(value, null, 2)

/** A folder with what is in it. */
export interface FolderContent {
  readonly name: string
  readonly requests: readonly Content[]
  readonly documents?: readonly { readonly name: string; readonly content: string }[]
}

/** What was made of a folder. */
export interface Folder {
  readonly id: string
  /** Ids by name. */
  readonly requests: Readonly<Record<string, string>>
}

/** Makes a collection of these folders, a minute after minute, and returns its id and theirs by name. */
export async function makeCollection(
  { clock }: ConsoleHub,
  { ask }: Person,
  content: { readonly name: string } & Partial<Schemas['Collection']>,
  folders: readonly FolderContent[]
): Promise<{ readonly id: string; readonly folders: Readonly<Record<string, Folder>> }> {
  const made = (await ask.request('POST', '/collections', { body: { name: content.name } })).body
  clock.pass(2)
  await ask.request('PUT', '/collections/{id}', { path: { id: made.id }, body: { ...made, ...content } })
  const path = { collectionId: made.id }
  const byName: Record<string, Folder> = {}
  for (const { name, requests, documents = [] } of folders) {
    clock.pass(3)
    const folder = await ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name } })
    const folderId = folder.body.id
    const ids: Record<string, string> = {}
    for (const one of requests) {
      clock.pass(1)
      const body = { ...one, folderId }
      const saved = await ask.request('POST', '/collections/{collectionId}/requests', { path, body })
      ids[one.name] = saved.body.id
    }
    for (const one of documents) {
      clock.pass(1)
      const body = { ...one, folderId }
      await ask.request('POST', '/collections/{collectionId}/documents', { path, body })
    }
    byName[name] = { id: folderId, requests: ids }
  }
  return { id: made.id, folders: byName }
}

/** What is there under a name; an error where the seed has none. */
export function named<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name]
  if (found === undefined) throw new Error(`The seed has no ${name}.`)
  return found
}

import { isDeepStrictEqual } from 'node:util'
import { METHODS } from '../../../commands/records/request/fields.js'
import { isReference, isSecretName } from '../../lib/secretNames.js'
import { type Example, examplesName, examplesText } from '../formats/examples.js'
import {
  type CollectionSettings,
  type DocumentItem,
  type EnvironmentOfFile,
  type Item,
  type KeyValue,
  type Notes,
  placeIn,
  README,
  type RequestFields,
  type RequestItem,
  type Variable
} from '../formats/model.js'
import { urlParts, urlText } from '../formats/url.js'
import { isNoAuth, NO_AUTH, type ReadAuth } from './auth.js'
import type { ImportFormat } from './imported.js'
import { text } from './loose.js'

/** What parsers of several formats make their trees of. */

/** What a file was read as. */
export interface ReadSource {
  readonly name: string
  readonly sourceId: string | null
  readonly settings: CollectionSettings
  readonly items: readonly Item[]
  /** Those that the file has beside the collection; absent where the format has none. */
  readonly environments?: readonly EnvironmentOfFile[]
}

/** A file as it was read: a collection, environments, or both. */
export interface ReadFile {
  readonly source: ReadSource | null
  readonly environments: readonly EnvironmentOfFile[]
}

/** What those need who read the files of a folder. */
export interface Reading {
  readonly notes: Notes
  /** The value of a text of JSON or YAML. Refuses what is none, and what is more than the limits. */
  readonly parse: (text: string) => unknown
}

/** Said of a file that nothing is read from. */
export const OF_NO_FORMAT = 'A file in the archive is of no format that is known, and is left out.'

/** One of the things that a file brings: a collection with its environments, or environments alone. */
export interface FilePart {
  /** What it is chosen by. */
  readonly id: string
  readonly name: string
  readonly format: ImportFormat
  readonly brings: 'collection' | 'environments'
  readonly read: (notes: Notes) => ReadFile
}

export const noSettings: CollectionSettings = {
  variables: [],
  headers: [],
  auth: NO_AUTH.auth,
  preRequestScript: '',
  postRequestScript: ''
}

/** A variable of these texts. `isSecret` says that its source keeps the value from others. */
export const variable = (key: unknown, value: unknown, enabled = true, isSecret = false): Variable => ({
  ...{ key: text(key), value: text(value), defaultValue: '' },
  ...{ share: !isSecret, enabled }
})

export const document = (name: string, content: string, sourceId: string | null = null): DocumentItem => ({
  kind: 'document',
  sourceId,
  name,
  content
})

/** The description of a container as a document in it; none where it has none. */
export function readme(description: string, containerId: string | null): readonly DocumentItem[] {
  return description.trim() === ''
    ? []
    : [document(README, description, containerId === null ? null : `${containerId}/${README}`)]
}

/** A method that requests may have; null for another. */
export function knownMethod(text: string): RequestFields['method'] | null {
  return METHODS.find((method) => method === text.trim().toUpperCase()) ?? null
}

/** The same of a request in a file, which is left out where there is no such method here. */
export function methodOf(text: string, place: string, notes: Notes): RequestFields['method'] | null {
  const method = knownMethod(text)
  if (!method) notes.add(place, `Requests with the method ${text.slice(0, 20)} are left out: there is none here.`)
  return method
}

/** What is known of a request; what is left out is empty. */
export type RequestParts = Pick<RequestFields, 'name' | 'method'> &
  Partial<Omit<RequestFields, 'headers' | 'params'>> & {
    readonly headers?: readonly KeyValue[]
    readonly params?: readonly KeyValue[]
    readonly pathValues?: readonly Pick<KeyValue, 'key' | 'value'>[]
  }

/**
 * A request with what its authentication adds to it, and the document of its examples beside it. Disabled rows of the query are
 * its parameters; the others stand in its URL.
 */
export function requestItems(
  { pathValues = [], ...parts }: RequestParts,
  { auth, headers, query }: ReadAuth,
  sourceId: string | null,
  examples: readonly Example[] = []
): readonly Item[] {
  const url = urlParts(parts.url ?? '')
  const content: RequestFields = {
    body: '',
    bodyType: 'none',
    preRequestScript: '',
    postRequestScript: '',
    comment: '',
    protocol: 'http',
    ...parts,
    url: query.length === 0 ? (parts.url ?? '') : urlText({ ...url, query: [...url.query, ...query] }),
    headers: [...(parts.headers ?? []), ...headers],
    params: [...(parts.params ?? [])],
    auth
  }
  const request: RequestItem = { kind: 'request', sourceId, content, pathValues }
  if (examples.length === 0) return [request]
  const examplesId = sourceId === null ? null : `${sourceId}/examples`
  return [request, document(examplesName(parts.name.trim()), examplesText(examples), examplesId)]
}

/** What holds for all that is in a container of a file. */
export interface Container {
  readonly path: readonly string[]
  /** What the folders around a request authenticate with; null for what the collection does. */
  readonly auth: ReadAuth | null
  readonly notes: Notes
}

/** What a folder of a file has beside its name and what is in it. */
interface FolderSettings {
  readonly before: string
  readonly after: string
  /** Absent in formats whose folders have none. */
  readonly headers?: readonly KeyValue[]
  readonly variables: readonly (Pick<KeyValue, 'key' | 'value'> & Partial<Pick<Variable, 'share'>>)[]
}

/** A folder as a file describes it. `ownAuth` is what it authenticates with, null for what is around it. */
interface FolderParts {
  readonly name: string
  readonly sourceId: string | null
  readonly description: string
  readonly ownAuth: (place: string) => ReadAuth | null
  readonly settings: (place: string) => FolderSettings
  readonly items: (inside: Container) => readonly Item[]
}

/** A folder with what is in it. Here folders authenticate nothing, and run nothing: what they say of that is kept elsewhere. */
export function folderItem(
  { path, auth, notes }: Container,
  { name, sourceId, description, ownAuth, settings, items }: FolderParts
): readonly Item[] {
  const inside = [...path, name]
  const place = placeIn(inside)
  const own = ownAuth(place)
  if (own && !isNoAuth(own))
    notes.add(place, 'The authentication of a folder is kept on each request in it that had none of its own.')
  const rest = settings(place)
  const shown = { ...rest, headers: rest.headers?.map(withoutSecret), variables: rest.variables.map(withoutSecret) }
  if (!isDeepStrictEqual(shown, { headers: undefined, ...rest }))
    notes.add(
      place,
      'Secrets among the headers and variables of a folder are left out: what a document says is searched.'
    )
  const kept = settingsDocument(shown, sourceId)
  const what = rest.headers ? 'Scripts, headers and variables' : 'Scripts and variables'
  if (kept.length > 0) notes.add(place, `${what} of a folder are kept as a document in it.`)
  const held = items({ path: inside, auth: own ?? auth, notes })
  return [{ kind: 'folder', sourceId, name, items: [...readme(description, sourceId), ...kept, ...held] }]
}

/** The same without a value that is kept from others, or is called as such are. */
function withoutSecret<T extends FolderSettings['variables'][number]>(row: T): T {
  const isSecret = row.share === false || isSecretName(row.key)
  return isSecret && !isReference(row.value) ? { ...row, value: '' } : row
}

/** A document that keeps what a folder has besides its name and its content: there is no other place for it. */
function settingsDocument({ before, after, headers = [], variables }: FolderSettings, folderId: string | null) {
  const parts = [
    { title: 'Script before each request', language: 'js', text: before },
    { title: 'Script after each request', language: 'js', text: after },
    { title: 'Headers', language: '', text: headers.map(({ key, value }) => `${key}: ${value}`).join('\n') },
    { title: 'Variables', language: '', text: variables.map(({ key, value }) => `${key}=${value}`).join('\n') }
  ]
  const there = parts.filter(({ text }) => text.trim() !== '')
  if (there.length === 0) return []
  const blocks = there.map(({ title, language, text }) => `## ${title}\n\n~~~~${language}\n${text}\n~~~~\n`)
  return [document('Folder settings.md', blocks.join('\n'), folderId === null ? null : `${folderId}/settings`)]
}

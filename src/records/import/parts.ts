import { METHODS } from '../../../commands/records/request/fields.js'
import { type Example, examplesName, examplesText } from '../formats/examples.js'
import {
  type CollectionSettings,
  type DocumentItem,
  type Item,
  type KeyValue,
  README,
  type RequestFields,
  type RequestItem,
  type Variable
} from '../formats/model.js'
import { urlParts, urlText } from '../formats/url.js'
import { NO_AUTH, type ReadAuth } from './auth.js'

/** What parsers of several formats make their trees of. */

/** What a file was read as. */
export interface ReadSource {
  readonly name: string
  readonly sourceId: string | null
  readonly settings: CollectionSettings
  readonly items: readonly Item[]
}

export const noSettings: CollectionSettings = {
  variables: [],
  headers: [],
  auth: NO_AUTH.auth,
  preRequestScript: '',
  postRequestScript: ''
}

export const variable = (key: string, value: string, enabled = true): Variable => ({
  key,
  value,
  defaultValue: '',
  share: true,
  enabled
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
export function methodOf(text: string): RequestFields['method'] | null {
  return METHODS.find((method) => method === text.trim().toUpperCase()) ?? null
}

/** What is known of a request; what is left out is empty. */
export type RequestParts = Pick<RequestFields, 'name' | 'method'> &
  Partial<Omit<RequestFields, 'headers' | 'params'>> & {
    readonly headers?: readonly KeyValue[]
    readonly params?: readonly KeyValue[]
  }

/**
 * A request with what its authentication adds to it, and the document of its examples beside it. Disabled rows of the query are
 * its parameters; the others stand in its URL.
 */
export function requestItems(
  parts: RequestParts,
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
  const request: RequestItem = { kind: 'request', sourceId, content }
  if (examples.length === 0) return [request]
  const examplesId = sourceId === null ? null : `${sourceId}/examples`
  return [request, document(examplesName(parts.name), examplesText(examples), examplesId)]
}

/** The value of a header, whatever the case of its name; undefined where it is not there or not sent. */
export function headerOf(headers: readonly KeyValue[], name: string): string | undefined {
  return headers.find(({ key, enabled }) => enabled && key.toLowerCase() === name)?.value
}

/** A document that keeps what a folder has besides its name and its content: there is no other place for it. */
export function folderSettings(
  parts: readonly { readonly title: string; readonly language: string; readonly text: string }[],
  folderId: string | null
): readonly DocumentItem[] {
  const there = parts.filter(({ text }) => text.trim() !== '')
  if (there.length === 0) return []
  const blocks = there.map(({ title, language, text }) => `## ${title}\n\n~~~~${language}\n${text}\n~~~~\n`)
  return [document('Folder settings.md', blocks.join('\n'), folderId === null ? null : `${folderId}/settings`)]
}

import { formRows } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import {
  type CollectionTree,
  headerOf,
  type Item,
  type KeyValue,
  type Notes,
  placeIn,
  type RequestFields
} from '../formats/model.js'
import { decodedText, encodedText, sentUrl, urlText } from '../formats/url.js'
import { containerOf } from './container.js'
import { STREAM_LOST } from './written.js'

/** A recording has times; what was never sent has this one. */
const NEVER = '1970-01-01T00:00:00.000Z'
const UNKNOWN = -1

/** The requests of a collection as an HTTP Archive, version 1.2: a page for each folder, and an entry for each request. */
export function writeHar({ name, settings, items }: CollectionTree, notes: Notes): object {
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  if (variables.length > 0) notes.add(placeIn([]), 'Variables are left out: their names stay in the requests.')
  if (headers.length > 0 || auth.type !== 'none')
    notes.add(placeIn([]), 'Headers and authentication of the collection are left out.')
  if (preRequestScript + postRequestScript !== '') notes.add(placeIn([]), SCRIPTS)
  const pages: object[] = []
  const entries = entriesOf(items, [], null, pages, notes)
  const creator = { name: 'collections-hub', version: '1' }
  return { log: { version: '1.2', creator, comment: name, pages, entries } }
}

const SCRIPTS = 'Scripts are left out.'

function entriesOf(
  items: readonly Item[],
  path: readonly string[],
  page: string | null,
  pages: object[],
  notes: Notes
): readonly object[] {
  const { folders, requests, documents, description } = containerOf(items)
  for (const { name } of documents) notes.add(placeIn([...path, name]), 'Documents are left out.')
  if (description !== '') notes.add(placeIn(path), 'Descriptions are left out.')
  if (path.length > 1 && requests.length > 0) notes.add(placeIn(path), 'Folders in folders stand beside them.')
  const inside = folders.flatMap(({ name, items }) => {
    const within = [...path, name]
    const id = `page_${pages.length + 1}`
    const timings = { onContentLoad: UNKNOWN, onLoad: UNKNOWN }
    pages.push({ startedDateTime: NEVER, id, title: within.join(' / '), pageTimings: timings })
    return entriesOf(items, within, id, pages, notes)
  })
  const own = requests.map(({ request: { content }, examples }) => {
    const place = placeIn([...path, content.name])
    if (content.preRequestScript + content.postRequestScript !== '') notes.add(place, SCRIPTS)
    if (content.comment !== '') notes.add(place, 'Descriptions are left out.')
    if (content.protocol !== 'http') notes.add(place, STREAM_LOST)
    if (examples.length > 1) notes.add(place, 'Of several examples the first is kept.')
    return entryOf(content, examples[0], page, place, notes)
  })
  return [...inside, ...own]
}

function entryOf(
  content: RequestFields,
  example: Example | undefined,
  page: string | null,
  place: string,
  notes: Notes
): object {
  const { method, name } = content
  const sent = sentUrl(content)
  const enabled = sent.query.filter((row) => row.enabled)
  const rows = formRows(content)?.filter(() => content.bodyType === 'multipart' || content.bodyType === 'urlencoded')
  if ([...sent.query, ...content.headers, ...(rows ?? [])].some((row) => !row.enabled))
    notes.add(place, 'What is not enabled is left out: it is not sent.')
  const headers = [...content.headers.filter((row) => row.enabled), ...authHeaders(content, place, notes)]
  return {
    ...(page !== null && { pageref: page }),
    startedDateTime: NEVER,
    time: 0,
    comment: name,
    request: {
      method,
      url: urlText(sent),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(named),
      queryString: enabled.map(({ key, value }) => ({ name: decodedText(key), value: decodedText(value) })),
      ...postData(content),
      headersSize: UNKNOWN,
      bodySize: UNKNOWN
    },
    response: responseOf(example),
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 }
  }
}

const named = ({ key, value }: Pick<KeyValue, 'key' | 'value'>) => ({ name: key, value })

/** What authentication sends, where that can be told from its texts. */
function authHeaders({ auth }: RequestFields, place: string, notes: Notes): readonly KeyValue[] {
  const header = (value: string) => [{ key: 'Authorization', value, enabled: true }]
  switch (auth.type) {
    case 'none':
      return []
    case 'bearer':
      return header(`Bearer ${auth.bearer.token}`)
    case 'basic': {
      const { username, password } = auth.basic
      if (`${username}${password}`.includes('{{')) {
        notes.add(place, 'Basic authentication with variables is left out: only its encoded form could be kept.')
        return []
      }
      return header(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
    }
  }
}

const FORM = 'application/x-www-form-urlencoded'

function postData(content: RequestFields): object {
  const { bodyType, body, headers } = content
  const declared = headerOf(headers, 'content-type')
  const rows = formRows(content)?.filter(({ enabled }) => enabled)
  switch (bodyType) {
    case 'none':
      return {}
    case 'json':
      return { postData: { mimeType: declared ?? 'application/json', text: body } }
    case 'text':
      return { postData: { mimeType: declared ?? 'text/plain', text: body } }
    case 'multipart': {
      if (!rows) return { postData: { mimeType: 'multipart/form-data', text: body } }
      const params = rows.map(({ key, value, type }) => ({
        name: key,
        ...(type === 'file' ? { fileName: 'file' } : { value })
      }))
      return { postData: { mimeType: 'multipart/form-data', params } }
    }
    case 'urlencoded': {
      if (!rows) return { postData: { mimeType: FORM, text: body } }
      const text = rows.map(({ key, value }) => `${encodedText(key)}=${encodedText(value)}`).join('&')
      const params = rows.map(({ key, value }) => ({ name: key, value }))
      return { postData: { mimeType: FORM, params, text } }
    }
  }
}

function responseOf(example: Example | undefined): object {
  const { status, reason, headers, body, name } = example ?? { status: 0, reason: '', headers: [], body: '', name: '' }
  const type = headerOf(headers, 'content-type') ?? ''
  return {
    status,
    statusText: reason,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(named),
    content: { size: Buffer.byteLength(body), mimeType: type, text: body },
    redirectURL: '',
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
    ...(name !== '' && { comment: name })
  }
}

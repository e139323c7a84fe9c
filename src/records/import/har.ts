import { grouped } from '../../lib/grouped.js'
import { formBody, rawBody } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import { type FolderItem, headerOf, type Item, type KeyValue, type Notes } from '../formats/model.js'
import { urlParts } from '../formats/url.js'
import { authOfHeaders } from './auth.js'
import { formField, NO_BODY, sentForm, type TypedBody } from './bodies.js'
import { type Fields, fields, objects, text, textOrNull } from './loose.js'
import { methodOf, noSettings, type ReadSource, requestItems } from './parts.js'

/** True for a recording of requests in the HTTP Archive format. */
export const isHar = (value: unknown): boolean => Array.isArray(fields(fields(value).log).entries)

/** A recorded answer above this is left out: what was recorded is seldom what shows best. */
const ANSWER_MAX = 64 * 1024
/** What whoever sends a request makes anew. */
const OWN_HEADERS = new Set(['host', 'content-length'])

/** Reads an HTTP Archive: a folder for each page where there are several, and a request for each entry. */
export function readHar(value: unknown, notes: Notes): ReadSource {
  const log = fields(fields(value).log)
  const folders = new Map(objects(log.pages).map((page) => [text(page.id), text(page.title)]))
  const entries = objects(log.entries).map((entry) => {
    const page = text(entry.pageref)
    return { page: folders.get(page) ? page : null, items: requestOf(entry, notes) }
  })
  const held = grouped(entries, ({ page }) => page)
  const itemsOf = (page: string | null) => (held.get(page) ?? []).flatMap(({ items }) => items)
  const foldersHeld = [...held.keys()].flatMap((page): readonly FolderItem[] =>
    page === null ? [] : [{ kind: 'folder', sourceId: null, name: folders.get(page) ?? '', items: itemsOf(page) }]
  )
  return {
    name: textOrNull(log.comment) ?? 'Recorded requests',
    sourceId: null,
    settings: noSettings,
    items: [...foldersHeld, ...itemsOf(null)]
  }
}

function requestOf(entry: Fields, notes: Notes): readonly Item[] {
  const request = fields(entry.request)
  const url = text(request.url)
  const name = textOrNull(entry.comment) ?? `${text(request.method)} ${pathOf(url)}`
  const method = methodOf(text(request.method), name, notes)
  if (!method) return []
  const [scheme = 'http:'] = SCHEME.exec(url) ?? []
  if (!/^https?:/i.test(scheme)) {
    notes.add(`A recorded request (${scheme})`, 'Requests of other protocols than HTTP are not carried over.')
    return []
  }
  const all = rows(request.headers)
  if (all.some(({ key }) => OWN_HEADERS.has(key.toLowerCase())))
    notes.add(name, 'Host and Content-Length are not carried over: whoever sends a request makes them.')
  const headers = all.filter(({ key }) => !key.startsWith(':') && !OWN_HEADERS.has(key.toLowerCase()))
  const body = bodyOf(fields(request.postData), headers, name, notes)
  const example = exampleOf(fields(entry.response), name, notes)
  return requestItems({ name, method, url, ...body }, authOfHeaders(headers), null, example ? [example] : [])
}

/** Of an address, or of what a browser has in itself. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:(?=\/\/)|(?:data|blob|about|javascript):)/i

const pathOf = (url: string) => urlParts(url).base.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '') || '/'

const rows = (value: unknown): readonly KeyValue[] =>
  objects(value).map(({ name, value }) => ({ key: text(name), value: text(value), enabled: true }))

function bodyOf(data: Fields, headers: readonly KeyValue[], place: string, notes: Notes): TypedBody {
  const type = (textOrNull(data.mimeType) ?? headerOf(headers, 'content-type') ?? '').toLowerCase()
  const sent = text(data.text)
  const parameters = objects(data.params)
  const isForm = type.startsWith('multipart/')
  const isEncoded = type.startsWith('application/x-www-form-urlencoded') && data.encoding !== 'base64'
  // Some browsers encode the fields beside it too, and others do not.
  if (isEncoded && sent !== '') return sentForm(sent, headers)
  if (isEncoded || (isForm && (parameters.length > 0 || sent === ''))) {
    const named = parameters.map(({ name, value, fileName, contentType }) => {
      const isFile = isForm && textOrNull(fileName) !== null
      return formField({ key: name, value, contentType }, isFile, place, notes)
    })
    return formBody(isForm ? 'multipart' : 'urlencoded', named)
  }
  if (data.encoding === 'base64' && sent !== '') {
    notes.add(place, 'A body that is no text is not carried over.')
    return NO_BODY
  }
  return rawBody(sent, type === '' ? undefined : type)
}

function exampleOf(response: Fields, place: string, notes: Notes): Example | null {
  const status = typeof response.status === 'number' ? response.status : 0
  if (status < 1) return null
  const content = fields(response.content)
  const body = text(content.text)
  const isText = content.encoding !== 'base64'
  if (!isText || body.length > ANSWER_MAX) {
    notes.add(place, `A recorded answer that is no text, or longer than ${ANSWER_MAX} characters, is not carried over.`)
  }
  const headers = rows(response.headers).filter(({ key }) => !key.startsWith(':'))
  const shown = headers.filter(({ key }) => key.toLowerCase() !== 'set-cookie')
  // A document is searched, and these let in whoever has them.
  if (shown.length < headers.length) notes.add(place, 'Cookies that a recorded answer sets are not carried over.')
  return {
    name: textOrNull(response.comment) ?? `${status} ${text(response.statusText)}`.trim(),
    status,
    reason: text(response.statusText),
    headers: shown,
    body: isText && body.length <= ANSWER_MAX ? body : ''
  }
}

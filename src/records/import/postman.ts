import { type FormRow, formBody, rawBody } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import { headerOf, type Item, type KeyValue, type Notes, placeIn } from '../formats/model.js'
import { queryRows, urlParts, urlText } from '../formats/url.js'
import { authenticatesAll, inEachRequest, isNoAuth, NO_AUTH, OPTS_OUT, type ReadAuth, readAuth } from './auth.js'
import { fileBody, formField, graphqlBody, NO_BODY, type TypedBody } from './bodies.js'
import { type Fields, fields, list, objects, text, textOrNull } from './loose.js'
import {
  type Container,
  folderItem,
  methodOf,
  noSettings,
  type ReadSource,
  type RequestParts,
  readme,
  requestItems,
  variable
} from './parts.js'

/** True for a collection of Postman, as a file or as its interface answers with it. Some tools write no schema. */
export function isPostman(value: unknown): boolean {
  const { info: said, item } = collectionIn(value)
  const info = fields(said)
  const isNamed = typeof info.name === 'string' && Array.isArray(item)
  return isNamed || /schema\.(get)?postman\.com/.test(text(info.schema)) || '_postman_id' in info
}

const collectionIn = (value: unknown): Fields => {
  const whole = fields(value)
  return 'collection' in whole ? fields(whole.collection) : whole
}

/** Reads a Postman collection of version 2.0 or 2.1. */
export function readPostman(value: unknown, notes: Notes): ReadSource {
  const collection = collectionIn(value)
  const info = fields(collection.info)
  const own = authOf(collection.auth, placeIn([]), notes) ?? NO_AUTH
  const { auth, headers } = own
  const scripts = scriptsOf(collection.event, placeIn([]), notes)
  if (collection.protocolProfileBehavior) notes.add(placeIn([]), SETTINGS)
  const items = itemsIn(collection.item, { path: [], auth: inEachRequest(own), isAround: authenticatesAll(own), notes })
  return {
    name: text(info.name),
    sourceId: textOrNull(info._postman_id),
    settings: {
      ...noSettings,
      variables: variablesOf(collection.variable, [], notes),
      headers: [...headers],
      auth,
      ...scripts
    },
    items: [...readme(description(info), 'collection'), ...items]
  }
}

const SETTINGS = 'Settings of how requests are sent (redirects, TLS, encoding) are not carried over.'
const DESCRIPTIONS = 'Descriptions of single headers, parameters, fields and variables are not carried over.'

interface Around extends Container {
  /** True where the collection authenticates all that is in it. */
  readonly isAround: boolean
}

function itemsIn(value: unknown, container: Around): readonly Item[] {
  const { path, notes } = container
  const items = objects(value)
  const lastFolder = items.findLastIndex(isFolder)
  if (items.some((item, i) => !isFolder(item) && i < lastFolder))
    notes.add(placeIn(path), 'Folders stand before requests; what alternated does not any more.')
  return items.flatMap((item) => (isFolder(item) ? folderOf(item, container) : requestOf(item, container)))
}

const isFolder = (item: Fields) => Array.isArray(item.item)
const idOf = (item: Fields) => textOrNull(item.id) ?? textOrNull(item._postman_id)
const description = ({ description: value }: Fields): string =>
  typeof value === 'string' ? value : text(fields(value).content)

function folderOf(folder: Fields, around: Around): readonly Item[] {
  const { path, isAround, notes } = around
  const name = text(folder.name)
  return folderItem(around, {
    name,
    sourceId: idOf(folder),
    description: description(folder),
    ownAuth: (place) => authOf(folder.auth, place, notes),
    settings(place) {
      const { preRequestScript: before, postRequestScript: after } = scriptsOf(folder.event, place, notes)
      return { before, after, variables: variablesOf(folder.variable, [...path, name], notes) }
    },
    items(inside) {
      if (folder.protocolProfileBehavior) notes.add(placeIn(inside.path), SETTINGS)
      return itemsIn(folder.item, { ...inside, isAround })
    }
  })
}

function requestOf(item: Fields, { path, auth, isAround, notes }: Around): readonly Item[] {
  const name = text(item.name)
  const place = placeIn([...path, name])
  const request = typeof item.request === 'string' ? { url: item.request } : fields(item.request)
  const method = methodOf(text(request.method) || 'GET', place, notes)
  if (!method) return []
  const used = authOf(request.auth, place, notes) ?? auth
  if (isAround && used && isNoAuth(used)) notes.add(place, OPTS_OUT)
  if (item.protocolProfileBehavior || request.proxy || request.certificate) notes.add(place, SETTINGS)
  const headers = headersOf(request.header, place, notes)
  const body = bodyOf(fields(request.body), headers, place, notes)
  const parts = {
    ...{ name, method, ...addressOf(request.url, place, notes), ...body },
    headers: [...headers, ...(body.headers ?? [])],
    ...scriptsOf(item.event, place, notes),
    comment: description(request) || description(item)
  }
  const examples = list(item.response).map((one) => exampleOf(fields(one), request, place, notes))
  return requestItems(parts, used ?? NO_AUTH, idOf(item), examples)
}

/** What an auth block says; null where there is none, so that what is around it counts. */
function authOf(value: unknown, place: string, notes: Notes): ReadAuth | null {
  const auth = fields(value)
  const type = text(auth.type)
  if (type === '') return null
  const of = auth[type]
  // Version 2.1 has a list of keys and values, version 2.0 an object.
  const parameters = Array.isArray(of)
    ? Object.fromEntries(of.map(fields).map(({ key, value }) => [text(key), value]))
    : fields(of)
  return readAuth(type, parameters, place, notes)
}

function variablesOf(value: unknown, path: readonly string[], notes: Notes) {
  return objects(value).map((row) => {
    if (description(row) !== '') notes.add(placeIn(path), DESCRIPTIONS)
    return variable(row.key ?? row.id, row.value, row.disabled !== true, row.type === 'secret')
  })
}

function scriptsOf(value: unknown, place: string, notes: Notes) {
  const events = objects(value)
  if (events.some(({ disabled }) => disabled === true))
    notes.add(place, 'Scripts that are switched off are not carried over.')
  const of = (listen: string) =>
    events
      .filter((event) => event.listen === listen && event.disabled !== true)
      .map((event) => {
        const script = fields(event.script)
        if (script.src) notes.add(place, 'A script that is in another file is not carried over.')
        return typeof event.script === 'string' ? event.script : lines(script.exec)
      })
      .filter((script) => script.trim() !== '')
      .join('\n')
  return { preRequestScript: of('prerequest'), postRequestScript: of('test') }
}

const lines = (value: unknown) => (Array.isArray(value) ? value.map(text).join('\n') : text(value))

function rowsOf(value: unknown, place: string, notes: Notes): readonly KeyValue[] {
  return objects(value).map((row) => {
    if (description(row) !== '') notes.add(place, DESCRIPTIONS)
    return { key: text(row.key), value: text(row.value), enabled: row.disabled !== true }
  })
}

/** Headers are a list, or in old files their text. */
function headersOf(value: unknown, place: string, notes: Notes): readonly KeyValue[] {
  if (typeof value !== 'string') return rowsOf(value, place, notes)
  return value.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf(':')
    return at < 1 ? [] : [{ key: line.slice(0, at).trim(), value: line.slice(at + 1).trim(), enabled: true }]
  })
}

function addressOf(value: unknown, place: string, notes: Notes): Pick<RequestParts, 'url' | 'params' | 'pathValues'> {
  if (typeof value === 'string') return { url: value, params: [] }
  const url = fields(value)
  const rows = rowsOf(url.query, place, notes)
  const known = urlParts(textOrNull(url.raw) ?? assembled(url))
  const query =
    known.query.length > 0 ? known.query : rows.flatMap((row) => (row.enabled ? queryRows(queryPart(row)) : []))
  const pathValues = objects(url.variable).map(({ key, value }) => ({ key: text(key), value: text(value) }))
  return { url: urlText({ ...known, query }), params: rows.filter(({ enabled }) => !enabled), pathValues }
}

const queryPart = ({ key, value }: KeyValue) => `${key}=${value}`

function assembled(url: Fields): string {
  const joined = (part: unknown, by: string) =>
    Array.isArray(part)
      ? part.map((one) => (typeof one === 'object' ? text(fields(one).value) : text(one))).join(by)
      : text(part)
  const path = joined(url.path, '/')
  const start = textOrNull(url.protocol) ? `${text(url.protocol)}://` : ''
  const port = textOrNull(url.port) ? `:${text(url.port)}` : ''
  const hash = textOrNull(url.hash) ? `#${text(url.hash)}` : ''
  return `${start}${joined(url.host, '.')}${port}${path === '' ? '' : `/${path.replace(/^\//, '')}`}${hash}`
}

const LANGUAGE_TYPES = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['html', 'text/html'],
  ['javascript', 'application/javascript'],
  ['text', 'text/plain']
])

function bodyOf(body: Fields, headers: readonly KeyValue[], place: string, notes: Notes): TypedBody {
  if (body.disabled === true) {
    notes.add(place, 'A body that is switched off is not carried over.')
    return NO_BODY
  }
  switch (text(body.mode)) {
    case 'raw': {
      const language = text(fields(fields(body.options).raw).language)
      const typed = headerOf(headers, 'content-type')
      const type = typed ?? LANGUAGE_TYPES.get(language)
      // What it is edited as counts, whatever a header says of it.
      const raw = rawBody(text(body.raw), ['json', 'text'].includes(language) ? LANGUAGE_TYPES.get(language) : type)
      // Postman sends the type of these by itself.
      const isImplied = typed === undefined && ['xml', 'html', 'javascript'].includes(language)
      return isImplied ? { ...raw, headers: [{ key: 'Content-Type', value: type ?? '', enabled: true }] } : raw
    }
    case 'urlencoded':
    case 'formdata': {
      const isForm = body.mode === 'formdata'
      const rows = list(isForm ? body.formdata : body.urlencoded).map((one) => formRow(fields(one), place, notes))
      return formBody(isForm ? 'multipart' : 'urlencoded', rows)
    }
    case 'graphql':
      return graphqlBody(body.graphql, place, notes)
    case 'file':
      return fileBody(place, notes)
    default:
      return NO_BODY
  }
}

function formRow(row: Fields, place: string, notes: Notes): FormRow {
  if (description(row) !== '') notes.add(place, DESCRIPTIONS)
  const isFile = row.type === 'file'
  const { key, value, disabled, src, contentType } = row
  return formField(
    { key, value, enabled: disabled !== true, contentType },
    isFile,
    place,
    notes,
    isFile && Boolean(src)
  )
}

function exampleOf(response: Fields, request: Fields, place: string, notes: Notes): Example {
  const original = fields(response.originalRequest)
  const rawUrl = ({ url }: Fields) => (typeof url === 'string' ? url : text(fields(url).raw))
  const isOther =
    Object.keys(original).length > 0 &&
    (rawUrl(original) !== rawUrl(request) || text(fields(original.body).raw) !== text(fields(request.body).raw))
  if (isOther) notes.add(place, 'An example keeps its answer, not the request that led to it.')
  return {
    name: text(response.name),
    status: typeof response.code === 'number' ? response.code : 200,
    reason: text(response.status),
    headers: headersOf(response.header, place, notes),
    body: text(response.body)
  }
}

import { isDeepStrictEqual } from 'node:util'
import { grouped } from '../../lib/grouped.js'
import { formRows } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import { readJson, writtenJson } from '../formats/json.js'
import {
  type Auth,
  type CollectionTree,
  headerOf,
  type Item,
  itemsOf,
  type KeyValue,
  type Notes,
  placeIn,
  type RequestFields
} from '../formats/model.js'
import { decodedText, encodedText, sentUrl, urlParts } from '../formats/url.js'
import { containerOf, type RequestWithExamples } from './container.js'
import { STREAM_LOST } from './written.js'

interface Writing {
  readonly paths: Record<string, Record<string, object>>
  /** The path that stands for all that differ from it by the names of their variables alone, by what these have in common. */
  readonly routes: Map<string, string>
  readonly schemes: Record<string, object>
  readonly tags: object[]
  readonly server: string
  /** Values of variables that stand in paths, by their names. */
  readonly given: ReadonlyMap<string, string>
  /** The names of those that are told as examples of parameters. */
  readonly told: Set<string>
  readonly notes: Notes
}

/** The requests of a collection as an OpenAPI document, version 3.1: an operation for each method and path. */
export function writeOpenApi(tree: CollectionTree, notes: Notes): object {
  const { name, settings, items } = tree
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  const { description } = containerOf(items)
  const base = variables.find(({ key }) => key === 'baseUrl')
  const server = commonServer(items)
  const shared = variables.filter(({ share, defaultValue }) => share && defaultValue === '')
  const given = new Map(shared.map(({ key, value }) => [key, value]))
  const writing: Writing = {
    paths: {},
    routes: new Map(),
    schemes: {},
    tags: [],
    server,
    given,
    told: new Set(),
    notes
  }
  if (preRequestScript + postRequestScript !== '') notes.add(placeIn([]), SCRIPTS)
  if (headers.length > 0) notes.add(placeIn([]), 'Headers of the collection are left out.')
  if ((server === BASE_URL || server === '') && !base)
    notes.add(placeIn([]), 'The variable baseUrl, which nothing sets, is one without a value after an import.')
  writeItems(items, [], writing)
  if (variables.some(({ key }) => !writing.told.has(key) && (key !== 'baseUrl' || server !== BASE_URL)))
    notes.add(placeIn([]), 'Variables are left out: their names stay.')
  if (server !== '' && server !== BASE_URL)
    notes.add(placeIn([]), 'Where the server is stands apart from the paths: an import makes a variable of it.')
  const url = server === BASE_URL ? base?.value || base?.defaultValue || '/' : server || '/'
  const security = securityOf(auth, placeIn([]), writing)
  return {
    openapi: '3.1.0',
    info: { title: name, version: '1', ...(description !== '' && { description }) },
    servers: [{ url: url.includes('{{') ? '/' : url }],
    ...(security && { security }),
    ...(writing.tags.length > 0 && { tags: writing.tags }),
    paths: writing.paths,
    ...(Object.keys(writing.schemes).length > 0 && { components: { securitySchemes: writing.schemes } })
  }
}

const SCRIPTS = 'Scripts are left out.'
const BASE_URL = '{{baseUrl}}'

/** Where a URL leads to before its path: a scheme and a host, or a variable. */
const serverIn = (url: string): string =>
  /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*|\{\{[^{}]*\}\})/i.exec(urlParts(url).base)?.[0] ?? ''

/** The server that most requests have; empty where there is none. */
function commonServer(items: readonly Item[]): string {
  const counts = new Map<string, number>()
  for (const { item } of itemsOf(items)) {
    if (item.kind !== 'request') continue
    const server = serverIn(item.content.url)
    counts.set(server, (counts.get(server) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

function writeItems(items: readonly Item[], path: readonly string[], writing: Writing): void {
  const { folders, requests, documents, description } = containerOf(items)
  const { notes, tags } = writing
  for (const { name } of documents) notes.add(placeIn([...path, name]), 'Documents are left out.')
  const tag = path.length === 0 ? null : path.join(' / ')
  if (tag !== null) tags.push({ name: tag, ...(description !== '' && { description }) })
  if (path.length > 1) notes.add(placeIn(path), 'A folder in a folder becomes a tag with the names of both.')
  for (const one of requests) writeRequest(one, tag, placeIn([...path, one.request.content.name]), writing)
  for (const { name, items } of folders) writeItems(items, [...path, name], writing)
}

function writeRequest(
  { request: { content }, examples }: RequestWithExamples,
  tag: string | null,
  place: string,
  writing: Writing
): void {
  const { paths, routes, server, notes } = writing
  const { method, name, comment, auth } = content
  const { base, hash } = urlParts(content.url)
  if (/\/:\w/.test(base.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')))
    notes.add(place, 'A part of a path such as :id is {id}, as a variable is: an import makes one of it.')
  const own = serverIn(content.url)
  if (own === '') notes.add(place, 'A request whose URL names no server is described at that of the others.')
  else if (own !== server) notes.add(place, 'A request to another server than most is described at theirs.')
  const named = templateOf(base.slice(own.length))
  const shape = named.replace(/\{[^{}]+\}/g, '{}')
  const same = routes.get(shape) ?? named
  routes.set(shape, same)
  const operationsOf = (path: string) => (Object.hasOwn(paths, path) ? (paths[path] ?? {}) : {})
  const key = method.toLowerCase()
  // What has one for the method already takes no second: then the request keeps a path of its own.
  const route = Object.hasOwn(operationsOf(same), key) ? named : same
  if (route !== named) notes.add(place, 'A path that another request has with other variables is described with those.')
  const operations = operationsOf(route)
  if (Object.hasOwn(operations, key)) {
    notes.add(place, `A further request for ${method} ${route} is left out: there is one operation for each.`)
    return
  }
  if (content.preRequestScript + content.postRequestScript !== '') notes.add(place, SCRIPTS)
  if (content.protocol !== 'http') notes.add(place, STREAM_LOST)
  if (hash !== '') notes.add(place, 'What stands behind # in a URL is left out.')
  const isImplied = ({ key, value }: KeyValue) =>
    key.toLowerCase() === 'content-type' && SAYS_TYPE.has(content.bodyType) && value !== USUAL_TYPE
  if (content.headers.some((row) => SELF_SAID.has(row.key.toLowerCase()) && !isImplied(row)))
    notes.add(
      place,
      'Accept, Authorization and Content-Type are left out as headers: other parts of the description say them.'
    )
  const security = securityOf(auth, place, writing)
  operations[key] = {
    ...(tag !== null && { tags: [tag] }),
    summary: name,
    ...(comment !== '' && { description: comment }),
    ...parametersOf(content, route, place, writing),
    ...requestBody(content, place, notes),
    responses: responsesOf(examples, place, notes),
    ...(security && { security })
  }
  Object.defineProperty(paths, route, { value: operations, enumerable: true, configurable: true, writable: true })
}

/** A path as the document has it: `:name` and `{{name}}` are both `{name}`. */
function templateOf(path: string): string {
  const named = path.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => `{${name.trim()}}`).replace(/\/:(\w+)/g, '/{$1}')
  return named.startsWith('/') ? named : `/${named}`
}

/** Bodies whose type an import makes a header again. */
const SAYS_TYPE: ReadonlySet<RequestFields['bodyType']> = new Set(['json', 'text'])
/** The type that goes without saying, so that an import makes no header of it. */
const USUAL_TYPE = 'application/json'
const SELF_SAID = new Set(['accept', 'content-type', 'authorization'])

function parametersOf(content: RequestFields, route: string, place: string, { given, told, notes }: Writing): object {
  const text = { type: 'string' }
  const one = (name: string, where: 'query' | 'header', { value, enabled }: Pick<KeyValue, 'value' | 'enabled'>) => ({
    ...{ name, in: where, required: enabled, schema: text, example: value }
  })
  const exampleOf = (name: string) => {
    const example = given.get(name) ?? ''
    if (example !== '') told.add(name)
    return example === '' ? {} : { example }
  }
  const names = [...route.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const unique = (rows: readonly KeyValue[]) => {
    const last = new Map(rows.map((row) => [row.key, row]))
    if (last.size < rows.length) notes.add(place, 'Of parameters and headers of the same name the last one is kept.')
    return [...last.values()]
  }
  const { query } = sentUrl(content)
  const sent = query.filter(({ enabled }) => enabled)
  if (sent.some((row) => [row.key, row.value].some((one) => encodedText(decodedText(one)) !== one)))
    notes.add(place, 'Parts of a query that are not encoded come back encoded.')
  const parameters = [
    ...[...new Set(names)].map((name) => ({ name, in: 'path', required: true, schema: text, ...exampleOf(name) })),
    ...unique(query.map(typed)).map((row) => one(row.key, 'query', row)),
    ...unique(content.headers)
      .filter(({ key }) => key !== '' && !SELF_SAID.has(key.toLowerCase()))
      .map((row) => one(row.key, 'header', row))
  ]
  return parameters.length > 0 ? { parameters } : {}
}

/** A row of a query as somebody would type it. */
const typed = (row: KeyValue): KeyValue =>
  row.enabled ? { ...row, key: decodedText(row.key), value: decodedText(row.value) } : row

function requestBody(content: RequestFields, place: string, notes: Notes): object {
  const { bodyType, body, headers } = content
  const declared = headerOf(headers, 'content-type')
  const of = (type: string, media: object) => ({ requestBody: { content: { [type]: media } } })
  switch (bodyType) {
    case 'none':
      return {}
    case 'json':
      return of(declared ?? 'application/json', { example: parsedValue(body, place, notes) })
    case 'text':
      return of(declared ?? 'text/plain', { schema: { type: 'string' }, example: body })
    case 'multipart':
    case 'urlencoded': {
      const rows = formRows(content)
      if (!rows) {
        notes.add(place, 'A form that is no list of fields is left out.')
        return {}
      }
      const properties = Object.fromEntries(
        rows.map(({ key, value, type }) => [
          key,
          { type: 'string', ...(type === 'file' ? { format: 'binary' } : { example: value }) }
        ])
      )
      if (Object.keys(properties).length < rows.length)
        notes.add(place, 'Of fields of a form of the same name the last one is kept.')
      const required = rows.filter(({ enabled }) => enabled).map(({ key }) => key)
      if (required.length === 0 && rows.length > 0)
        notes.add(place, 'A form of which no field is sent is one of which all are.')
      const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
      return of(bodyType === 'multipart' ? 'multipart/form-data' : 'application/x-www-form-urlencoded', { schema })
    }
  }
}

function parsedValue(json: string, place: string, notes: Notes): unknown {
  try {
    const value = readJson(json)
    if (writtenJson(value, 2) !== json) notes.add(place, 'How JSON is laid out is left out: its values are kept.')
    return value
  } catch {
    notes.add(place, 'A body that is no JSON as it stands is an example as text.')
    return json
  }
}

function responsesOf(examples: readonly Example[], place: string, notes: Notes): object {
  const responses: Record<string, object> = {}
  const isMore = ({ reason, headers }: Example) =>
    reason !== '' || headers.some(({ key }) => key.toLowerCase() !== 'content-type')
  if (examples.some(isMore))
    notes.add(place, 'Of an example the text of its status and its headers but Content-Type are left out.')
  for (const [status, some] of grouped(examples, (one) => one.status)) {
    const content: Record<string, object> = {}
    for (const [i, { name, headers, body }] of some.entries()) {
      const type = headerOf(headers, 'content-type') ?? 'text/plain'
      const value = /[/+]json\b/i.test(type) ? parsedValue(body, place, notes) : body
      const media = content[type] ?? { examples: {} }
      content[type] = {
        examples: { ...('examples' in media ? Object(media.examples) : {}), [`${i + 1}`]: { summary: name, value } }
      }
    }
    responses[String(status)] = { description: some[0]?.name ?? String(status), content }
  }
  return examples.length > 0 ? responses : { default: { description: 'An answer' } }
}

/** What requests authenticate with where a description says how: variables of these names, which an import makes of it. */
const NAMED: Readonly<Record<'basic' | 'bearer', Readonly<Record<string, string>>>> = {
  basic: { username: '{{username}}', password: '{{password}}' },
  bearer: { token: '{{token}}' }
}

/** What a request authenticates with, declared among the schemes; undefined where that is what its collection does. */
function securityOf(
  { type, ...sent }: Auth,
  place: string,
  { schemes, notes }: Pick<Writing, 'schemes' | 'notes'>
): readonly object[] | undefined {
  if (type === 'none') return undefined
  if (!isDeepStrictEqual(sent[type], NAMED[type]))
    notes.add(place, 'What requests authenticate with is left out: a description says how alone.')
  schemes[type] = { type: 'http', scheme: type }
  return [{ [type]: [] }]
}

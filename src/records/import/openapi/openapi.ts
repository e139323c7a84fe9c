import { grouped } from '../../../lib/grouped.js'
import {
  type FolderItem,
  type Item,
  type KeyValue,
  type Notes,
  placeIn,
  type RequestFields
} from '../../formats/model.js'
import { encodedText } from '../../formats/url.js'
import { authenticatesAll, inEachRequest, isNoAuth, NO_AUTH, OPTS_OUT, type ReadAuth } from '../auth.js'
import { type Fields, fields, list, objects, text } from '../loose.js'
import { knownMethod, methodOf, noSettings, type ReadSource, readme, requestItems, variable } from '../parts.js'
import { bodyOf, examplesOf } from './media.js'
import { type References, referencesIn } from './refs.js'
import { givenIn, sampleOf } from './sample.js'
import { type Security, securityIn } from './security.js'

/** True for a document of OpenAPI 3, or of Swagger 2. */
export const isOpenApi = (value: unknown): boolean => {
  const { openapi, swagger, paths } = fields(value)
  return /^3\./.test(text(openapi)) || (/^2\./.test(text(swagger)) && paths !== undefined)
}

interface Reading {
  readonly document: Fields
  readonly references: References
  readonly security: Security
  /** What the document says that all operations authenticate with. */
  readonly around: ReadAuth
  readonly notes: Notes
}

/** Reads an OpenAPI document: a request for each operation, in a folder for its first tag. */
export function readOpenApi(value: unknown, notes: Notes): ReadSource {
  const document = fields(value)
  const info = fields(document.info)
  const references = referencesIn(document, notes)
  const security = securityIn(document, references, notes)
  const own = security.of(document.security, placeIn([])) ?? NO_AUTH
  const reading = { document, references, security, around: own, notes }
  const operations = Object.entries(fields(document.paths)).flatMap(([path, item]) => operationsOf(path, item, reading))
  for (const what of ['webhooks', 'callbacks'])
    if (Object.keys(fields(document[what])).length > 0)
      notes.add(placeIn([]), `What the document says of ${what} is not carried over.`)
  return {
    name: text(info.title) || 'OpenAPI',
    sourceId: text(info.title) || null,
    settings: {
      ...noSettings,
      variables: [variable('baseUrl', serverOf(document, notes)), ...security.variables()],
      headers: [...own.headers],
      auth: own.auth
    },
    items: [...readme(text(info.description), 'document'), ...inFolders(operations, objects(document.tags))]
  }
}

interface Operation {
  readonly tag: string | null
  readonly items: readonly Item[]
}

/** Folders in the order in which the document lists its tags, then in that of the operations. */
function inFolders(operations: readonly Operation[], tags: readonly Fields[]): readonly Item[] {
  const names = [...tags.map(({ name }) => text(name)), ...operations.flatMap(({ tag }) => tag ?? [])]
  const held = grouped(operations, ({ tag }) => tag)
  const described = new Map(tags.toReversed().map((tag) => [text(tag.name), text(tag.description)]))
  const folders = [...new Set(names)].flatMap((name): readonly FolderItem[] => {
    const inside = held.get(name)?.flatMap(({ items }) => items)
    if (!inside) return []
    const sourceId = `tag/${name}`
    return [{ kind: 'folder', sourceId, name, items: [...readme(described.get(name) ?? '', sourceId), ...inside] }]
  })
  return [...folders, ...(held.get(null) ?? []).flatMap(({ items }) => items)]
}

const SERVERS = 'A server of single requests is not carried over: they are sent where the others are.'
const OTHERS = new Set(['trace', 'connect', 'query'])

function operationsOf(path: string, value: unknown, reading: Reading): readonly Operation[] {
  const item = reading.references.resolve(value)
  if (list(item.servers).length > 0) reading.notes.add(path, SERVERS)
  const others = [
    ...Object.keys(item).filter((key) => OTHERS.has(key)),
    ...Object.keys(fields(item.additionalOperations))
  ]
  // Each is told: there is none of them here.
  for (const key of others) methodOf(key.toUpperCase(), path, reading.notes)
  return Object.entries(item).flatMap(([key, one]) => {
    const method = knownMethod(key)
    return method ? [operationOf(path, method, fields(one), item, reading)] : []
  })
}

function operationOf(
  path: string,
  method: RequestFields['method'],
  operation: Fields,
  item: Fields,
  { document, references, security, around, notes }: Reading
): Operation {
  const place = `${method} ${path}`
  const parameters = parametersOf([...list(item.parameters), ...list(operation.parameters)], references)
  if (Object.keys(fields(operation.callbacks)).length > 0)
    notes.add(place, 'What the document says of callbacks is not carried over.')
  if (list(operation.servers).length > 0) notes.add(place, SERVERS)
  if (parameters.some((one) => one.in === 'cookie'))
    notes.add(place, 'Cookies that are parameters are not carried over.')
  const rows = (where: string) =>
    parameters
      .filter((one) => one.in === where)
      .map((one) => ({ key: text(one.name), value: parsedValue(one, references), enabled: one.required === true }))
  const query = rows('query')
  const body = bodyOf(operation, parameters, document, references, place, notes)
  const [tag] = list(operation.tags).map(text)
  const own = security.of(operation.security, place)
  if (own && isNoAuth(own) && authenticatesAll(around)) notes.add(place, OPTS_OUT)
  const used = own ?? inEachRequest(around) ?? NO_AUTH
  const parts = {
    name: text(operation.summary) || text(operation.operationId) || place,
    method,
    url: `{{baseUrl}}${path.replace(/\{([^{}]+)\}/g, '{{$1}}')}`,
    params: query.filter(({ enabled }) => !enabled),
    // In the order in which they stand there, whichever the document has.
    pathValues: parameters
      .filter((one) => one.in === 'path')
      .map((one) => ({ key: text(one.name), value: text(givenValue(one, references)) }))
      .sort((a, b) => path.indexOf(`{${a.key}}`) - path.indexOf(`{${b.key}}`)),
    headers: [...rows('header'), ...body.headers],
    body: body.body,
    bodyType: body.bodyType,
    comment: text(operation.description)
  }
  const sent = query.filter(({ enabled }) => enabled).map(inUrl)
  const auth = { ...used, query: [...sent, ...used.query] }
  const sourceId = `${method} ${path}`
  return { tag: tag ?? null, items: requestItems(parts, auth, sourceId, examplesOf(operation, references)) }
}

const inUrl = ({ key, value, enabled }: KeyValue) => ({ key: encodedText(key), value: encodedText(value), enabled })

/** The parameters of an operation: its own come in place of those of its path. */
function parametersOf(values: readonly unknown[], references: References): readonly Fields[] {
  const byName = new Map<string, Fields>()
  for (const one of values.map((value) => references.resolve(value)))
    byName.set(`${text(one.in)} ${text(one.name)}`, one)
  return [...byName.values()]
}

/** The first example of a parameter, or its default; undefined where it has neither. */
function givenValue(parameter: Fields, references: References): unknown {
  const named =
    givenIn(parameter) ??
    fields(Object.values(fields(parameter.examples)).map((one) => references.resolve(one))[0]).value
  return named ?? givenIn(references.resolve(parameter.schema))
}

function parsedValue(parameter: Fields, references: References): string {
  const given = givenValue(parameter, references)
  if (given !== undefined) return listed(given)
  const schema = references.resolve(parameter.schema)
  return parameter.required === true ? listed(sampleOf('schema' in parameter ? schema : parameter, references)) : ''
}

/** A value as parameters have it: of a list its parts, one behind another. */
const listed = (value: unknown): string => (Array.isArray(value) ? value.map(text).join(',') : text(value))

/** Where the first server of the document is, with the defaults of its variables. */
function serverOf(document: Fields, notes: Notes): string {
  if ('swagger' in document) {
    const [scheme = 'https'] = list(document.schemes).map(text)
    const host = text(document.host)
    return `${host === '' ? '' : `${scheme}://${host}`}${text(document.basePath).replace(/\/$/, '')}`
  }
  const [server = {}, ...others] = objects(document.servers)
  if (others.length > 0) notes.add(placeIn([]), 'Of several servers the first is carried over.')
  const variables = fields(server.variables)
  const url = text(server.url).replace(/\{([^{}]+)\}/g, (_, name: string) => text(fields(variables[name]).default))
  return url.replace(/\/$/, '')
}

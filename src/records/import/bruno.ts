import { formBody, rawBody } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import { headerOf, type Item, type KeyValue, type Notes, placeIn } from '../formats/model.js'
import { joinScripts } from '../formats/tests.js'
import { urlParts, urlText } from '../formats/url.js'
import { authenticatesAll, inEachRequest, NO_AUTH, OPTS_OUT, type ReadAuth, readAuth } from './auth.js'
import { fileBody, formField, graphqlBody, NO_BODY, type TypedBody } from './bodies.js'
import { brunoEnvironment } from './environments/bruno.js'
import { type Fields, fields, list, numberOf, objects, text } from './loose.js'
import {
  type Container,
  document,
  folderItem,
  methodOf,
  noSettings,
  type ReadSource,
  readme,
  requestItems,
  variable
} from './parts.js'

/** True for a collection that Bruno has exported as JSON. */
export const isBruno = (value: unknown): boolean => {
  const { items, name, version, brunoConfig, resources } = fields(value)
  return (
    Array.isArray(items) &&
    typeof name === 'string' &&
    (version !== undefined || brunoConfig !== undefined) &&
    !resources
  )
}

/** Reads a collection of Bruno as its export as JSON has it. */
export function readBruno(value: unknown, notes: Notes): ReadSource {
  const collection = fields(value)
  const root = fields(collection.root)
  const own = fields(root.request)
  const used = authOf(own.auth, placeIn([]), notes) ?? NO_AUTH
  const { auth, headers } = used
  const script = fields(own.script)
  noteAnswers(own, placeIn([]), notes)
  return {
    name: text(collection.name),
    sourceId: null,
    settings: {
      ...noSettings,
      variables: objects(fields(own.vars).req).map(({ name, value, enabled }) =>
        variable(name, value, enabled !== false)
      ),
      headers: [...rowsOf(own.headers), ...headers],
      auth,
      preRequestScript: text(script.req),
      postRequestScript: joinScripts(text(script.res), text(own.tests))
    },
    items: [
      ...readme(text(root.docs), 'collection'),
      ...itemsIn(collection.items, { path: [], auth: inEachRequest(used), isAround: authenticatesAll(used), notes })
    ],
    environments: list(collection.environments).map(brunoEnvironment)
  }
}

/** Tells of variables that a collection or a folder takes from answers. */
function noteAnswers({ vars }: Fields, place: string, notes: Notes): void {
  if (list(fields(vars).res).length > 0) notes.add(place, 'Variables that are set from answers are not carried over.')
}

/** `isAround` says that a request without an auth of its own uses that of its collection. */
interface Around extends Container {
  readonly isAround: boolean
}

const itemsIn = (value: unknown, container: Around): readonly Item[] =>
  list(value).flatMap((one) => itemOf(fields(one), container))

function itemOf(item: Fields, container: Around): readonly Item[] {
  const { path, notes } = container
  const name = text(item.name)
  switch (text(item.type)) {
    case 'folder':
      return folderOf(item, container)
    case 'document':
      return [document(name, text(item.content))]
    case 'http':
    case 'http-request':
    case 'graphql':
    case 'graphql-request':
    case '':
      return requestOf(item, container)
    default:
      notes.add(placeIn([...path, name]), 'Only HTTP requests are carried over.')
      return []
  }
}

function folderOf(folder: Fields, container: Around): readonly Item[] {
  const root = fields(folder.root)
  const own = fields(root.request)
  const script = fields(own.script)
  return folderItem(container, {
    name: text(folder.name),
    sourceId: null,
    description: text(root.docs),
    ownAuth: (place) => authOf(own.auth, place, container.notes),
    settings: (place) => {
      noteAnswers(own, place, container.notes)
      return {
        before: text(script.req),
        after: joinScripts(text(script.res), text(own.tests)),
        headers: rowsOf(own.headers),
        variables: rowsOf(fields(own.vars).req)
      }
    },
    items: (inside) => itemsIn(folder.items, { ...inside, isAround: container.isAround })
  })
}

function requestOf(item: Fields, { path, auth, isAround, notes }: Around): readonly Item[] {
  const name = text(item.name)
  const place = placeIn([...path, name])
  const request = fields(item.request)
  const method = methodOf(text(request.method) || 'GET', place, notes)
  if (!method) return []
  const vars = fields(request.vars)
  if (list(vars.req).length + list(vars.res).length > 0)
    notes.add(place, 'Variables of a single request are not carried over.')
  if (list(item.assertions ?? request.assertions).length > 0)
    notes.add(place, 'Assertions are not carried over; tests are.')
  if (item.hasExamples === true)
    notes.add(place, 'Examples in .bru files are not carried over; those of an export as JSON are.')
  const params = objects(request.params)
  const query = rowsOf(params.filter((one) => one.type !== 'path'))
  const known = urlParts(text(request.url))
  const url = known.query.length > 0 ? known : { ...known, query: query.filter(({ enabled }) => enabled) }
  const mode = text(fields(request.auth).mode)
  const script = fields(request.script)
  const headers = rowsOf(request.headers)
  const body = bodyOf(fields(request.body), headers, place, notes)
  const parts = {
    ...{ name, method, url: urlText(url), ...body },
    headers: [...headers, ...(body.headers ?? [])],
    params: query.filter(({ enabled }) => !enabled),
    pathValues: rowsOf(params.filter((one) => one.type === 'path')),
    preRequestScript: text(script.req),
    postRequestScript: joinScripts(text(script.res), text(request.tests)),
    comment: text(request.docs)
  }
  const own = mode === 'inherit' ? null : authOf(request.auth, place, notes)
  const isInherited = mode === 'inherit' || mode === ''
  const used = own ?? (isInherited ? auth : null) ?? NO_AUTH
  if (isAround && !isInherited && used.auth.type === 'none') notes.add(place, OPTS_OUT)
  return requestItems(parts, used, null, examplesOf(item.examples))
}

function authOf(value: unknown, place: string, notes: Notes): ReadAuth | null {
  const auth = fields(value)
  const mode = text(auth.mode)
  if (mode === '' || mode === 'none' || mode === 'inherit') return null
  return readAuth(mode, fields(auth[mode]), place, notes)
}

const rowsOf = (value: unknown): readonly KeyValue[] =>
  objects(value).map(({ name, value, enabled }) => ({
    key: text(name),
    value: text(value),
    enabled: enabled !== false
  }))

function bodyOf(body: Fields, headers: readonly KeyValue[], place: string, notes: Notes): TypedBody {
  const mode = text(body.mode)
  switch (mode) {
    case 'json':
      return rawBody(text(body.json), 'application/json')
    case 'text':
      return rawBody(text(body.text), headerOf(headers, 'content-type') ?? 'text/plain')
    case 'xml':
    case 'sparql': {
      const type = mode === 'xml' ? 'application/xml' : 'application/sparql-query'
      const row = { key: 'Content-Type', value: type, enabled: true }
      const isImplied = headerOf(headers, 'content-type') === undefined
      return { ...rawBody(text(body[mode]), type), ...(isImplied && { headers: [row] }) }
    }
    case 'graphql':
      return graphqlBody(body.graphql, place, notes)
    case 'formUrlEncoded':
    case 'multipartForm': {
      const isForm = mode === 'multipartForm'
      const rows = objects(body[mode]).map(({ name: key, value, enabled, type, contentType }) => {
        const row = { key, value, enabled: enabled !== false, contentType }
        return formField(row, isForm && type === 'file', place, notes)
      })
      return formBody(isForm ? 'multipart' : 'urlencoded', rows)
    }
    case 'file':
      return fileBody(place, notes)
    default:
      return NO_BODY
  }
}

function examplesOf(value: unknown): readonly Example[] {
  return objects(value).map(({ name, response }): Example => {
    const { status, statusText, headers, body } = fields(response)
    return {
      name: text(name),
      status: numberOf(status) || 200,
      reason: text(statusText),
      headers: rowsOf(headers),
      body: typeof body === 'string' ? body : text(fields(body).content)
    }
  })
}

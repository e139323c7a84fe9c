import { type Notes, placeIn } from '../../formats/model.js'
import { type Fields, fields, list, numberOf, text } from '../loose.js'

/** Entities of schema 3.0 of Postman become what schema 2.1 has, for one reader of both. */

/** Rows of keys and values: a list, or an object of them. */
export const rowsOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fields) : Object.entries(fields(value)).map(([key, value]) => ({ key, value }))

/** An auth block; of several that may be tried the first. */
export function authOf(value: unknown): Fields | undefined {
  const { type, credentials } = fields(Array.isArray(value) ? value[0] : value)
  return typeof type === 'string' ? { type, [type]: rowsOf(credentials) } : undefined
}

/** The scripts of a request, or those that hold for all in a collection or folder. */
export function eventsOf(value: unknown, place: string, notes: Notes): readonly object[] {
  return list(value).flatMap((one) => {
    const { type, code } = fields(one)
    const listen = LISTEN.get(text(type).replace(/^(http|graphql):/, ''))
    // What has no text stands in another file.
    const script = typeof code === 'string' ? { exec: code.split('\n') } : { src: 'elsewhere' }
    if (listen !== undefined) return [{ listen, script }]
    notes.add(place, 'Scripts for other protocols are not carried over.')
    return []
  })
}

const LISTEN = new Map([
  ['beforeRequest', 'prerequest'],
  ['beforeQuery', 'prerequest'],
  ['afterResponse', 'test']
])

/** A request with its examples. */
export function requestOf(request: Fields, path: readonly string[], examples: readonly Fields[], notes: Notes): object {
  const { url, method, description, headers, queryParams, pathVariables, settings } = request
  const isQuery = request.$kind === 'graphql-request'
  const sent = {
    method: isQuery ? 'POST' : method,
    url: { raw: text(url), query: rowsOf(queryParams), variable: rowsOf(pathVariables) },
    header: rowsOf(headers),
    body: isQuery
      ? { mode: 'graphql', graphql: { query: request.query, variables: request.variables } }
      : bodyOf(request.body),
    auth: authOf(request.auth),
    description
  }
  return {
    ...{ name: path.at(-1), event: eventsOf(request.scripts, placeIn(path), notes), request: sent },
    ...(Object.keys(fields(settings)).length > 0 && { protocolProfileBehavior: settings }),
    response: examples.map((one) => responseOf(one, sent))
  }
}

function bodyOf(value: unknown): object | undefined {
  const { type, content } = fields(value)
  switch (type) {
    case undefined:
    case 'none':
      return undefined
    case 'formdata':
    case 'urlencoded':
      return { mode: type, [type]: rowsOf(content) }
    case 'file':
      return { mode: 'file' }
    case 'graphql':
      return { mode: 'graphql', graphql: content }
    default:
      return { mode: 'raw', raw: text(content), options: { raw: { language: text(type) } } }
  }
}

/** An example, whose request is that of its own where it says no other. */
function responseOf(example: Fields, sent: Fields): object {
  const { url, body: ownBody } = fields(example.request)
  const { statusCode, statusText, headers, body } = fields(example.response)
  return {
    name: example.name,
    originalRequest: {
      url: url === undefined ? sent.url : text(url),
      body: ownBody === undefined ? sent.body : bodyOf(ownBody)
    },
    ...{ code: numberOf(statusCode) || 200, status: text(statusText), header: rowsOf(headers) },
    body: text(fields(body).content ?? (typeof body === 'string' ? body : ''))
  }
}

import { type Notes, placeIn } from '../../formats/model.js'
import { type Fields, fields, list, numberOf, objects, text } from '../loose.js'

/** Items of OpenCollection become what exports of Bruno as JSON have, for one reader of both. */

/** A text with or without its type. */
export const proseOf = (value: unknown): string => (typeof value === 'string' ? value : text(fields(value).content))

/** Rows of names and values as exports of Bruno have them. */
export const rowsOf = (value: unknown): readonly Fields[] =>
  list(value).map((one) => {
    const { disabled, value, ...rest } = fields(one)
    return { ...rest, value: variableText(value), enabled: disabled !== true }
  })

/** The value of a variable: of several the one that is selected. */
export function variableText(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? text(fields(value).data) : text(value)
  const variants = value.map(fields)
  return variableText((variants.find(({ selected }) => selected === true) ?? variants[0])?.value)
}

export function authOf(value: unknown): Fields {
  if (value === 'inherit' || value === undefined) return { mode: value ?? 'none' }
  const auth = fields(value)
  const mode = text(auth.type)
  return { mode, [mode]: auth }
}

/** The scripts and variables of a collection, a folder or a request. */
export function scriptsOf(holder: Fields, place: string, notes: Notes): Fields {
  const scripts = objects(holder.scripts)
  const of = (type: string) =>
    scripts
      .filter((one) => one.type === type)
      .map(({ code }) => text(code))
      .join('\n')
  if (scripts.some(({ type }) => !SCRIPTS.has(text(type)))) notes.add(place, 'Hooks are not carried over.')
  if (list(holder.actions).length > 0) notes.add(place, 'Variables that are set from answers are not carried over.')
  return {
    script: { req: of('before-request'), res: of('after-response') },
    tests: of('tests'),
    vars: { req: rowsOf(holder.variables) }
  }
}

const SCRIPTS = new Set(['before-request', 'after-response', 'tests'])

/** One item, and what is in it. */
export function itemOf(value: unknown, path: readonly string[], notes: Notes): Fields {
  const item = fields(value)
  const info = fields(item.info)
  const name = text(info.name)
  const inside = [...path, name]
  const type = kindOf(item, info)
  if (list(info.tags).length > 0) notes.add(placeIn(inside), 'Tags are not carried over.')
  switch (type) {
    case 'folder':
      return {
        ...{ type, name, seq: info.seq, root: rootOf(item, placeIn(inside), notes) },
        items: list(item.items).map((one) => itemOf(one, inside, notes))
      }
    case 'http':
    case 'graphql':
      return requestOf(type, item, placeIn(inside), notes)
    default:
      return { type: type || 'unknown', name: name || type, seq: info.seq }
  }
}

function kindOf(item: Fields, info: Fields): string {
  const kinds = ['http', 'graphql', 'grpc', 'websocket']
  return text(info.type ?? item.type) || (kinds.find((one) => one in item) ?? ('items' in item ? 'folder' : ''))
}

/** What holds for all requests of a collection or a folder. */
export function rootOf(holder: Fields, place: string, notes: Notes): Fields {
  const request = fields(holder.request)
  const own = { headers: rowsOf(request.headers), auth: authOf(request.auth), ...scriptsOf(request, place, notes) }
  const described = proseOf(holder.docs) || proseOf(fields(holder.info).description)
  return { request: own, docs: described }
}

function requestOf(type: 'http' | 'graphql', item: Fields, place: string, notes: Notes): Fields {
  const info = fields(item.info)
  const sent = fields(item[type])
  const runtime = fields(item.runtime)
  if (hasSettings(fields(item.settings)))
    notes.add(place, 'Settings of how requests are sent (redirects, timeouts, encoding) are not carried over.')
  const rows = [sent.headers, sent.params].flatMap(list).map(fields)
  if (rows.some(({ description }) => proseOf(description) !== ''))
    notes.add(place, 'Descriptions of single headers and parameters are not carried over.')
  return {
    type,
    name: info.name,
    seq: info.seq,
    assertions: list(runtime.assertions),
    examples: list(item.examples).map(exampleOf),
    request: {
      url: sent.url,
      method: sent.method ?? (type === 'graphql' ? 'POST' : 'GET'),
      params: rowsOf(sent.params),
      headers: rowsOf(sent.headers),
      auth: authOf(sent.auth),
      body:
        type === 'graphql' ? { mode: type, graphql: chosen(sent.body, place, notes) } : bodyOf(sent.body, place, notes),
      ...scriptsOf(runtime, place, notes),
      docs: proseOf(item.docs) || proseOf(info.description)
    }
  }
}

function hasSettings({ encodeUrl, timeout, followRedirects, omitHeaders }: Fields): boolean {
  return encodeUrl === false || numberOf(timeout) > 0 || followRedirects === false || list(omitHeaders).length > 0
}

/** A body, or of several the one that is selected. */
function chosen(value: unknown, place: string, notes: Notes): Fields {
  if (!Array.isArray(value)) return fields(value)
  const variants = value.map(fields)
  if (variants.length > 1) notes.add(place, 'Of several bodies the one that is selected is carried over.')
  return fields((variants.find(({ selected }) => selected === true) ?? variants[0])?.body)
}

function bodyOf(value: unknown, place: string, notes: Notes): Fields {
  const { type, data } = chosen(value, place, notes)
  switch (type) {
    case 'form-urlencoded':
      return { mode: 'formUrlEncoded', formUrlEncoded: rowsOf(data) }
    case 'multipart-form':
      return { mode: 'multipartForm', multipartForm: rowsOf(data) }
    case 'file':
      return { mode: type }
    case undefined:
      return { mode: 'none' }
    default:
      return { mode: type, [text(type)]: data }
  }
}

function exampleOf(value: unknown): Fields {
  const { name, response } = fields(value)
  const { status, statusText, headers, body } = fields(response)
  return { name, response: { status, statusText, headers: rowsOf(headers), body: { content: fields(body).data } } }
}

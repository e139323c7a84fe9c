import { formRows } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import { type Auth, type CollectionTree, type Item, type Notes, placeIn, type RequestFields } from '../formats/model.js'
import { pathRows, sentUrl, urlText } from '../formats/url.js'
import { containerOf } from './container.js'
import { bodyLanguage, rowOf, STREAM_LOST, writtenVariables } from './written.js'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** A collection in the format of Postman, version 2.1. */
export function writePostman(tree: CollectionTree, notes: Notes): object {
  const { name, sourceId, settings, items } = tree
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  if (headers.length > 0) notes.add(placeIn([]), 'Headers of the collection are left out: Postman has none there.')
  const rows = writtenVariables(variables, placeIn([]), notes, { secrets: true })
  const { description } = containerOf(items)
  return {
    info: { _postman_id: sourceId, name, ...(description !== '' && { description }), schema: SCHEMA },
    item: itemsOf(items, [], notes),
    ...authOf(auth),
    ...eventsOf(preRequestScript, postRequestScript),
    variable: rows.map(({ key, value, share, enabled }) => ({
      ...{ key, value },
      ...(!share && { type: 'secret' }),
      ...(!enabled && { disabled: true })
    }))
  }
}

function itemsOf(items: readonly Item[], path: readonly string[], notes: Notes): readonly object[] {
  const { folders, requests, documents } = containerOf(items)
  for (const { name } of documents) notes.add(placeIn([...path, name]), 'Documents are left out: Postman has none.')
  return [
    ...folders.map(({ sourceId, name, items }) => {
      const { description } = containerOf(items)
      const inside = itemsOf(items, [...path, name], notes)
      return { id: sourceId, name, ...(description !== '' && { description }), item: inside }
    }),
    ...requests.map(({ request: { sourceId, content }, examples }) => {
      if (content.protocol !== 'http') notes.add(placeIn([...path, content.name]), STREAM_LOST)
      const request = requestOf(content)
      const response = examples.map((example) => exampleOf(example, request))
      const events = eventsOf(content.preRequestScript, content.postRequestScript)
      return { id: sourceId, name: content.name, ...events, request, response }
    })
  ]
}

function requestOf(content: RequestFields): object {
  const { method, headers, comment, auth } = content
  return {
    method,
    header: headers.map(rowOf),
    ...bodyOf(content),
    url: urlOf(content),
    ...authOf(auth),
    ...(comment !== '' && { description: comment })
  }
}

function authOf({ type, basic, bearer }: Auth): object {
  if (type === 'none') return {}
  const parameters = type === 'basic' ? basic : bearer
  return {
    auth: { type, [type]: Object.entries(parameters).map(([key, value]) => ({ key, value, type: 'string' })) }
  }
}

function eventsOf(before: string, after: string): object {
  const event = (listen: string, script: string) =>
    script === '' ? [] : [{ listen, script: { type: 'text/javascript', exec: script.split('\n') } }]
  const events = [...event('prerequest', before), ...event('test', after)]
  return events.length > 0 ? { event: events } : {}
}

function urlOf(content: RequestFields): object {
  const sent = sentUrl(content)
  const { base, query, hash } = sent
  const [, protocol, rest = base] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(base) ?? []
  const [host = '', ...path] = rest.split('/')
  const named = pathRows(base)
  return {
    raw: urlText(sent),
    ...(protocol !== undefined && { protocol }),
    host: protocol === undefined || host.includes('{{') ? [host] : host.split('.'),
    ...(path.length > 0 && { path }),
    ...(query.length > 0 && { query: query.map(rowOf) }),
    ...(hash !== '' && { hash: hash.slice(1) }),
    ...(named.length > 0 && { variable: named.map(rowOf) })
  }
}

function bodyOf(content: RequestFields): object {
  const { bodyType, body } = content
  switch (bodyType) {
    case 'none':
      return {}
    case 'multipart':
    case 'urlencoded': {
      const rows = formRows(content)
      if (!rows) return { body: { mode: 'raw', raw: body } }
      const list = rows.map(({ key, value, enabled, type }) => ({
        key,
        ...(type === 'file' ? { src: [] } : { value }),
        ...(!enabled && { disabled: true }),
        type
      }))
      return {
        body: bodyType === 'multipart' ? { mode: 'formdata', formdata: list } : { mode: 'urlencoded', urlencoded: list }
      }
    }
    case 'json':
      return { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }
    case 'text':
      return { body: { mode: 'raw', raw: body, options: { raw: { language: bodyLanguage(content) } } } }
  }
}

function exampleOf({ name, status, reason, headers, body }: Example, originalRequest: object): object {
  return { name, originalRequest, status: reason, code: status, header: headers, body }
}

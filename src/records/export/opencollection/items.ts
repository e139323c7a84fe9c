import type { Auth as OpenAuth } from '@opencollection/types/common/auth'
import type { RequestDefaults } from '@opencollection/types/common/request-defaults'
import type { Script } from '@opencollection/types/common/scripts'
import type { HttpRequest, HttpRequestBody, HttpRequestExample } from '@opencollection/types/requests/http'
import { formRows } from '../../formats/body.js'
import type { Example } from '../../formats/examples.js'
import { type Auth, type CollectionSettings, headerOf, type KeyValue, type RequestFields } from '../../formats/model.js'
import { splitScripts } from '../../formats/tests.js'
import { pathRows, sentUrl, urlText } from '../../formats/url.js'
import type { WrittenVariable } from '../written.js'

/** Requests and what belongs to them, as OpenCollection has them. */

const rowOf = ({ key, value, enabled }: KeyValue) => ({ name: key, value, ...(!enabled && { disabled: true }) })

function authOf({ type, basic, bearer }: Auth): { readonly auth?: OpenAuth } {
  if (type === 'none') return {}
  return { auth: type === 'basic' ? { type, ...basic } : { type, ...bearer } }
}

function scriptsOf(before: string, after: string): { readonly scripts?: Script[] } {
  const { script, tests } = splitScripts(after)
  const scripts: readonly Script[] = [
    { type: 'before-request', code: before },
    { type: 'after-response', code: script },
    { type: 'tests', code: tests }
  ]
  const written = scripts.filter(({ code }) => code !== '')
  return written.length > 0 ? { scripts: written } : {}
}

/** What holds for all requests of a collection. */
export function defaultsOf(settings: CollectionSettings, variables: readonly WrittenVariable[]): RequestDefaults {
  const { headers, auth, preRequestScript, postRequestScript } = settings
  const rows = variables.map(rowOf)
  return {
    ...(headers.length > 0 && { headers: headers.map(rowOf) }),
    ...authOf(auth),
    ...(rows.length > 0 && { variables: rows }),
    ...scriptsOf(preRequestScript, postRequestScript)
  }
}

/** A request with its examples, at this place among its siblings. */
export function requestItem(content: RequestFields, examples: readonly Example[], seq: number): HttpRequest {
  const { name, method, headers, auth, comment } = content
  const sent = sentUrl(content)
  const params = [
    ...sent.query.map((row) => ({ ...rowOf(row), type: 'query' as const })),
    ...pathRows(sent.base).map(({ key, value }) => ({ name: key, value, type: 'path' as const }))
  ]
  const body = bodyOf(content)
  const runtime = scriptsOf(content.preRequestScript, content.postRequestScript)
  return {
    info: { name, type: 'http', seq },
    http: {
      ...{ method, url: urlText(sent) },
      ...(headers.length > 0 && { headers: headers.map(rowOf) }),
      ...(params.length > 0 && { params }),
      ...(body && { body }),
      auth: authOf(auth).auth ?? 'inherit'
    },
    ...(runtime.scripts && { runtime }),
    ...(examples.length > 0 && { examples: examples.map((one) => exampleOf(one, content)) }),
    ...(comment !== '' && { docs: comment })
  }
}

function bodyOf(content: RequestFields): HttpRequestBody | null {
  const { bodyType, body } = content
  const rows = formRows(content)
  switch (bodyType) {
    case 'none':
      return null
    case 'json':
    case 'text':
      return { type: bodyType, data: body }
    case 'urlencoded':
      return rows ? { type: 'form-urlencoded', data: rows.map(rowOf) } : { type: 'text', data: body }
    case 'multipart': {
      const data = rows?.map((row) => ({ ...rowOf(row), type: row.type, ...(row.type === 'file' && { value: [] }) }))
      return data ? { type: 'multipart-form', data } : { type: 'text', data: body }
    }
  }
}

function exampleOf(
  { name, status, reason, headers, body }: Example,
  { url, method }: RequestFields
): HttpRequestExample {
  const type = headerOf(headers, 'content-type') ?? ''
  return {
    name,
    request: { url, method },
    response: {
      ...{ status, statusText: reason },
      headers: headers.map(({ key, value }) => ({ name: key, value })),
      body: { type: /[/+]json\b/i.test(type) ? 'json' : 'text', data: body }
    }
  }
}

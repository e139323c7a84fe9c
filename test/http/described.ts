import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { SCIM_TYPE } from '../../src/directory/refusal.js'
import { refusal } from '../../src/http/answers.js'
import { dialectAt, withModelId } from '../../src/http/modelDialects.js'
import type { DescribedRoute } from '../../src/http/openapi/description.js'
import { formsOf } from '../../src/http/openapi/operation.js'
import { problem, refusalsOf } from '../../src/http/openapi/refusals.js'
import { LIMITS } from '../../src/limits.js'
import type { Call, Reply } from './client.js'

type Asked = Pick<Call, 'method' | 'path'>
type Answered = Pick<Reply, 'status' | 'text' | 'headers'>
export type Check = (asked: Asked, answered: Answered) => void

/** What the framework says where there is no route. */
const routeUnknown = z.object({ message: z.string(), error: z.literal('Not Found'), statusCode: z.literal(404) })

/**
 * A check of answers against what the routes say of themselves: it throws where a status, a content type, a field or an entity
 * tag is none that the description of the interface tells of, or a field that it tells of is missing.
 */
export function described(routes: readonly DescribedRoute[]): Check {
  const find = finder(routes)
  return ({ method, path }, answered) => {
    const asked = { method, path: withModelId(path) }
    const route = find(asked)
    try {
      if (answered.status === 503 && !answered.headers['retry-after']) throw new Error('503 without Retry-After')
      if (route && hasSomeFields(asked)) return
      if (route) for (const part of partsOf(route, asked.method === 'HEAD', answered)) exactly(...part)
      else if (asked.method !== 'HEAD') exactly(...withoutRoute(asked, answered))
    } catch (cause) {
      const what = `${asked.method} ${asked.path.slice(0, 200)}: ${answered.status} ${answered.text.slice(0, 500)}`
      throw new Error(`${what}\nis not what the interface is described as: ${String(cause)}`, { cause })
    }
  }
}

/**
 * A `fetch` for the typed client that checks each answer which ends. One that is not as it is described becomes a refusal with
 * 599, which no hub gives, so that the client tells its text and does not try again.
 */
export function describedFetch(check: Check, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    const headers = Object.fromEntries(response.headers)
    if (headers['content-type']?.startsWith('text/event-stream')) return response
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const asked = { method: init?.method ?? 'GET', path: `${pathname}${search}` }
    const text = await response.clone().text()
    try {
      check(asked, { status: response.status, text, headers })
      return response
    } catch (error) {
      return Response.json({ error: String(error) }, { status: 599 })
    }
  }
}

/** Finds the route that a request goes to. */
function finder<R extends DescribedRoute>(routes: readonly R[]): (asked: Asked) => R | undefined {
  const params = ({ url }: R) => url.split(':').length
  const patterns = routes
    .toSorted((a, b) => params(a) - params(b))
    .map((route) => ({ route, pattern: new RegExp(`^${route.url.replace(/\./g, '\\.').replace(/:\w+/g, '[^/]*')}$`) }))
  return ({ method, path }) => {
    const [bare = ''] = path.split('?')
    return patterns.find(({ route, pattern }) => route.method === method && pattern.test(bare))?.route
  }
}

/** True where only some fields of the records were asked for: no schema tells which. */
function hasSomeFields({ path }: Asked): boolean {
  return new URLSearchParams(path.split('?')[1]).has('fields')
}

function withoutRoute({ path }: Asked, { status, text, headers }: Answered): Part {
  // OPTIONS of a path tells its methods.
  if (status === 204) return [nothing, text]
  const speaks = dialectAt({ url: path })
  if (speaks) return [speaks.refusal, JSON.parse(text)]
  return [isProblem(headers) ? problem : z.union([routeUnknown, refusal]), JSON.parse(text)]
}

function isProblem(headers: Answered['headers']): boolean {
  return headers['content-type'] === 'application/problem+json'
}

type Part = readonly [schema: z.ZodType, value: unknown]
const nothing = z.literal('')
/** What any request may be answered before it is known what it asks for; the document tells it once. */
const BEFORE_ITS_ROUTE: readonly number[] = [408, 431]

/** What of an answer must be exactly what. */
function partsOf(route: DescribedRoute, isHead: boolean, { status, text, headers }: Answered): readonly Part[] {
  const { answers, isTagged, speaks } = route.description
  if (headers.etag !== undefined && !isTagged) throw new Error('It has an entity tag.')
  const isWhole = status < 300 && text.length < LIMITS.wholeList.max && !isHead
  if (isWhole && isTagged && headers.etag === undefined) throw new Error('It has no entity tag.')
  const answer = answers[status]
  if (isHead || answer === null || (status === 304 && isTagged)) return [[nothing, text]]
  if (answer && !(status >= 400 && isProblem(headers)))
    return formOf(formsOf(answer), String(headers['content-type']), text)
  const known = [...refusalsOf(route), ...BEFORE_ITS_ROUTE]
  if (!known.includes(status)) throw new Error(`It is refused with ${known.join(', ')} only.`)
  // What is wrong before its route is known is told as everywhere.
  if (speaks && String(headers['content-type']).startsWith(speaks.contentType))
    return formOf({ [speaks.contentType]: speaks.refusal }, String(headers['content-type']), text)
  return [[isProblem(headers) ? problem : refusal, JSON.parse(text)]]
}

function formOf(forms: Readonly<Record<string, z.ZodType>>, contentType: string, text: string): readonly Part[] {
  const [type = ''] = contentType.split(';')
  const schema = forms[type]
  if (!schema) throw new Error(`It is never ${contentType}.`)
  const each = (texts: readonly string[]): readonly Part[] => texts.map((one) => [schema, JSON.parse(one)])
  switch (type) {
    case 'application/json':
    case SCIM_TYPE:
      return each([text])
    case 'application/x-ndjson':
      return each(text.split('\n').filter(Boolean))
    case 'text/event-stream':
      // With these words OpenAI ends a stream.
      return each(Array.from(text.matchAll(/^data: (?!\[DONE\])(.*)$/gm), ([, data = '']) => data))
    default:
      return [[schema, text]]
  }
}

/** Throws unless the value is what the schema says, with no field more. */
export function exactly(schema: z.ZodType, value: unknown): void {
  const parsed = schema.parse(value)
  if (!isDeepStrictEqual(parsed, value))
    throw new Error(`It has other fields than ${JSON.stringify(parsed).slice(0, 500)}`)
}

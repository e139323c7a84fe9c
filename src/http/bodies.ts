import type { FastifyInstance } from 'fastify'
import { errors } from '../errors.js'
import { mostValues, refusalOfJson } from '../lib/jsonScan.js'
import { nextTurn } from '../lib/turns.js'
import { LIMITS } from '../limits.js'
import type { DescribedRoute, Description, Input } from './openapi/description.js'

/** How large a body a route takes: 4 KB without a token or without a use for it, 64 KB, or with content what is configured. */
export type BodySize = 'small' | 'usual' | 'content'

/** A route as it was added to the server. */
export interface DeclaredRoute extends DescribedRoute {
  readonly takes: BodySize
}

declare module 'fastify' {
  interface FastifyRequest {
    /** How many bytes of JSON the request has brought; undefined where it has no body. */
    bodyBytes: number | undefined
  }
  interface FastifyContextConfig {
    takes?: BodySize
    /** True where the body is a form, as providers of sign-in send one: no other route takes what any page can have a browser send. */
    takesForm?: true
    input?: Input
    description?: Description
  }
  interface FastifyInstance {
    /** Every route of the server, in the order in which they were added. */
    declared: readonly DeclaredRoute[]
  }
}

/**
 * Bounds the bodies of all routes that are added after this by the size that each states; one that states none, or does not
 * describe itself, is an error.
 * `content_bytes` is the limit of bodies with content.
 */
export function boundBodies(app: FastifyInstance, content_bytes: number): void {
  const declared: DeclaredRoute[] = []
  app.decorate('declared', declared)
  app.decorateRequest('bodyBytes')
  app.addHook('onRoute', (route) => {
    const { method, url, config } = route
    if (!config?.takes) throw new Error(`${method} ${url} does not state the size of body that it takes.`)
    const { takes, input = {}, description } = config
    if (!description) throw new Error(`${method} ${url} does not describe itself.`)
    const limit_bytes = bodyLimit(takes, content_bytes)
    route.bodyLimit = limit_bytes
    declared.push({ method: String(method), url, takes, limit_bytes, input, description })
  })
}

function bodyLimit(size: BodySize, content_bytes: number): number {
  switch (size) {
    case 'small':
      return Math.min(LIMITS.anonymousBody.max, content_bytes)
    case 'usual':
      return Math.min(LIMITS.body.max, content_bytes)
    case 'content':
      return content_bytes
  }
}

/**
 * A body above this is checked, decoded, parsed and handled in turns that no other large body has: each takes up to 50 ms for
 * 8 MB, and those of bodies that have come together would add up.
 */
const ONE_TURN_BYTES = 256 * 1024

/**
 * Reads JSON bodies: what is not UTF-8, too deep or too many is refused before anything is parsed, and the framework's own
 * parser refuses the rest (no JSON, an empty body, a `__proto__` key). JSON under another name is for the routes that speak so.
 */
export function readJson(app: FastifyInstance, contentType = 'application/json'): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>(contentType, { parseAs: 'buffer' }, (request, bytes, done) => {
    const { config, bodyLimit } = request.routeOptions
    if (contentType !== 'application/json' && config.description?.speaks?.contentType !== contentType)
      return done(errors.bodyTypeUnknown())
    request.bodyBytes = bytes.length
    const maxValues = mostValues(bodyLimit)
    if (bytes.length <= ONE_TURN_BYTES) return void parse(request, checked(bytes, maxValues).toString(), done)
    textInTurns(bytes, maxValues)
      .then((text) => parse(request, text, (error, value) => void nextTurn().then(() => done(error, value))))
      .catch(done)
  })
}

/** Refuses bodies that are compressed, before they are read: nobody could bound what comes out of them. */
export function refuseEncoded(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _, payload, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    done(encoding.toLowerCase() === 'identity' ? null : errors.bodyEncoded(encoding), payload)
  })
}

/** Reads forms, of the routes that take one. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, text, done) => {
      if (!request.routeOptions.config.takesForm) return done(errors.bodyTypeUnknown())
      done(null, Object.fromEntries(new URLSearchParams(text)))
    }
  )
}

/** The bytes themselves, unless they must not be parsed: 400. */
function checked(bytes: Buffer, maxValues: number): Buffer {
  const refusal = refusalOfJson(bytes, maxValues)
  if (refusal !== null) throw refusal
  return bytes
}

async function textInTurns(bytes: Buffer, maxValues: number): Promise<string> {
  await nextTurn()
  checked(bytes, maxValues)
  await nextTurn()
  const text = bytes.toString()
  await nextTurn()
  return text
}

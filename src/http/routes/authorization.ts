import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import type { Hub } from '../../app/hub.js'
import { ASKED_SCOPES, type OAuthAnswer, PATHS, POLL_SECONDS, pageFor, rootOf } from '../../authorization/server.js'
import type { AuthorizationService } from '../../authorization/service.js'
import { errors } from '../../errors.js'
import { boundedText, freeObject, LIMITS } from '../../limits.js'
import { sha256 } from '../../log/chain.js'
import { tokenInstead } from '../authorization/token.js'
import { named } from '../openapi/names.js'
import { parse } from '../parse.js'
import { json, send } from '../reply.js'
import { forAnybody } from '../route.js'

const text = boundedText(LIMITS.clientId)
const anything = freeObject('A JSON object.')
const byUid = z.object({ uid: id.describe('What the browser was led with.') })
const typed = z.object({ user_code: id.optional().describe('The code that the program shows.') })
const deviceForm = z.object({
  client_id: text.optional().describe('The id of the program, or `terminal`.'),
  scope: text.optional().describe('What it asks for, with spaces between.'),
  resource: text.optional().describe('The address of /mcp.')
})
const tokenForm = z.object({
  grant_type: text.optional().describe('`authorization_code`, or that of the device grant.'),
  client_id: text.optional().describe('The id of the program.'),
  device_code: text.optional().describe('The code that the program has, of the device grant.'),
  code: text.optional().describe('The code that the browser has brought back.'),
  redirect_uri: text.optional().describe('Where it was led back to.'),
  code_verifier: text.optional().describe('What the challenge was made of (PKCE).'),
  resource: text.optional().describe('The address of /mcp.')
})
const registration = z.object({
  client_name: boundedText(LIMITS.label).optional().describe('What the program calls itself.'),
  redirect_uris: z
    .array(boundedText(LIMITS.label))
    .max(LIMITS.redirectUris.max)
    .optional()
    .describe('Where a browser is led back to: https, or a loopback address.')
})
const refused = named('OAuthError', 'A refusal, as programs read it (RFC 6749).', {
  error: z.string().describe('What is wrong, in a word of OAuth.'),
  error_description: z.string().optional().describe('Why, as a text for people; left out where the word says it.'),
  state: z.string().optional().describe('What the program has sent of its own; left out where it sent none.'),
  iss: z.string().optional().describe('Whose refusal it is; left out where it is none of a browser.')
})
const asOAuth = { 400: refused, 401: refused }

/** What lets programs ask people for tokens; 404 where the configuration does not have it. */
export function authorizationOf({ authorization }: Pick<Hub, 'authorization'>): AuthorizationService {
  if (!authorization) throw errors.authorizationOff()
  return authorization
}

/** How programs ask for tokens: OAuth 2.0 with PKCE, and its device grant (RFC 6749, 7591, 7636, 8414, 8628, 9728). */
export function authorizationRoutes(app: FastifyInstance): void {
  metadataRoutes(app)
  programRoutes(app)
  browserRoutes(app)
}

/** What programs learn of it first. */
function metadataRoutes(app: FastifyInstance): void {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const isWhole = path.endsWith('resource')
    const telling = forAnybody(
      'authorization',
      isWhole ? 'getProtectedResource' : 'getProtectedResourceOfAgents',
      'Tell where programs get tokens for /mcp',
      { 200: anything },
      { refuses: [404], about: 'RFC 9728.' }
    )
    app.get(path, telling, async (request, reply) => {
      const root = rootOf(authorizationOf(request.hub).base)
      return send(
        request,
        reply,
        json({
          resource: `${root}/mcp`,
          authorization_servers: [root],
          scopes_supported: ASKED_SCOPES,
          bearer_methods_supported: ['header']
        })
      )
    })
  }

  const metadata = forAnybody(
    'authorization',
    'getAuthorizationServer',
    'Tell how programs get tokens',
    { 200: anything },
    { refuses: [404], about: 'RFC 8414.' }
  )
  app.get('/.well-known/oauth-authorization-server', metadata, async (request, reply) => {
    const root = rootOf(authorizationOf(request.hub).base)
    return send(
      request,
      reply,
      json({
        issuer: root,
        authorization_endpoint: root + PATHS.authorization,
        token_endpoint: root + PATHS.token,
        registration_endpoint: root + PATHS.registration,
        device_authorization_endpoint: root + PATHS.device_authorization,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ASKED_SCOPES,
        authorization_response_iss_parameter_supported: true
      })
    )
  })
}

/** What programs ask. */
function programRoutes(app: FastifyInstance): void {
  const registering = forAnybody(
    'authorization',
    'registerProgram',
    'Register a program',
    { 201: anything, ...asOAuth },
    { refuses: [404], about: 'RFC 7591, of public clients. Nothing is kept of it: its id says what was registered.' },
    { input: { body: registration } }
  )
  app.post(PATHS.registration, registering, async (request, reply) => {
    const { client_name, redirect_uris = [] } = parse(registration, request.body, 'body')
    const service = authorizationOf(request.hub)
    const { ask, clients } = await service.server()
    const metadata = clients.metadataFor({ client_name, redirect_uris })
    const answered = await ask({
      ...{ method: 'POST', url: PATHS.registration, headers: { 'content-type': 'application/json' } },
      payload: JSON.stringify(metadata)
    })
    if (answered.status !== 201) return told(request, reply, answered)
    const client_id = clients.idOf({ client_name, redirect_uris })
    if (client_id === null) return told(request, reply, tooLarge)
    return send(request, reply, json({ ...metadata, client_id }, 201))
  })

  const device = forAnybody(
    'authorization',
    'askByDevice',
    'Ask for a code that a person types in',
    { 200: anything, ...asOAuth },
    {
      refuses: [404],
      about:
        'RFC 8628. `client_id` is that of a program that has registered, or `terminal`; the code is good for ten minutes.'
    },
    { input: { body: deviceForm }, takesForm: true }
  )
  app.post(PATHS.device_authorization, device, async (request, reply) => {
    const fields = parse(deviceForm, request.body, 'body')
    const service = authorizationOf(request.hub)
    const { ask } = await service.server()
    if (!isAskable(fields.scope)) return told(request, reply, unknownScope)
    const answered = await ask(formOf(PATHS.device_authorization, fields))
    if (answered.status !== 200) return told(request, reply, answered)
    const body = z.looseObject({ user_code: z.string() }).parse(JSON.parse(answered.body))
    const page = `${rootOf(service.base)}/auth/device`
    return send(
      request,
      reply,
      json({
        ...body,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${body.user_code}`,
        interval: POLL_SECONDS
      })
    )
  })

  const token = forAnybody(
    'authorization',
    'getProgramToken',
    'Get the token that a person has approved',
    { 200: anything, ...asOAuth },
    {
      refuses: [404],
      about:
        'By a code of a browser, or of a device: `authorization_pending` until somebody has answered, `slow_down` for who asks too often.'
    },
    { input: { body: tokenForm }, takesForm: true }
  )
  app.post(PATHS.token, token, async (request, reply) => {
    const fields = parse(tokenForm, request.body, 'body')
    const service = authorizationOf(request.hub)
    const { kept } = request.hub.throttle
    const code = fields.device_code
    if (code !== undefined && !(await kept.claim(`oauth:poll:${sha256(code)}`, POLL_SECONDS - 1)))
      return told(request, reply, slowDown)
    const answered = await (await service.server()).ask(formOf(PATHS.token, fields))
    if (answered.status !== 200) return told(request, reply, answered)
    reply.header('cache-control', 'no-store')
    return send(request, reply, json(await tokenInstead(request, service, answered.body)))
  })
}

/** Where browsers are led. */
function browserRoutes(app: FastifyInstance): void {
  for (const path of [PATHS.authorization, `${PATHS.authorization}/:uid`]) {
    const isFirst = path === PATHS.authorization
    const leading = forAnybody(
      'authorization',
      isFirst ? 'askByBrowser' : 'goOnByBrowser',
      isFirst ? 'Lead a browser to the page that asks' : 'Lead a browser back to the program',
      { 303: null, 400: refused },
      { refuses: [404], about: 'The authorization code grant with PKCE (S256).' },
      isFirst ? {} : { input: { params: byUid } }
    )
    app.get(path, leading, async (request, reply) => {
      if (!isFirst) parse(byUid, request.params, 'params')
      const { ask } = await authorizationOf(request.hub).server()
      const { cookie = '' } = request.headers
      return told(
        request,
        reply,
        await ask({ method: 'GET', url: request.url, headers: { cookie, accept: 'application/json' } })
      )
    })
  }

  const page = forAnybody(
    'authorization',
    'openDevicePage',
    'Lead a browser to the page where a code is typed in',
    { 302: null },
    { refuses: [404], about: 'With `user_code` it is typed in already.' },
    { input: { query: typed } }
  )
  app.get('/auth/device', page, async (request, reply) => {
    const { user_code = '' } = parse(typed, request.query, 'query')
    const { base } = authorizationOf(request.hub)
    return reply.redirect(pageFor(base, user_code), 302)
  })
}

function formOf(url: string, fields: Readonly<Record<string, string | undefined>>) {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST' as const, url, headers, payload: String(form) }
}

/** True where each of these scopes may be asked for. */
function isAskable(scopes = ''): boolean {
  return scopes.split(' ').every((scope) => scope === '' || ASKED_SCOPES.some((one) => one === scope))
}

const unknownScope = { status: 400, headers: {}, body: '{"error":"invalid_scope"}' }
const slowDown = { status: 400, headers: {}, body: '{"error":"slow_down"}' }
const tooLarge = {
  status: 400,
  headers: {},
  body: '{"error":"invalid_client_metadata","error_description":"It is too long."}'
}

/** Passes on what the server answers: status, body, where it leads, and what a browser keeps. */
function told(_: FastifyRequest, reply: FastifyReply, { status, headers, body }: OAuthAnswer): FastifyReply {
  for (const name of ['location', 'set-cookie', 'www-authenticate'])
    if (headers[name] !== undefined) reply.header(name, headers[name])
  reply.code(status).header('cache-control', 'no-store')
  return status === 303 ? reply.send() : reply.header('content-type', 'application/json; charset=utf-8').send(body)
}

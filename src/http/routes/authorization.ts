import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { name } from '../../../commands/content.js'
import { ASKED_SCOPES, type AuthorizationServer, PATHS, POLL_SECONDS, rootOf } from '../../authorization/server.js'
import { boundedText, LIMITS } from '../../limits.js'
import { LOOPBACK_NAMES } from '../../net/serverUrl.js'
import { anything, authorizationOf, countQuestion, refusal, refused, sendAnswer } from '../authorization/answers.js'
import { revokeReplayed, tokenInstead } from '../authorization/token.js'
import { openRoutes } from '../openRoute.js'
import { json } from '../reply.js'

const text = boundedText(LIMITS.clientId)
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
  client_name: name.optional().describe('What the program calls itself.'),
  redirect_uris: z
    .array(boundedText(LIMITS.label))
    .max(LIMITS.redirectUris.max)
    .optional()
    .describe('Where a browser is led back to: https, or a loopback address.')
})
const registered = { 201: anything, 400: refused, 401: refused }
const asOAuth = { 200: anything, 400: refused, 401: refused }

/** How programs ask for tokens: OAuth 2.0 with PKCE, and its device grant (RFC 6749, 7591, 7636, 8628). */
export function authorizationRoutes(app: FastifyInstance): void {
  const route = openRoutes(app, 'authorization')

  route('POST', PATHS.registration, 'registerProgram', registered, {
    summary: 'Register a program',
    about: 'RFC 7591, of public clients. Nothing is kept of it: its id says what was registered.',
    refuses: [404],
    body: registration,
    handle: async ({ body: { client_name, redirect_uris = [] }, request, reply }) => {
      const service = authorizationOf(request.hub)
      const { ask, clients } = await service.server()
      if (!redirect_uris.every(isOwnAddress)) return sendAnswer(reply, wrongAddress)
      const metadata = clients.metadataFor({ client_name, redirect_uris })
      const answered = await ask({
        ...{ method: 'POST', url: PATHS.registration, headers: { 'content-type': 'application/json' } },
        payload: JSON.stringify(metadata)
      })
      if (answered.status !== 201) return sendAnswer(reply, answered)
      const client_id = clients.idOf({ client_name, redirect_uris })
      return client_id === null ? sendAnswer(reply, tooLarge) : json({ ...metadata, client_id }, 201)
    }
  })

  route('POST', PATHS.device_authorization, 'askByDevice', asOAuth, {
    summary: 'Ask for a code that a person types in',
    about:
      'RFC 8628. `client_id` is that of a program that has registered, or `terminal`; the code is good for ten minutes.',
    refuses: [404, 429],
    body: deviceForm,
    config: { takesForm: true },
    handle: async ({ body: fields, request, reply }) => {
      const service = authorizationOf(request.hub)
      const { ask } = await service.server()
      await countQuestion(request, service)
      if (!isAskable(fields.scope)) return sendAnswer(reply, unknownScope)
      const answered = await ask(formOf(PATHS.device_authorization, fields))
      if (answered.status !== 200) return sendAnswer(reply, answered)
      const body = z.looseObject({ user_code: z.string() }).parse(JSON.parse(answered.body))
      const page = `${rootOf(service.base)}/auth/device`
      return json({
        ...body,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${body.user_code}`,
        interval: POLL_SECONDS
      })
    }
  })

  route('POST', PATHS.token, 'getProgramToken', asOAuth, {
    summary: 'Get the token that a person has approved',
    about:
      'By a code of a browser, or of a device: `authorization_pending` until somebody has answered, `slow_down` for who asks too often.',
    refuses: [404, 409],
    body: tokenForm,
    config: { takesForm: true },
    handle: async ({ body: fields, request, reply }) => {
      const service = authorizationOf(request.hub)
      const server = await service.server()
      if (await asksTooOften(server, fields.device_code)) return sendAnswer(reply, slowDown)
      const answered = await server.ask(formOf(PATHS.token, fields))
      if (answered.replayed !== null) await revokeReplayed(request, service, answered.replayed)
      if (answered.status !== 200) return sendAnswer(reply, answered)
      const issued = await tokenInstead(request, service, answered.body)
      if (issued === null) return sendAnswer(reply, usedTwice)
      reply.header('cache-control', 'no-store')
      return json(issued)
    }
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

/** True for https, and for http of the machine itself: where the browser of nobody else leads. */
function isOwnAddress(address: string): boolean {
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : { protocol: '', hostname: '' }
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_NAMES.has(hostname))
}

/** True where a program comes with its code again before it was to. Codes that there are not are counted nowhere. */
async function asksTooOften({ provider, store }: AuthorizationServer, code: string | undefined): Promise<boolean> {
  if (code === undefined || !(await provider.DeviceCode.find(code, { ignoreExpiration: true }))) return false
  return !(await store.claim('poll', code, POLL_SECONDS - 1))
}

const unknownScope = refusal('invalid_scope')
const slowDown = refusal('slow_down')
const usedTwice = refusal('invalid_grant', 'it was used already')
const tooLarge = refusal('invalid_client_metadata', 'It is too long.')
const wrongAddress = refusal(
  'invalid_redirect_uri',
  'A browser is led back to https, or to http at a loopback address, alone.'
)

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { scopesIn } from '../../authorization/questions.js'
import { BROWSER_HEADER, type OAuthAnswer, PATHS, pageFor, QUESTION_SECONDS } from '../../authorization/server.js'
import { LOOPBACK_NAMES } from '../../net/serverUrl.js'
import { authorizationOf, countQuestion, refusal, refused, sendAnswer } from '../authorization/answers.js'
import { cookieNames, cookieOf, keptCookie } from '../cookies.js'
import { openRoutes } from '../openRoute.js'

const elsewhere = { 302: null }
const byUid = z.object({ uid: id.describe('What the browser was led with.') })
const typed = z.object({ user_code: id.optional().describe('The code that the program shows.') })

/** Where programs have browsers led. */
export function authorizationBrowserRoutes(app: FastifyInstance): void {
  const route = openRoutes(app, 'authorization')
  const led = { 303: null, 400: refused }

  route('GET', PATHS.authorization, 'askByBrowser', led, {
    summary: 'Lead a browser to the page that asks',
    about:
      'The authorization code grant with PKCE (S256). A cookie ties the question to the browser that was led here. What is wrong with it is told with 400, and by a redirect to programs of the same machine alone: nobody was asked yet.',
    refuses: [404, 429],
    handle: async ({ request, reply }) => {
      const service = authorizationOf(request.hub)
      const { ask, browsers } = await service.server()
      await countQuestion(request, service)
      const { cookie = '' } = request.headers
      const browser = browsers.known(cookieOf(cookie, cookieNames(service.base).browser))
      const headers = { cookie, accept: 'application/json', [BROWSER_HEADER]: browser }
      const answered = await ask({ method: 'GET', url: withScopes(request.url), headers })
      return sendAnswer(reply, unlessElsewhere(answered, service.base), [
        keptCookie(service.base, 'browser', browser, { maxAge: QUESTION_SECONDS })
      ])
    }
  })

  route('GET', `${PATHS.authorization}/:uid`, 'goOnByBrowser', led, {
    summary: 'Lead a browser back to the program',
    about: 'With what was answered: a code, or a refusal.',
    refuses: [404],
    params: byUid,
    handle: async ({ request, reply }) => {
      const { ask } = await authorizationOf(request.hub).server()
      const { cookie = '' } = request.headers
      const answered = await ask({ method: 'GET', url: request.url, headers: { cookie, accept: 'application/json' } })
      return sendAnswer(reply, answered)
    }
  })

  route('GET', '/auth/device', 'openDevicePage', elsewhere, {
    summary: 'Lead a browser to the page where a code is typed in',
    about: 'With `user_code` it is typed in already.',
    refuses: [404],
    query: typed,
    handle: async ({ query: { user_code = '' }, request, reply }) => {
      reply.redirect(pageFor(authorizationOf(request.hub).base, user_code), 302)
      return null
    }
  })
}

/**
 * The question with the scopes that the person is asked about, and no others: where none stands in it that the hub has, the library
 * would give nothing, or ask for more consent, once all was approved. A way to lead back that there is not is refused before.
 */
function withScopes(url: string): string {
  const { pathname, searchParams: asked } = new URL(url, 'http://hub')
  asked.set('scope', scopesIn(asked.get('scope') ?? undefined).join(' '))
  // The library would lead back by a page of its own, which no route here sends.
  if (asked.get('response_mode') === 'form_post') asked.set('response_mode', 'none')
  return `${pathname}?${asked}`
}

/**
 * The answer to a question that nobody was asked yet: where it leads a browser to any address but the hub's own or one of the machine
 * itself, a refusal that says the same in its place. Anybody may register a program, and a link to the hub would lead wherever
 * that says (RFC 9700, 4.11.2).
 */
function unlessElsewhere(answered: OAuthAnswer, base: URL): OAuthAnswer {
  const { location } = answered.headers
  if (typeof location !== 'string') return answered
  const { origin, hostname, search, hash } = new URL(location, base)
  if (origin === base.origin || LOOPBACK_NAMES.has(hostname)) return answered
  const told = new URLSearchParams(search || hash.slice(1))
  return refusal(told.get('error') ?? 'invalid_request', told.get('error_description') ?? undefined)
}

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { scopesIn } from '../../authorization/questions.js'
import { BROWSER_HEADER, PATHS, pageFor, QUESTION_SECONDS } from '../../authorization/server.js'
import { authorizationOf, refused, sendAnswer } from '../authorization/answers.js'
import { countQuestion } from '../authorization/count.js'
import { browserCookie, cookieNames, cookieOf } from '../cookies.js'
import { parse } from '../parse.js'
import { forAnybody } from '../route.js'

const byUid = z.object({ uid: id.describe('What the browser was led with.') })
const typed = z.object({ user_code: id.optional().describe('The code that the program shows.') })

/** Where programs have browsers led. */
export function authorizationBrowserRoutes(app: FastifyInstance): void {
  const leading = forAnybody(
    'authorization',
    'askByBrowser',
    'Lead a browser to the page that asks',
    { 303: null, 400: refused },
    {
      refuses: [404, 429],
      about:
        'The authorization code grant with PKCE (S256). A cookie ties the question to the browser that was led here.'
    }
  )
  app.get(PATHS.authorization, leading, async (request, reply) => {
    const service = authorizationOf(request.hub)
    const { ask, browsers } = await service.server()
    await countQuestion(request, service)
    const { cookie = '' } = request.headers
    const browser = browsers.known(cookieOf(cookie, cookieNames(service.base).browser))
    const headers = { cookie, accept: 'application/json', [BROWSER_HEADER]: browser }
    const answered = await ask({ method: 'GET', url: withScopes(request.url), headers })
    sendAnswer(reply, answered, [browserCookie(service.base, browser, QUESTION_SECONDS)])
  })

  const goingOn = forAnybody(
    'authorization',
    'goOnByBrowser',
    'Lead a browser back to the program',
    { 303: null, 400: refused },
    { refuses: [404], about: 'With what was answered: a code, or a refusal.' },
    { input: { params: byUid } }
  )
  app.get(`${PATHS.authorization}/:uid`, goingOn, async (request, reply) => {
    parse(byUid, request.params, 'params')
    const { ask } = await authorizationOf(request.hub).server()
    const { cookie = '' } = request.headers
    const answered = await ask({ method: 'GET', url: request.url, headers: { cookie, accept: 'application/json' } })
    return sendAnswer(reply, answered)
  })

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

/**
 * The question with the scopes that the person is asked about, and no others: where none stands in it that the hub has, the library
 * would give nothing, or ask for more consent, once all was approved.
 */
function withScopes(url: string): string {
  const [path = '', query = ''] = url.split('?')
  const asked = new URLSearchParams(query)
  asked.set('scope', scopesIn(asked.get('scope') ?? undefined).join(' '))
  return `${path}?${asked}`
}

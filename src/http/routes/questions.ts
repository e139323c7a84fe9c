import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { limitsOf } from '../../../commands/people/token/table.js'
import { answer, questionOf } from '../../authorization/questions.js'
import { errors } from '../../errors.js'
import { throttledByAddress } from '../auth.js'
import { authorizationOf } from '../authorization/answers.js'
import { cookieNames, cookieOf } from '../cookies.js'
import { named } from '../openapi/names.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

const question = named('Question', 'What a program asks a person for.', {
  program: z.string().describe('What the program calls itself. Nobody vouches for it.'),
  scopes: z.array(z.string()).describe('What it asks for.'),
  agentsMayWrite: z
    .boolean()
    .describe(
      'Whether agents may write with it: where it asks for that, and they may with the token that approves it.'
    ),
  leadsTo: z.string().nullable().describe('The host that the browser is led back to; null where it stays.')
})
const byCode = z.object({
  code: id.describe('The code that the program shows, or that the browser was led with.')
})

/** What programs ask people for, and what those answer. */
export function questionRoutes(app: FastifyInstance): void {
  const route = routes(app, 'authorization')
  route('GET', '/auth/questions/:code', 'getQuestion', question, {
    summary: 'Tell which program asks for what',
    about:
      'That of a browser is told to the browser alone that the program has led here. Of codes that there are not an address may try only some.',
    params: byCode,
    refuses: [404, 429],
    handle: async ({ params, token, request }) => {
      const { program, scopes, leadsTo } = await questionIn(request, params.code)
      const asksToWrite = scopes.includes('agent') && scopes.includes('write')
      return json({ program, scopes, agentsMayWrite: asksToWrite && limitsOf(token).agentWrites, leadsTo })
    }
  })

  const answered = z.object({
    location: z.string().nullable().describe('Where the browser goes on; null where it stays.')
  })
  route('POST', '/auth/questions/:code', 'answerQuestion', answered, {
    summary: 'Give a program a token of the own account, or refuse it',
    about:
      'Once. The token is one of the own account, limited to what was asked for, with an end; it is listed and revoked like any other.',
    params: byCode,
    refuses: [404, 429],
    body: z.object({ approve: z.boolean().describe('True gives it the token, false refuses it.') }),
    takesKey: false,
    handle: async ({ hub, params, body, caller, token, request }) => {
      const asked = await questionIn(request, params.code)
      const server = await authorizationOf(hub).server()
      const { agentWrites } = limitsOf(token)
      const location = await answer(
        server,
        asked,
        { userId: caller.userId, tokenId: token.id, agentWrites },
        body.approve
      )
      if (location === false) throw errors.questionUnknown()
      return json({ location })
    }
  })
}

function questionIn(request: FastifyRequest, code: string) {
  const service = authorizationOf(request.hub)
  const browser = cookieOf(request.headers.cookie, cookieNames(service.base).browser)
  return throttledByAddress(request, async () => {
    const found = await questionOf(await service.server(), code, browser)
    if (!found) throw errors.questionUnknown()
    return found
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import type { Hub } from '../../app/hub.js'
import { answer, questionOf } from '../../authorization/questions.js'
import { errors } from '../../errors.js'
import { throttledByAddress } from '../auth.js'
import { named } from '../openapi/names.js'
import { json } from '../reply.js'
import { declared, routes } from '../route.js'
import { authorizationOf } from './authorization.js'

const question = named('Question', 'What a program asks a person for.', {
  program: z.string().describe('What the program calls itself. Nobody vouches for it.'),
  scopes: z.array(z.string()).describe('What it asks for.'),
  leadsTo: z.string().nullable().describe('The host that the browser is led back to; null where it stays.')
})
const byCode = z.object({
  code: id.describe('The code that the program shows, or that the browser was led with.')
})

/** What programs ask people for, and what those answer. */
export function questionRoutes(app: FastifyInstance): void {
  const route = routes(app, 'authorization')
  const asking = declared('getQuestion', 'Tell which program asks for what', question, {
    params: byCode,
    refuses: [404, 429],
    about: 'Of codes that there are not an address may try only some.'
  })
  route('GET', '/auth/questions/:code', asking, async ({ hub, params, request }) => {
    const { program, scopes, leadsTo } = await questionIn(request, hub, params.code)
    return json({ program, scopes, leadsTo })
  })

  const answering = declared(
    'answerQuestion',
    'Give a program a token of the own account, or refuse it',
    z.object({ location: z.string().nullable().describe('Where the browser goes on; null where it stays.') }),
    {
      params: byCode,
      refuses: [404, 429],
      body: z.object({ approve: z.boolean().describe('True gives it the token, false refuses it.') }),
      takesKey: false,
      about:
        'Once. The token is one of the own account, limited to what was asked for, with an end; it is listed and revoked like any other.'
    }
  )
  route('POST', '/auth/questions/:code', answering, async ({ hub, params, body, caller, token, request }) => {
    const { kept } = hub.throttle
    const asked = await questionIn(request, hub, params.code)
    const server = await authorizationOf(hub).server()
    const location = await answer(server, kept, asked, { userId: caller.userId, tokenId: token.id }, body.approve)
    if (location === false) throw errors.questionUnknown()
    return json({ location })
  })
}

function questionIn(request: FastifyRequest, hub: Hub, code: string) {
  const service = authorizationOf(hub)
  return throttledByAddress(request, async () => {
    const found = await questionOf(await service.server(), code)
    if (!found) throw errors.questionUnknown()
    return found
  })
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { name } from '../../../commands/content.js'
import { identitiesTable } from '../../../commands/people/identity/table.js'
import { ownedUser } from '../../../commands/people/user/decide.js'
import { boundedText, LIMITS } from '../../limits.js'
import { keyFound } from '../../signIn/subject.js'
import type { ReadStore } from '../../storage/storage.js'
import { listAnswer } from '../answers.js'
import { named } from '../openapi/names.js'
import { done, json } from '../reply.js'
import { routes } from '../route.js'
import { begun, serviceOf } from '../signIn/coming.js'

const boundSignIn = named('BoundSignIn', 'A provider that somebody signs in with, and who they are there.', {
  id: z.string().describe('Its id.'),
  userId: z.string().describe('The id of the account that they are here.'),
  provider: z.string().describe('The id of the provider.'),
  issuer: z.string().describe('What the provider calls itself.'),
  subject: z.string().describe('What it knows them by, which never changes.'),
  name: z.string().describe('What it called them when it was bound.'),
  boundAt: z.iso.datetime().describe('When it was bound.')
})
const provider = z.object({ provider: boundedText(LIMITS.id).describe('The id of the provider.') })
const subject = provider.extend({
  subject: boundedText(LIMITS.label).min(1).describe('What the provider knows them by: the claim `sub`.'),
  displayName: name.optional().describe('What it calls them; left out, the subject.')
})
const leading = z.object({ location: z.string().describe('Where the browser goes to sign in there.') })

/** Who signs in as which account: everybody binds their own, administrators anybody's. */
export function boundSignInRoutes(app: FastifyInstance): void {
  const route = routes(app, 'sign-in')

  route('GET', '/auth/sign-ins', 'listOwnSignIns', listAnswer('signIns', boundSignIn), {
    summary: 'List the providers that the own account signs in with',
    about: 'The oldest come first.',
    handle: async ({ readModel, caller }) => listed(readModel, caller.userId)
  })

  route('POST', '/auth/sign-ins', 'bindOwnSignIn', leading, {
    summary: 'Have a browser sign in with a provider, and bind that to the own account',
    about:
      'The browser that asks is led to `location`, and back to the page of the account. Whoever is bound to another account is refused there with 409.',
    refuses: [404, 502, 503],
    body: provider,
    takesKey: false,
    handle: async ({ hub, body, token, reply }) => {
      const signIn = serviceOf(hub)
      const { location, cookie } = await begun(signIn, signIn.provider(body.provider), {
        bindTo: token.id,
        replaces: null
      })
      reply.header('set-cookie', cookie)
      return json({ location })
    }
  })

  route('DELETE', '/auth/sign-ins/:id', 'unbindOwnSignIn', null, {
    summary: 'Let go of a provider that the own account signs in with',
    about: 'Sessions that it has given end.',
    handle: ({ params, run }) => done(run({ type: 'UnbindIdentity', id: params.id }))
  })

  route('GET', '/admin/users/:id/sign-ins', 'listSignInsOfUser', listAnswer('signIns', boundSignIn), {
    summary: 'List the providers that an account signs in with',
    about: 'The oldest come first.',
    handle: async ({ readModel, params }) => {
      await ownedUser(params.id, readModel)
      return listed(readModel, params.id)
    }
  })

  route('POST', '/admin/users/:id/sign-ins', 'bindSignIn', null, {
    summary: 'Bind somebody at a provider to an account',
    about:
      'Whoever signs in at the provider as this subject is the account from then on. One that is bound to another account is refused with 409.',
    refuses: [409],
    body: subject,
    handle: async ({ hub, readModel, params, body, run }) => {
      await ownedUser(params.id, readModel)
      const { config } = serviceOf(hub).provider(body.provider)
      const { issuer } = config
      const { subject } = body
      const bound = {
        provider: config.id,
        issuer,
        subject,
        name: body.displayName ?? subject,
        key: await keyFound(hub.ledger.readModel, { issuer, subject })
      }
      return done(run({ type: 'BindIdentity', id: randomUUID(), userId: params.id, subject: bound }))
    }
  })

  route('DELETE', '/admin/sign-ins/:id', 'unbindSignIn', null, {
    summary: 'Let go of a provider that an account signs in with',
    about: 'Sessions that it has given end.',
    handle: ({ params, run }) => done(run({ type: 'UnbindIdentity', id: params.id }))
  })
}

async function listed(read: ReadStore, userId: string) {
  const rows = await read.list(identitiesTable, 'byUser', [userId])
  return json(`{"signIns":[${rows.map(({ body }) => body).join(',')}]}`)
}

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { identitiesTable, signInsTable } from '../../../commands/people/identity/table.js'
import { systemOrigin } from '../../ledger/ledger.js'
import { boundedText, LIMITS } from '../../limits.js'
import { keyFound } from '../../signIn/subject.js'
import { refusal } from '../answers.js'
import { forgottenCookie } from '../cookies.js'
import { openRoutes } from '../openRoute.js'
import { done, json, noContent } from '../reply.js'
import { routes } from '../route.js'
import {
  asked,
  begun,
  bound,
  broughtBack,
  byProvider,
  providerIn,
  sessionBefore,
  sessionKeyOf,
  signedIn
} from '../signIn/coming.js'
import { idTokenOf } from '../signIn/leaving.js'
import { homeOf, led } from '../signIn/page.js'
import { enterNobodys } from '../tenant.js'

const offered = z.object({
  providers: z
    .array(
      z.object({
        id: z.string().describe('What it is called in addresses.'),
        name: z.string().describe('What it is called on the page.')
      })
    )
    .describe('None where people sign in with tokens alone.')
})
const logoutBody = z.object({
  logout_token: boundedText(LIMITS.logoutToken).describe('The signed word of the provider.')
})
const left = z.object({
  location: z
    .string()
    .nullable()
    .describe('Where the session at the provider is ended too; null where there is none, or it offers that nowhere.')
})

const html = { 'text/html': z.string() }

const offers = { 200: offered }
const begins = { 302: null, 502: html, 503: html }
const returns = {
  ...{ 302: null, 400: { ...html, 'application/json': refusal }, 403: html, 409: html, 502: html, 503: html }
}
const nothing = { 204: null }

/** Signing in by a provider of OpenID Connect, and out again. */
export function signInRoutes(app: FastifyInstance): void {
  const open = openRoutes(app, 'sign-in')
  const ofProvider = { params: byProvider, onRequest: enterNobodys }

  open('GET', '/auth/sign-in', 'listSignInProviders', offers, {
    summary: 'List the ways to sign in',
    about: 'Beside a token, which always works.',
    onRequest: enterNobodys,
    handle: async ({ request }) =>
      json({ providers: request.hub.signIn?.providers.map(({ config: { id, name } }) => ({ id, name })) ?? [] })
  })

  open('GET', '/auth/sign-in/:id', 'beginSignIn', begins, {
    summary: 'Lead a browser to a provider',
    about: 'The browser keeps a sealed cookie meanwhile, and comes back within ten minutes.',
    refuses: [404],
    ...ofProvider,
    handle: async ({ params, request, reply }) => {
      const { signIn, provider } = asked(request, params)
      return led(reply, signIn, [], async () => {
        const { location, cookie } = await begun(signIn, provider, {
          bindTo: null,
          replaces: await sessionBefore(request, signIn)
        })
        return { location, cookies: [cookie] }
      })
    }
  })

  open('GET', '/auth/sign-in/:id/callback', 'finishSignIn', returns, {
    summary: 'Take a browser back from a provider',
    about:
      'It gets a session in a cookie, which is a token with an end, and is led to the console. The session that the browser had before ends. Who is not let in is told why on a page.',
    refuses: [404],
    ...ofProvider,
    handle: async ({ params, request, reply }) => {
      const { signIn, provider } = asked(request, params)
      const forgetting = forgottenCookie(signIn.base, 'signIn')
      return led(reply, signIn, [forgetting], async () => {
        const onItsWay = await broughtBack(request, signIn, provider)
        const who = await provider.finish(request.url.slice(request.url.indexOf('?') + 1), onItsWay)
        if (onItsWay.bindTo !== null) {
          await bound(request, provider, who, onItsWay.bindTo)
          return { location: `${homeOf(signIn)}#/account`, cookies: [forgetting] }
        }
        const session = await signedIn(request, signIn, provider, who, onItsWay)
        return { location: `${homeOf(signIn)}#/signed-in`, cookies: [forgetting, ...session] }
      })
    }
  })

  open('POST', '/auth/sign-in/:id/logout', 'endSessionsByProvider', nothing, {
    summary: 'End sessions, as a provider says (back-channel logout)',
    about:
      'The form of OpenID Connect Back-Channel Logout 1.0: a signed logout token that names a subject, a session, or both. Where it names a subject, every token and pending invitation of the account ends; else the session alone.',
    refuses: [404, 502, 503],
    ...ofProvider,
    body: logoutBody,
    config: { takesForm: true },
    handle: async ({ params, body, request }) => {
      const { provider } = asked(request, params)
      const { issuer, subject, session } = await provider.logout(body.logout_token)
      const sessionKey = sessionKeyOf({ issuer, session })
      const origin = { ...systemOrigin, address: request.ip, requestId: request.id }
      const { ledger } = request.hub
      if (subject !== null) {
        const key = await keyFound(ledger.readModel, { issuer, subject })
        await ledger.run({ type: 'EndSignIns', key, session: sessionKey, reason: 'provider' }, origin)
      } else if (sessionKey !== null) await ledger.run({ type: 'EndSession', of: { session: sessionKey } }, origin)
      return noContent
    }
  })

  const route = routes(app, 'sign-in')
  route('POST', '/auth/sign-out/everywhere', 'endOwnSessions', null, {
    summary: 'End all sessions of the own account that sign-ins have given',
    about: 'The one that asks too, where it is one. Tokens that were issued stay.',
    takesKey: false,
    handle: ({ run }) => done(run({ type: 'EndOwnSessions' }))
  })

  route('POST', '/auth/sign-out', 'signOut', left, {
    summary: 'Revoke the token that asks, and have its browser forget it',
    about: 'Whatever else it is used for ends as well.',
    takesKey: false,
    handle: async ({ hub, readModel, token, run, request, reply }) => {
      const signIn = await readModel.get(signInsTable, token.id)
      const identity = signIn && (await readModel.get(identitiesTable, signIn.identityId))
      await run({ type: 'RevokeOwnToken', id: token.id })
      if (!hub.signIn) return json({ location: null })
      const { base } = hub.signIn
      reply.header('set-cookie', [forgottenCookie(base, 'session'), forgottenCookie(base, 'leaving')])
      const provider = identity && hub.signIn.providers.find(({ config }) => config.id === providerIn(identity.body))
      const idToken = await idTokenOf(request, hub.signIn, token.id)
      return json({ location: String((await provider?.end(idToken)) ?? '') || null })
    }
  })
}

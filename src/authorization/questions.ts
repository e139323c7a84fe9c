import { z } from 'zod'
import { ASKED_SCOPES, type AuthorizationServer, QUESTION_SECONDS } from './server.js'
import type { Store } from './store.js'

/** What a program asks a person for. */
export interface Question {
  /** What the program calls itself: nobody vouches for it. */
  readonly program: string
  readonly scopes: readonly string[]
  /** Where it is led back to with the answer; null where it asks again by itself. */
  readonly leadsTo: string | null
}

/** Who answers, and with which token. */
export interface Answerer {
  readonly userId: string
  readonly tokenId: string
  /** Whether agents may write with that token: only then may they with the one that it approves. */
  readonly agentWrites: boolean
}

interface Asked extends Question {
  readonly id: string
  readonly clientId: string
  /** What the token is for. */
  readonly resource: string
  readonly approve: (who: Answerer, grantId: string) => Promise<string | null>
  readonly refuse: () => Promise<string | null>
}

const asked = z.looseObject({
  scope: z.string().optional(),
  client_id: z.string().optional(),
  redirect_uri: z.string().optional(),
  resource: z.string().optional()
})
const USER_CODE = /^[A-Za-z]{4}-?[A-Za-z]{4}$/
const DEFAULT_SCOPES = ['read']

/**
 * The question that waits under a code that somebody has typed, or that this browser was led with (null for one that was led nowhere);
 * null where none does.
 */
export async function questionOf(
  server: AuthorizationServer,
  code: string,
  browser: string | null
): Promise<Asked | null> {
  if (USER_CODE.test(code)) return ofDevice(server, code)
  const id = server.browsers.idIn(code, browser)
  return id === null ? null : ofBrowser(server, id)
}

/**
 * Answers it, once: the program gets a token of this person, or is refused. Returns where the browser goes on, null where it does not.
 * False where it was answered already. What could not be kept may be answered once more.
 */
export async function answer(
  { provider, store }: AuthorizationServer,
  question: Asked,
  who: Answerer,
  isApproved: boolean
): Promise<string | null | false> {
  if (!(await store.claim('answered', question.id, QUESTION_SECONDS))) return false
  try {
    return await (isApproved ? approved(provider, store, question, who) : question.refuse())
  } catch (error) {
    // Nobody has answered it then.
    await store.delete('answered', question.id).catch(() => {})
    throw error
  }
}

async function approved(
  provider: AuthorizationServer['provider'],
  store: Store,
  question: Asked,
  who: Answerer
): Promise<string | null> {
  const grant = new provider.Grant({ accountId: who.userId, clientId: question.clientId })
  grant.addOIDCScope(question.scopes.join(' '))
  grant.addResourceScope(question.resource, question.scopes.join(' '))
  const grantId = await grant.save()
  await store.set('approver', grantId, JSON.stringify(who), QUESTION_SECONDS)
  return question.approve(who, grantId)
}

const answerer = z.object({ userId: z.string(), tokenId: z.string(), agentWrites: z.boolean() })

/** Who has approved a grant; null where nobody has, or too long ago. */
export async function approverOf(store: Store, grantId: string): Promise<Answerer | null> {
  const text = await store.get('approver', grantId)
  return text === null ? null : answerer.parse(JSON.parse(text))
}

function resourceOf(issuer: string): string {
  return `${issuer}/mcp`
}

/** The scopes that a program names and may ask for; `read` where there is none of them. */
export function scopesIn(text: string | undefined): readonly string[] {
  const named = new Set(text?.split(' '))
  const scopes = ASKED_SCOPES.filter((scope) => named.has(scope))
  return scopes.length > 0 ? scopes : DEFAULT_SCOPES
}

async function ofDevice({ provider, clients }: AuthorizationServer, text: string): Promise<Asked | null> {
  const code = await provider.DeviceCode.findByUserCode(text.replace('-', '').toUpperCase())
  if (!code || code.isExpired || code.accountId || code.error || !code.clientId) return null
  const { scope, resource = resourceOf(provider.issuer) } = asked.parse(code.params ?? {})
  const scopes = scopesIn(scope)
  return {
    ...{ id: code.jti, clientId: code.clientId, program: programOf(clients, code.clientId) },
    ...{ scopes, resource, leadsTo: null },
    async approve({ userId }, grantId) {
      Object.assign(code, { accountId: userId, grantId, scope: scopes.join(' '), resource })
      await code.save()
      return null
    },
    async refuse() {
      Object.assign(code, { error: 'access_denied', errorDescription: 'It was refused.' })
      await code.save()
      return null
    }
  }
}

async function ofBrowser({ provider, clients }: AuthorizationServer, uid: string): Promise<Asked | null> {
  const interaction = await provider.Interaction.find(uid)
  const { scope, client_id, redirect_uri, resource } = asked.parse(interaction?.params ?? {})
  if (!interaction || client_id === undefined || redirect_uri === undefined) return null
  const resume = async (result: object) => {
    Object.assign(interaction, { result })
    await interaction.save(QUESTION_SECONDS)
    return interaction.returnTo
  }
  return {
    ...{ id: uid, clientId: client_id, program: programOf(clients, client_id), scopes: scopesIn(scope) },
    resource: resource ?? resourceOf(provider.issuer),
    leadsTo: new URL(redirect_uri).host,
    approve: ({ userId }, grantId) => resume({ login: { accountId: userId, remember: false }, consent: { grantId } }),
    refuse: () => resume({ error: 'access_denied', error_description: 'It was refused.' })
  }
}

const named = z.looseObject({ client_name: z.string() })

function programOf(clients: AuthorizationServer['clients'], clientId: string): string {
  return named.parse(clients.metadataOf(clientId)).client_name
}

import { z } from 'zod'
import { SPENT } from '../checking/history.js'
import { withId, withSecret } from '../whole/client.js'
import { type Actor, actorOf, type Scene, type Token } from './actor.js'
import { randomOf } from './random.js'
import type { Desk } from './records.js'

const withToken = z.object({ token: withId })

/** A token is made, used at every hub, revoked at one of them, and used at every hub again. */
export async function tokenStory(actor: Actor, scene: Scene, admin: Token): Promise<void> {
  const { hubs, user } = scene.hubs
  const label = scene.newName()
  const issued = await actor.perform({
    f: 'issue',
    sent: { token: label },
    token: admin,
    isChange: true,
    request: { method: 'POST', path: `/admin/users/${user.id}/tokens`, body: { name: label } },
    answer: () => ({})
  })
  if (!issued) return
  const token = { label, secret: withSecret.parse(issued.body).secret }
  for (const hub of hubs) await use(actor, token, '/auth/session', hub)
  await actor.perform({
    f: 'revoke',
    sent: { token: label },
    token: admin,
    isChange: true,
    request: { method: 'DELETE', path: `/admin/tokens/${withToken.parse(issued.body).token.id}` },
    answer: () => ({})
  })
  for (const hub of hubs) await use(actor, token, '/auth/session', hub)
}

/** An invitation is made, and redeemed by two at once at different hubs, then by one more. */
export async function invitationStory(actor: Actor, scene: Scene, admin: Token): Promise<void> {
  const { user } = scene.hubs
  const invited = await actor.perform({
    f: 'use',
    sent: {},
    token: admin,
    isChange: true,
    request: { method: 'POST', path: `/admin/users/${user.id}/invitations`, body: { expiresInHours: 1 } },
    answer: () => ({})
  })
  if (!invited) return
  const { secret } = withSecret.parse(invited.body)
  const label = scene.newName()
  const redeem = (by: Actor) =>
    by.perform({
      f: 'redeem',
      sent: { secret: label },
      token: { label: `invitation ${label}`, secret: '' },
      isChange: true,
      request: { method: 'POST', path: '/auth/invitations/redeem', body: { secret, tokenName: label } },
      answer: () => ({}),
      refusal: (status) => ([400, 404, 409, 410].includes(status) ? SPENT : undefined)
    })
  const other = actorOf(scene, randomOf(actor.random.below(2 ** 31)))
  await Promise.all([redeem(actor), redeem(other)])
  await redeem(actor)
}

const turn = { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hello' }] }

export async function chatStep({ actor, token }: Desk): Promise<void> {
  const request = { method: 'POST', path: '/llm/chat/step', body: turn }
  await actor.perform({ f: 'use', sent: {}, token, isChange: true, request, answer: () => ({}) })
}

export async function comment({ actor, token, shared }: Desk): Promise<void> {
  const request = {
    method: 'POST',
    path: `/collections/${shared}/discussions`,
    body: { body: 'Why does this answer 409?' }
  }
  await actor.perform({ f: 'use', sent: {}, token, isChange: true, request, answer: () => ({}) })
}

const VIEWS = ['/auth/session', '/notices', '/llm/usage', '/llm/models', '/deleted']

/** Something that is only looked at. */
export async function look({ actor, token, shared }: Desk): Promise<void> {
  const ofShared = ['tree', 'history', 'export', 'activity', 'discussions'].map(
    (view) => `/collections/${shared}/${view}`
  )
  await use(actor, token, actor.random.pick([...VIEWS, ...ofShared]))
}

async function use(actor: Actor, token: Token, path: string, hub?: Scene['hubs']['hubs'][number]): Promise<void> {
  await actor.perform({
    f: 'use',
    sent: {},
    token,
    request: { method: 'GET', path },
    ...(hub && { hub }),
    answer: () => ({})
  })
}

const page = z.object({
  changes: z.array(z.object({ position: z.number() })),
  position: z.number(),
  cursor: z.string()
})

/** Follows all changes, now at one hub and then at another; begins anew where the log went back. */
export function follower(actor: Actor, scene: Scene, admin: Token): () => Promise<void> {
  const from = () => ({ connection: scene.newName(), after: 0, cursor: '0' })
  let at = from()
  return async () => {
    const { connection, after } = at
    let isLost = false
    const reply = await actor.perform({
      f: 'feed',
      sent: { connection, after },
      token: admin,
      request: { method: 'GET', path: `/changes?after=${at.cursor}&limit=100` },
      answer({ body }) {
        const { changes, position } = page.parse(body)
        return { positions: changes.map((change) => change.position), through: position }
      },
      refusal(status) {
        isLost = status === 410
        return undefined
      }
    })
    if (isLost) at = from()
    if (!reply) return
    const { cursor, position } = page.parse(reply.body)
    at = { connection, after: position, cursor }
  }
}

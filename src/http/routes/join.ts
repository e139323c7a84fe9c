import type { FastifyInstance } from 'fastify'
import { readInvite } from '../join/invite.js'
import { joinPage } from '../join/page.js'
import { pageHeaders } from '../join/policy.js'

/** `GET /join`, the page behind an invite link. Like the liveness probe it depends on nothing but the configuration. */
export function joinRoutes(app: FastifyInstance): void {
  app.get('/join', { config: { takes: 'small' } }, async ({ url, hub }, reply) => {
    const { scheme } = hub.config.client
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    return reply.headers(pageHeaders).send(joinPage(readInvite(query), { scheme, now: new Date() }))
  })
}

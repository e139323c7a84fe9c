import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { managedBy } from '../../../commands/people/grant/decide.js'
import { covers } from '../../../commands/people/token/scopes.js'
import { toldRoles } from '../../../commands/people/user/events.js'
import { asEditor } from '../../../commands/people/user/system.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { lockables } from '../../../commands/records/kinds.js'
import { mayCreate } from '../../../commands/records/lockable.js'
import { avatarFields, hubRecord } from '../../../queries/avatars.js'
import type { HubProvider } from '../../app/live.js'
import { errors } from '../../errors.js'
import { refusal } from '../answers.js'
import { mayEdit } from '../auth.js'
import { pluginSources, reloadRefusal, reloadReport, session } from '../hubAnswers.js'
import { readInvite } from '../join/invite.js'
import { joinPage, pageHeaders } from '../join/page.js'
import { openRoutes } from '../openRoute.js'
import { json } from '../reply.js'
import { routes } from '../route.js'
import { requireItself, tenantOfHost } from '../tenant.js'

/**
 * `GET /auth/session`. Notices and discussions are for whoever works with records: clients that see `communication` true ask for
 * them again and again.
 */
export function sessionRoutes(app: FastifyInstance): void {
  routes(app, 'hub')('GET', '/auth/session', 'getSession', session, {
    summary: 'Tell whose token this is, and what it may do',
    about: 'Clients ask for it first: it says which of the other operations the token may call.',
    handle: async ({ caller, token, hub, readModel }) => {
      const isUser = caller.role === 'user'
      const hasData = isUser || mayEdit(caller, hub.config)
      const asUser = hasData && !isUser ? asEditor(caller) : caller
      const { userId: id, name, role, scopes } = caller
      const { viewed } = caller
      const [account, thisHub] = await Promise.all([readModel.get(usersTable, id), hubRecord(readModel, hub.tenant)])
      if (!account) throw errors.unauthorized()
      const managed = isUser ? (await managedBy(account, readModel)).map((one) => one.id) : []
      return json({
        user: { id, name, ...toldRoles(role), ...avatarFields(account) },
        token: { id: token.id, prefix: token.prefix, ...limits(token.expiresAt, scopes) },
        capabilities: {
          dataApi: hasData && covers(scopes, 'read'),
          managementApi: (role === 'admin' || role === 'accountAdmin') && covers(scopes, 'admin:read'),
          llm: isUser && caller.llmAccess && covers(scopes, 'llm'),
          communication: hasData && covers(scopes, 'read'),
          discussionE2ee: hub.config.collaboration.e2ee
        },
        mayCreate: lockables.filter((one) => covers(scopes, 'write') && mayCreate(asUser, one)).map(({ kind }) => kind),
        ...(viewed.length > 0 && { viewed }),
        ...(managed.length > 0 && { managed: [...new Set(managed)] }),
        tenantId: hub.tenant.id,
        hub: thisHub
      })
    }
  })
}

/** What limits a token, where anything does: desktops are answered as ever. */
function limits(expiresAt: string | null, scopes: readonly string[] | null) {
  return { ...(expiresAt !== null && { expiresAt }), ...(scopes !== null && { scopes }) }
}

/** Where the desktop's plugin page looks (section 4, Plugin sources). */
export function pluginRoutes(app: FastifyInstance): void {
  routes(app, 'hub')('GET', '/plugins/sources', 'getPluginSources', pluginSources, {
    summary: 'List where plugins come from',
    about: 'They stand in the configuration, under `plugins`.',
    handle: async ({ hub }) => {
      const { catalogs, trusted } = hub.config.plugins
      return json({ catalogs, trusted })
    }
  })
}

/** `POST /admin/config/reload`: reads the configuration file again (section 1, Runtime configuration file). */
export function reloadRoutes(app: FastifyInstance, live: HubProvider): void {
  const reports = { 200: reloadReport, 400: z.union([reloadRefusal, refusal]) }
  routes(app, 'hub')('POST', '/admin/config/reload', 'reloadConfiguration', reports, {
    summary: 'Read the configuration file again',
    about:
      'What can be changed in a running hub is in force with the answer; for the rest it says that a restart is needed. A file that cannot be used changes nothing and is refused with 400. For the hub itself, not for a tenant.',
    takesKey: false,
    handle: async ({ origin, hub }) => {
      requireItself(hub)
      const report = await live.reload(origin)
      if (report.fatalError !== undefined) throw errors.configurationUnusable(report.fatalError, report)
      return json(report)
    }
  })
}

/** `GET /join`, the page behind an invite link. Like the liveness probe it depends on nothing but the configuration. */
export function joinRoutes(app: FastifyInstance): void {
  const html = { 200: { 'text/html': z.string() } }
  openRoutes(app, 'invitations')('GET', '/join', 'getJoinPage', html, {
    summary: 'Show the page behind an invite link',
    about:
      'It shows what the query of the link tells of the invitation, and how to redeem it. The hub looks up nothing for it.',
    refuses: [503],
    handle: async ({ request: { url, hub, hostname }, reply }) => {
      const { client, console } = hub.config
      const invite = readInvite(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
      // Where none is named the console is at that of its host, which is not the hub itself everywhere.
      const isMeant = (invite?.tenant ?? null) !== null || tenantOfHost(hub.config, hostname) === undefined
      const hasConsole = console && isMeant
      reply.headers(pageHeaders).send(joinPage(invite, { scheme: client.scheme, hasConsole, now: new Date() }))
      return null
    }
  })
}

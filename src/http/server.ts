import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Hub } from '../app/hub.js'
import type { HubProvider } from '../app/live.js'
import { SCIM_TYPE } from '../directory/refusal.js'
import { errors } from '../errors.js'
import { SubscriptionsByTenant } from '../followers/feed/subscriptions.js'
import { LIMITS } from '../limits.js'
import { withoutPorts } from '../net/address.js'
import { whenOver } from '../net/responseOver.js'
import { Outages, type Supply } from '../ops/outages.js'
import { PROBES } from '../ops/probes.js'
import { probing } from '../ops/probing.js'
import { Readiness } from '../ops/readiness.js'
import { ChoresDone } from '../ops/tasks.js'
import type { AuthenticatedCaller } from './auth.js'
import { boundBodies, readForms, readJson, refuseEncoded } from './bodies.js'
import { boundHeldBodies } from './bodyRoom.js'
import { Connections } from './connections.js'
import { BUILT_CONSOLE } from './console/files.js'
import { originGate } from './cors.js'
import { answerErrors, answerUnroutable } from './errors.js'
import { sendFailure } from './failures.js'
import { FilePlaces } from './filePlaces.js'
import { guardLoad, type LoadGuard } from './load.js'
import { withModelId } from './modelDialects.js'
import { observeRequests, RequestLog } from './observe.js'
import { adminAuditRoutes } from './routes/adminAudit.js'
import { adminStatusRoutes } from './routes/adminStatus.js'
import { adminThrottleRoutes } from './routes/adminThrottle.js'
import { adminUserRoutes } from './routes/adminUsers.js'
import { agentRoutes } from './routes/agents.js'
import { authorizationRoutes } from './routes/authorization.js'
import { authorizationBrowserRoutes } from './routes/authorizationBrowser.js'
import { authorizationMetadataRoutes } from './routes/authorizationMetadata.js'
import { avatarRoutes } from './routes/avatars.js'
import { boundSignInRoutes } from './routes/boundSignIns.js'
import { changeRoutes } from './routes/changes.js'
import { collectionRoutes } from './routes/collections.js'
import { consoleRoutes } from './routes/console.js'
import { copyRoutes } from './routes/copies.js'
import { deletedRoutes } from './routes/deleted.js'
import { deviceRoutes } from './routes/devices.js'
import { discussionRoutes } from './routes/discussions.js'
import { environmentFormatRoutes, formatRoutes } from './routes/formats.js'
import { grantRoutes } from './routes/grants.js'
import { groupRoutes } from './routes/groups.js'
import { activityRoutes, adminRecordRoutes, historyRoutes } from './routes/history.js'
import { joinRoutes, pluginRoutes, reloadRoutes, sessionRoutes } from './routes/hub.js'
import { invitationRoutes } from './routes/invitations.js'
import { adminLlmRoutes, llmRoutes } from './routes/llm.js'
import { llmBudgetRoutes } from './routes/llmBudgets.js'
import { documentRoutes, folderRoutes, requestRoutes } from './routes/members.js'
import { mlsRoutes } from './routes/mls.js'
import { modelCallRoutes } from './routes/modelCalls.js'
import { noticeRoutes } from './routes/notices.js'
import { openApiRoutes } from './routes/openapi.js'
import { opsRoutes } from './routes/ops.js'
import { ownTokenRoutes } from './routes/ownTokens.js'
import { questionRoutes } from './routes/questions.js'
import { runResultRoutes } from './routes/runResults.js'
import { scimGroups } from './routes/scimGroups.js'
import { scimRoutes } from './routes/scimResources.js'
import { scimServiceRoutes } from './routes/scimService.js'
import { scimUsers } from './routes/scimUsers.js'
import { searchRoutes } from './routes/search.js'
import { signInRoutes } from './routes/signIn.js'
import { environmentRoutes, liveRoutes, snippetRoutes } from './routes/standalone.js'
import { undoRoutes } from './routes/undo.js'
import { webhookRoutes } from './routes/webhooks.js'

const CHECK_INTERVAL_MS = 1000
/** As Node looks for it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
    readiness: Readiness
    /** What the process has done last of what it does from time to time. */
    choresDone: ChoresDone
    /** Told of every request that is refused for want of the database or the throttle store. */
    outages: Outages
    /** Where those wait whose files are read or written, or whose records are copied. */
    filePlaces: FilePlaces
  }
  interface FastifyRequest {
    /** The hub as it was when the request came in; its connections stay open until the answer is out. */
    hub: Hub
    /** Who has sent the request, once that is known. */
    session: AuthenticatedCaller | undefined
    /** Keeps the hub's connections open until what it returns is called, also when the client leaves before. */
    hold: () => () => void
  }
}

export interface ServerOptions {
  /** What says that the process is overloaded; by default what measures it. */
  readonly guard?: LoadGuard | undefined
  /** Where the console is that this hub serves; by default where the build puts it. */
  readonly consoleDirectory?: string | undefined
}

function noSchema(): never {
  throw new Error('A route has a schema of the framework: `parse` takes those of zod.')
}

/** The HTTP server of a hub, ready to listen. While its guard says so, it refuses every request but those of probes. */
export function createServer(
  live: HubProvider,
  logger: FastifyBaseLogger,
  { guard = loadGuard(logger), consoleDirectory = BUILT_CONSOLE }: ServerOptions = {}
): FastifyInstance {
  const { bodyLimitBytes, trustedProxies, cors } = live.hub.config.server
  const admitOrigin = originGate(cors)
  const addresses = () => live.hub.config.audit.address
  const app = fastify({
    // What no route is found for.
    bodyLimit: LIMITS.anonymousBody.max,
    loggerInstance: logger,
    childLoggerFactory: (server, bindings, options) => new RequestLog(server, bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    frameworkErrors(error, request, reply) {
      admitOrigin(request, reply)
      answerUnroutable(error, request, reply, addresses)
    },
    // Schemas are zod's, and compiled where they are: the framework's compilers are a hundred modules that nothing would use.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    rewriteUrl: ({ url = '/' }) => withModelId(url),
    routerOptions: { maxParamLength: 200 },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    },
    forceCloseConnections: 'idle',
    // It does not say when to try again.
    return503OnClosing: false,
    requestTimeout: LIMITS.requestTime.max,
    keepAliveTimeout: LIMITS.keepAliveTime.max,
    http: {
      maxHeaderSize: LIMITS.headers.max,
      headersTimeout: LIMITS.headersTime.max,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // Node's own refusal has no body.
      requireHostHeader: false
    },
    clientErrorHandler: (error, socket) => connections.refuse(error, socket)
  })
  const connections = new Connections(app.server)
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  app.decorate('connections', connections)
  app.addHook('onClose', async () => connections.stop())
  const readiness = new Readiness(PROBES, () => probing(live))
  const isBack = async (supply: Supply) =>
    supply === 'images' ? imagesAnswer(live) : (await readiness.ask()).checks[supply]?.status === 'ok'
  const outages = new Outages(logger, isBack)
  app.decorate('readiness', readiness)
  app.decorate('choresDone', new ChoresDone())
  app.decorate('filePlaces', new FilePlaces())
  app.decorate('outages', outages)
  app.addHook('onClose', async () => outages.stop())
  app.decorate('tenants', live.tenants)
  app.decorateRequest('namedTenant')
  app.decorateRequest('ticketOf')
  app.decorateRequest('hub')
  app.decorateRequest('session')
  app.decorateRequest('hold')
  app.addHook('onClose', async () => guard.stop())
  // First of all, so that a page can read every refusal.
  if (cors) app.addHook('onRequest', async (request, reply) => admitOrigin(request, reply))
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    // Of the bare response, so that answers which leave the framework carry it too.
    reply.raw.setHeader('x-request-id', request.id)
    const { host, expect } = request.headers
    if (host === undefined && request.raw.httpVersion !== '1.0')
      return sendFailure(request, reply, errors.hostMissing())
    if (hostsOf(request.raw.rawHeaders) > 1) return sendFailure(request, reply, errors.hostRepeated())
    if (expect !== undefined && !CONTINUE.test(expect)) return sendFailure(request, reply, errors.expectationUnknown())
    if (isClosing) return sendFailure(request, reply, errors.stopping())
    if (request.routeOptions.config?.isProbe) return done()
    if (guard.isOverloaded) return sendFailure(request, reply, errors.overloaded())
    const { hub, leave, hold } = live.enter()
    request.hub = hub
    request.hold = hold
    whenOver(reply.raw, leave)
    done()
  })
  if (trustedProxies.length === 0) warnOfProxy(app, logger)
  else app.addHook('onRequest', takePortsOff)
  const requests = observeRequests(app, live.hub.config.logging.requests, addresses)
  // Each request that is worked on hears of the end of its connection: more at once than Node thinks usual.
  app.server.on('connection', (socket) => socket.setMaxListeners(0))
  answerErrors(app)
  boundBodies(app, bodyLimitBytes)
  refuseEncoded(app)
  readJson(app)
  readJson(app, SCIM_TYPE)
  readForms(app)
  boundHeldBodies(app, bodyLimitBytes)
  for (const add of [
    sessionRoutes,
    ownTokenRoutes,
    signInRoutes,
    grantRoutes,
    groupRoutes,
    scimServiceRoutes,
    (server: FastifyInstance) => scimRoutes(server, scimUsers),
    (server: FastifyInstance) => scimRoutes(server, scimGroups),
    boundSignInRoutes,
    authorizationMetadataRoutes,
    authorizationRoutes,
    authorizationBrowserRoutes,
    questionRoutes,
    collectionRoutes,
    formatRoutes,
    copyRoutes,
    folderRoutes,
    requestRoutes,
    documentRoutes,
    environmentRoutes,
    environmentFormatRoutes,
    snippetRoutes,
    liveRoutes,
    runResultRoutes,
    discussionRoutes,
    deviceRoutes,
    mlsRoutes,
    avatarRoutes,
    pluginRoutes,
    adminUserRoutes,
    invitationRoutes,
    llmRoutes,
    modelCallRoutes,
    historyRoutes,
    activityRoutes,
    searchRoutes,
    undoRoutes,
    adminRecordRoutes,
    deletedRoutes,
    adminLlmRoutes,
    llmBudgetRoutes,
    adminThrottleRoutes,
    adminAuditRoutes,
    agentRoutes,
    webhookRoutes,
    joinRoutes,
    openApiRoutes
  ]) {
    add(app)
  }
  if (live.hub.config.console) consoleRoutes(app, consoleDirectory)
  reloadRoutes(app, live)
  const followers = new SubscriptionsByTenant()
  // Open streams would hold up the end of the process.
  app.addHook('preClose', async () => followers.end())
  const streams = { app, live, subscriptions: followers }
  changeRoutes(app, streams)
  noticeRoutes(app, streams)
  adminStatusRoutes(app, live, followers)
  opsRoutes(app, live, { readiness, requests, followers: () => followers.count, done: app.choresDone })
  return app
}

/** How many headers say for which host a request is: Node tells the first one alone. */
function hostsOf(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') count++
  return count
}

/** True where images can be had: whether the hub is ready does not depend on it. */
async function imagesAnswer(live: HubProvider): Promise<boolean> {
  const { hub, leave } = live.enter()
  return hub.ledger.storage.blobs
    .list('', 1)
    .then(() => true)
    .catch(() => false)
    .finally(leave)
}

/** With another port for each connection an address would be another one each time, and nothing that it does would add up. */
async function takePortsOff({ raw: { headers } }: FastifyRequest): Promise<void> {
  const forwarded = headers['x-forwarded-for']
  if (forwarded !== undefined) headers['x-forwarded-for'] = withoutPorts(String(forwarded))
}

/** Says once that a proxy is in front that nobody has named: everybody behind it then counts as one address. */
function warnOfProxy(app: FastifyInstance, logger: FastifyBaseLogger): void {
  let isSaid = false
  app.addHook('onRequest', (request, _, done) => {
    if (isSaid || request.headers['x-forwarded-for'] === undefined) return done()
    isSaid = true
    logger.warn(
      { from: request.ip },
      'X-Forwarded-For came and is not believed: if this is your reverse proxy, list its address under server.trustedProxies, or all behind it are throttled and logged as one'
    )
    done()
  })
}

function loadGuard(logger: FastifyBaseLogger): LoadGuard {
  return guardLoad((isOverloaded, load) =>
    isOverloaded
      ? logger.warn(load, 'overloaded: requests are refused')
      : logger.info(load, 'no longer overloaded: requests are taken again')
  )
}

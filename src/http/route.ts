import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id } from '../../commands/content.js'
import type { Caller } from '../../commands/context.js'
import type { Command } from '../../commands/index.js'
import type { KeyedRequest } from '../../commands/log/idempotency/decide.js'
import { covers, requireUnconfined } from '../../commands/people/token/scopes.js'
import type { Role } from '../../commands/people/user/events.js'
import { asEditor } from '../../commands/people/user/system.js'
import type { PlacedRow } from '../../commands/record.js'
import type { Hub } from '../app/hub.js'
import { errors } from '../errors.js'
import type { Outcome } from '../ledger/decision.js'
import type { CommandOrigin } from '../ledger/ledger.js'
import { isApiToken } from '../ledger/secrets.js'
import type { ReadModel } from '../readmodel/readModel.js'
import type { Row, TableSpec } from '../storage/storage.js'
import { type Access, accessTo, ROLES_OF } from './access.js'
import { type AuthenticatedCaller, authenticate, authenticateByTicket, bearerToken, mayEdit, shownBy } from './auth.js'
import type { BodySize } from './bodies.js'
import { keyedRequest, requireNoKey } from './idempotency.js'
import type { Answers, RouteDescription } from './openapi/description.js'
import type { Tag } from './openapi/tags.js'
import { partsParser } from './parse.js'
import { expectedRevisions, type Reply, send } from './reply.js'
import { enterTenant, failAlikeInTime } from './tenant.js'

/** What a handler works with: the parsed request, who sent it, and the way to change something. */
export interface RouteCall<P, B, Q = unknown> extends AuthenticatedCaller {
  readonly hub: Hub
  /** The read model of that hub. */
  readonly readModel: ReadModel
  readonly params: P
  readonly body: B
  readonly query: Q
  readonly ifRevision: readonly number[] | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** On whose behalf commands run. */
  readonly origin: CommandOrigin
  /** Runs a command for the caller. */
  run(command: Command): Promise<Outcome>
  /** Runs a command and returns the row that it leaves, or left if the request repeats one. */
  change<T extends TableSpec>(command: Command & { readonly id: string }, table: T): Promise<Row<T['columns']>>
  /**
   * Runs a command as `change` does, and returns the row with the place among its siblings that the command leaves it. `bytes`
   * is how much it brings, about, where that is more than the body.
   */
  changePlaced<T extends TableSpec>(
    command: Command & { readonly id: string },
    table: T,
    bytes?: number
  ): Promise<PlacedRow<Row<T['columns']>>>
}

export const idParams = z.object({ id: id.describe('The id of the record.') })
export const collectionParams = z.object({ collectionId: id.describe('The id of the collection.') })

/** What routes with such a URL read of it: the id of a record, or of a collection. What else one names has a schema of its own. */
type InPath<U extends string> = U extends `${string}/:id${string}`
  ? typeof idParams
  : U extends `${string}/:collectionId${string}`
    ? typeof collectionParams
    : z.ZodUndefined

function inPath(url: string): z.ZodType | undefined {
  if (/\/:id\b/.test(url)) return idParams
  return url.includes('/:collectionId') ? collectionParams : undefined
}

/** A route behind a token: what is told of it, what it takes, and what it does. */
interface Route<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType>
  extends Omit<RouteDescription, 'operation' | 'answers'> {
  /** What stands in its path, where that is more than `:id` or `:collectionId`. */
  readonly params?: P
  readonly body?: B
  readonly query?: Q
  /** Refuses where the hub does not serve it at all: whatever else is right, and whoever asks. */
  readonly requires?: (hub: Hub) => void
  /** How large a body it takes: by default `usual` where it has a schema for one, and `small` where not. */
  readonly takes?: BodySize
  /** False for a POST that is not one command, and so cannot be carried out once under a key: the header is refused. */
  readonly takesKey?: false
  /** True for a stream, which browsers cannot send a header with: a GET of it may bring a ticket instead of a token. */
  readonly takesTicket?: true
  /** True where the token may come as the tools of Anthropic send a key: in `x-api-key`. */
  readonly takesApiKey?: true
  /** What it does. One that returns null has taken the reply over. */
  readonly handle: (call: RouteCall<z.infer<P>, z.infer<B>, z.infer<Q>>) => Promise<Reply | null>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Adds routes behind a token to a server, for whom the table of access says; the description of the interface shows them under `tag`.
 * Authentication comes first, then the shape of the request, then the role, then the handler. Of the answers a schema alone is that of
 * 200, and null is 204.
 */
export function routes(app: FastifyInstance, tag: Tag) {
  return <
    U extends string,
    P extends z.ZodType = z.ZodType & InPath<U>,
    B extends z.ZodType = z.ZodUndefined,
    Q extends z.ZodType = z.ZodUndefined
  >(
    method: Method,
    url: U,
    operation: string,
    answers: z.ZodType | null | Answers,
    {
      // The type says the same.
      params = inPath(url) as P | undefined,
      body,
      query,
      takes = body ? 'usual' : 'small',
      takesKey,
      takesTicket,
      takesApiKey,
      requires,
      handle,
      ...told
    }: Route<P, B, Q>
  ): void => {
    const access = accessTo(operation)
    if (access.who === 'public') throw new Error(`${operation} takes a token, and the table of access says otherwise.`)
    const byStatus = answers instanceof z.ZodType ? { 200: answers } : (answers ?? { 204: null })
    const schemas = { params, body, query }
    const parsed = partsParser(schemas)
    const isKeyed = method === 'POST' && takesKey !== false
    app.route({
      method,
      url,
      config: {
        takes,
        takesTicket: takesTicket === true,
        input: schemas,
        description: { ...told, operation, answers: byStatus, tag, access, takesKey: isKeyed }
      },
      // Before the body is read: who is not known sends nothing.
      async onRequest(request, reply) {
        // A browser shows its session by a cookie, which caches that others share do not heed.
        reply.header('cache-control', 'private')
        if (takesApiKey) takeApiKey(request)
        await enterTenant(request, reply, shownBy)
        const find = takesTicket && request.method === 'GET' ? authenticateByTicket : authenticate
        const session = await find(request).catch((error: unknown) => failAlikeInTime(request, error))
        request.userId = session.caller.userId
        const { caller } = session
        // Administrators work on records as users do, where the configuration says so.
        const isEditor = access.who === 'user' && mayEdit(caller, request.hub.config)
        request.session = isEditor ? { ...session, caller: asEditor(caller), isEditor } : session
      },
      async handler(request, reply) {
        const { session } = request
        if (!session) throw errors.unauthorized()
        if (query) requireReadable(request.url)
        const input = parsed(request)
        requires?.(request.hub)
        requireAccess(access, session.caller)
        if (takesKey === false && !told.ignoresKey) requireNoKey(request)
        const { 'if-match': ifMatch } = request.headers
        const ifRevision = ifMatch === undefined ? undefined : expectedRevisions(ifMatch)
        const idempotency = isKeyed ? keyedRequest(request, session.caller.userId, input.body) : undefined
        const { hub, origin, run, change, changePlaced } = commands(session, request, idempotency)
        // Written out: to spread parts into it took more memory than all else of a small request.
        const call = {
          hub,
          readModel: hub.ledger.readModel,
          params: input.params,
          body: input.body,
          query: input.query,
          caller: session.caller,
          token: session.token,
          ifRevision,
          request,
          reply,
          origin,
          run,
          change,
          changePlaced
        }
        const release = request.hold()
        try {
          const answer = await handle(call)
          return answer ? await send(request, reply, answer) : reply
        } finally {
          release()
        }
      }
    })
  }
}

/** Takes the key that a tool has sent for the token that it is; beside another token of the hub it is none. */
function takeApiKey({ headers }: FastifyRequest): void {
  const key = headers['x-api-key']
  if (typeof key !== 'string') return
  const shown = bearerToken(headers.authorization)
  const isBetter = shown === null || (isApiToken(key) && !isApiToken(shown))
  if (isBetter) headers.authorization = `Bearer ${key}`
}

function commands(
  { caller, token, isEditor }: AuthenticatedCaller,
  request: FastifyRequest,
  idempotency: KeyedRequest | undefined
) {
  const { hub } = request
  const origin = {
    tokenId: token.id,
    address: request.ip,
    requestId: request.id,
    idempotency,
    account: caller.userId,
    bytes: request.bodyBytes,
    isEditor
  }
  const changePlaced = async <T extends TableSpec>(
    command: Command & { readonly id: string },
    table: T,
    bytes: number | undefined = request.bodyBytes
  ) => {
    const { row, place, repeats } = await hub.ledger.run(command, { ...origin, bytes }, { table, id: command.id })
    if (!row && repeats) throw errors.answerErased()
    if (!row) throw new Error(`${command.type} left no row.`)
    // The ledger answers with a row of the table that it was asked for.
    return { row: row as Row<T['columns']>, place }
  }
  return {
    hub,
    origin,
    run: (command: Command) => hub.ledger.run(command, origin),
    changePlaced,
    change: async <T extends TableSpec>(command: Command & { readonly id: string }, table: T) =>
      (await changePlaced(command, table)).row
  }
}

/**
 * 403 for who may not call it at all, and for a token that is limited to other scopes, or to collections where what
 * administrators or auditors read is of all of them.
 */
function requireAccess({ who, needs }: Access, caller: Caller): void {
  const { role, scopes } = caller
  const roles: readonly Role[] = ROLES_OF[who]
  if (!roles.includes(role)) throw errors.forbidden()
  if (scopes === null || needs === 'none') return
  if (needs === 'all') throw errors.scopeMissing(null)
  if (!covers(scopes, needs)) throw errors.scopeMissing(needs)
  if (who === 'admin' || who === 'audit') requireUnconfined(caller)
}

/** Refuses a query string whose percent-encoding is none: the framework would take it as it stands. */
function requireReadable(url: string): void {
  try {
    decodeURIComponent(url.slice(url.indexOf('?') + 1))
  } catch {
    throw errors.queryUnreadable()
  }
}

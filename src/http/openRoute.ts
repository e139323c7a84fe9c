import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions
} from 'fastify'
import type { z } from 'zod'
import { accessTo } from './access.js'
import type { Answers, Description, Input } from './openapi/description.js'
import type { Tag } from './openapi/tags.js'
import { partsParser } from './parse.js'
import { type Reply, send } from './reply.js'

/** A route without a token: what is told of it, what it takes, and what it does. */
interface OpenRoute<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType>
  extends Pick<Description, 'summary' | 'about' | 'isTagged' | 'refuses' | 'takesKey'>,
    Pick<RouteShorthandOptions, 'onRequest' | 'preHandler'> {
  readonly params?: P
  readonly body?: B
  readonly query?: Q
  /** What it takes and looks at by itself, where that is not refused as elsewhere. */
  readonly input?: Input
  readonly config?: Pick<FastifyContextConfig, 'isProbe' | 'isSameOrigin' | 'takesForm'>
  /** What it does. One that returns null has answered by itself. */
  readonly handle: (call: OpenCall<z.infer<P>, z.infer<B>, z.infer<Q>>) => Promise<Reply | null>
}

interface OpenCall<P, B, Q> {
  readonly params: P
  readonly body: B
  readonly query: Q
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Adds routes to a server that whoever comes may call, without a token. */
export function openRoutes(app: FastifyInstance, tag: Tag) {
  return <
    P extends z.ZodType = z.ZodUndefined,
    B extends z.ZodType = z.ZodUndefined,
    Q extends z.ZodType = z.ZodUndefined
  >(
    method: 'GET' | 'POST',
    url: string,
    operation: string,
    answers: Answers,
    { params, body, query, input, config, onRequest, preHandler, handle, ...told }: OpenRoute<P, B, Q>
  ): void => {
    const access = accessTo(operation)
    if (access.who !== 'public') throw new Error(`${operation} takes no token, and the table of access says otherwise.`)
    const schemas = { params, body, query }
    const parsed = partsParser(schemas)
    const description = { ...told, operation, answers, tag, access }
    app.route({
      ...{ method, url, config: { ...config, takes: 'small', input: input ?? schemas, description } },
      ...(onRequest && { onRequest }),
      ...(preHandler && { preHandler }),
      async handler(request, reply) {
        const answer = await handle({ ...parsed(request), request, reply })
        return answer ? send(request, reply, answer) : reply
      }
    })
  }
}

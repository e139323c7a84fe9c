import { giveWay } from '../../lib/turns.js'
import type { DescribedRoute } from './description.js'
import { ANSWER_HEADERS, HEADER_PARAMETERS, type Operation, operationOf, pathOf } from './operation.js'
import { problem, REFUSALS } from './refusals.js'
import { Schemas } from './schemas.js'
import { TAGS } from './tags.js'
import { webhooksOf } from './webhooks.js'

/** A description of an interface as OpenAPI 3.1 has it. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly [part: string]: unknown
}

const DESCRIPTION = `Collections, environments and snippets that teams share, under one append-only log.

Every operation but those without a lock needs \`Authorization: Bearer TOKEN\`. Bodies are JSON in UTF-8. A GET answers HEAD too. A
refusal is an \`Error\`, whose text is for people, or where \`Accept\` prefers it a \`Problem\`. Besides what an operation lists, 408 answers a request that does not come in time,
and 431 one whose headers are too large. Answers may get further fields: ignore what you do not know.

\`X-Request-Id\` is in every answer; what a client sends in it is kept in the log. A hub with several tenants takes the id of the one that is
meant in \`X-Harbor-Tenant\`, or knows it by the host.`

/**
 * The description of these routes. It is made in turns: the event loop is not held up. Throws where two operations have one name,
 * or two schemas.
 */
export async function documentOf(routes: readonly DescribedRoute[], version: string): Promise<OpenApiDocument> {
  const schemas = new Schemas()
  const paths: Record<string, Record<string, Operation>> = {}
  const operations = new Set<string>()
  for (const route of routes) {
    // HEAD comes with every GET.
    if (route.method === 'HEAD') continue
    const operation = operationOf(route, schemas)
    if (operations.has(operation.operationId)) throw new Error(`Two operations have the name ${operation.operationId}.`)
    operations.add(operation.operationId)
    const path = pathOf(route.url)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    await giveWay()
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Collections Hub',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' }
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }],
    paths,
    webhooks: webhooksOf(schemas),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The secret of a token: `hbk_` and 43 characters.' }
      },
      parameters: HEADER_PARAMETERS,
      headers: ANSWER_HEADERS,
      responses: refusals(schemas),
      schemas: schemas.named
    }
  }
}

function refusals(schemas: Schemas) {
  const all = Object.values(REFUSALS).map(({ name, means, isForNow }) => [
    name,
    {
      description: means,
      ...(isForNow && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'application/problem+json': { schema: schemas.of(problem, 'output') }
      }
    }
  ])
  return {
    NotModified: {
      description: 'Nothing has changed. There is no body.',
      headers: { ETag: { $ref: '#/components/headers/ETag' } }
    },
    ...Object.fromEntries(all)
  }
}

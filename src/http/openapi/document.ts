import { giveWay } from '../../lib/turns.js'
import type { DescribedRoute } from './description.js'
import { ANSWER_HEADERS, HEADER_PARAMETERS, type Operation, operationOf, pathOf } from './operation.js'
import { problem, REFUSALS } from './refusals.js'
import { Schemas } from './schemas.js'
import { TAGS } from './tags.js'
import { type Messages, webhooksOf } from './webhooks.js'

/** A description of an interface as OpenAPI 3.1 has it. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly [part: string]: unknown
}

const DESCRIPTION = `Collections of API requests, environments and snippets that teams share. Every change is kept in one log that only grows, so each
record has its history, and what is deleted can be brought back.

    curl https://hub.example.com/collections -H 'Authorization: Bearer hbk_...'

## Authentication

Every operation but those without a lock needs \`Authorization: Bearer TOKEN\`. A token belongs to an account: a **user** works with
records, as far as the access lists of the account go; an **administrator** manages accounts and records. \`getSession\` tells what a
token may do.

## Requests and answers

Bodies are JSON in UTF-8. Times are ISO 8601 in UTC. A GET answers HEAD too. Answers may get further fields: ignore what you do not
know. \`X-Request-Id\` is in every answer; what a client sends in it is kept in the log. A hub with several tenants takes the id of
the one that is meant in \`X-Harbor-Tenant\`, or knows it by the host.

## Refusals

A refusal is an \`Error\`, whose text is for people, or where \`Accept\` prefers it a \`Problem\` with a code that never changes. Besides
what an operation lists, 408 answers a request that does not come in time, and 431 one whose headers are too large.

## Lists

A list comes whole, or page by page: send \`limit\`, and then \`nextCursor\` of each page as \`cursor\` until it is null. What changes
meanwhile shifts no page. \`fields=name,url\` has records with these fields and their id alone.

## Two people at once

A record has an \`ETag\`. Send it as \`If-Match\` with a change: where somebody has changed the record meanwhile, it is refused with 412
and nothing is lost. Sent as \`If-None-Match\` with a GET, it gets 304 where nothing has changed.

## Sending a request again

Who does not know whether a POST has arrived sends it again with the same \`Idempotency-Key\`, a text of their choice for this one
request. For 24 hours it is carried out once, and the repeat gets the answer of the first. Another body under the key is 422.

## Following changes

\`listChanges\` tells what changes as it happens, as server-sent events or page by page, and webhooks have it sent to a URL. Both tell
what has changed and never what it is now.`

/**
 * The description of these routes, and of the messages that webhooks are sent. It is made in turns: the event loop is not held up.
 * Throws where two operations have one name, or two schemas.
 */
export async function documentOf(
  routes: readonly DescribedRoute[],
  messages: Messages,
  version: string
): Promise<OpenApiDocument> {
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
    webhooks: webhooksOf(messages, schemas),
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
  const all = Object.values(REFUSALS).map(({ name, means, says, isForNow }) => [
    name,
    {
      description: means,
      ...(isForNow && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error: says } },
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

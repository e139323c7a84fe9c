import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { VERSION } from '../../lib/version.js'
import { ASSETS, referenceAsset, referenceHeaders, referencePage } from '../reference/assets.js'
import { type Reply, send } from '../reply.js'

const open = { isTagged: true, refuses: [503], tag: 'hub', access: 'public' } as const
const ASSET_CACHE = 'public, max-age=3600'
const asset = z.object({ asset: z.enum(ASSETS) })

/** `GET /openapi.json`, the description of every route of the server, and `GET /docs`, a page that shows it. */
export function openApiRoutes(app: FastifyInstance): void {
  const document = {
    operation: 'getOpenApi',
    summary: 'Describe the interface as OpenAPI 3.1',
    answers: { 200: z.record(z.string(), z.unknown()) },
    ...open
  } as const
  let made: Promise<Reply> | undefined
  app.get('/openapi.json', { config: { takes: 'small', description: document } }, async (request, reply) => {
    made ??= describe(app).catch((err: unknown) => {
      made = undefined
      throw err
    })
    return send(request, reply.header('cache-control', 'no-cache'), await made)
  })

  const page = {
    operation: 'getReferencePage',
    summary: 'Show this description as a page',
    answers: { 200: { 'text/html': z.string() } },
    ...open
  } as const
  app.get('/docs', { config: { takes: 'small', description: page } }, async (request, reply) => {
    reply.headers({ ...referenceHeaders, 'cache-control': 'no-cache' })
    return send(request, reply, { status: 200, ...referencePage })
  })

  const file = {
    operation: 'getReferenceFile',
    summary: 'Get a file of that page',
    answers: { 200: { 'text/css': z.string(), 'text/javascript': z.string() } },
    ...open
  } as const
  const config = { takes: 'small', input: { params: asset }, description: file } as const
  app.get('/docs/:asset', { config }, async (request, reply) => {
    const { data } = asset.safeParse(request.params)
    if (!data) throw errors.notFound('File')
    const found = await referenceAsset(data.asset)
    reply.headers({ ...referenceHeaders, 'cache-control': ASSET_CACHE })
    return send(request, reply, { status: 200, ...found })
  })
}

/** Made when it is first asked for: most processes never are. */
async function describe(app: FastifyInstance): Promise<Reply> {
  const { documentOf } = await import('../openapi/document.js')
  const body = Buffer.from(JSON.stringify(await documentOf(app.declared, VERSION)))
  return { status: 200, body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

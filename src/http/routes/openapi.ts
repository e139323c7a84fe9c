import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { VERSION } from '../../lib/version.js'
import { ASSETS, referenceAsset, referenceHeaders, referencePage } from '../reference/assets.js'
import { type Reply, send, tagged } from '../reply.js'
import { forAnybody } from '../route.js'

const open = { isTagged: true, refuses: [503] } as const
const ASSET_CACHE = 'public, max-age=3600'
const asset = z.object({ asset: z.enum(ASSETS) })

/** `GET /openapi.json`, the description of every route of the server, and `GET /docs`, a page that shows it. */
export function openApiRoutes(app: FastifyInstance): void {
  const object = { 200: z.record(z.string(), z.unknown()) }
  const document = forAnybody('hub', 'getOpenApi', 'Describe the interface as OpenAPI 3.1', object, open)
  let made: Promise<Reply> | undefined
  app.get('/openapi.json', document, async (request, reply) => {
    made ??= describe(app).catch((err: unknown) => {
      made = undefined
      throw err
    })
    return send(request, reply.header('cache-control', 'no-cache'), await made)
  })

  const html = { 200: { 'text/html': z.string() } }
  const page = forAnybody('hub', 'getReferencePage', 'Show this description as a page', html, open)
  app.get('/docs', page, async (request, reply) => {
    reply.headers({ ...referenceHeaders, 'cache-control': 'no-cache' })
    return send(request, reply, { status: 200, ...referencePage })
  })

  const texts = { 200: { 'text/css': z.string(), 'text/javascript': z.string() } }
  const input = { params: asset }
  const file = forAnybody('hub', 'getReferenceFile', 'Get a file of that page', texts, open, { input })
  app.get('/docs/:asset', file, async (request, reply) => {
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
  return tagged(JSON.stringify(await documentOf(app.declared, VERSION)))
}

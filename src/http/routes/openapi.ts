import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { messages } from '../../followers/webhooks/message.js'
import { VERSION } from '../../lib/version.js'
import { openRoutes } from '../openRoute.js'
import { type Asset, assetOf, type Reply, tagged } from '../reply.js'

/** The files of the page, and nothing else. */
export const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'reference.js'] as const
type AssetName = (typeof ASSETS)[number]

// By itself the viewer would ask a server elsewhere whether the document is valid.
const SCRIPT = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  displayOperationId: true,
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 5,
  defaultModelsExpandDepth: 0
})
`

/** What stands behind the viewer's own style: texts of a width that is read well, and nothing wider than a phone. */
const STYLE = `
body { margin: 0; }
.swagger-ui .info { margin: 32px 0; }
.swagger-ui .renderedMarkdown { max-width: 52rem; line-height: 1.5; }
.swagger-ui .info h2 { font-size: 20px; margin: 24px 0 0; }
.swagger-ui .opblock-tag small { flex: 1 1 16rem; }
.swagger-ui .opblock-tag { flex-wrap: wrap; }
.swagger-ui table.responses-table, .swagger-ui table.parameters { table-layout: fixed; }
.swagger-ui .response-col_status, .swagger-ui .parameters-col_name { width: 20%; }
.swagger-ui .response-col_links { width: 5rem; }
.swagger-ui .json-schema-2020-12 { overflow-wrap: anywhere; }
.swagger-ui .response[data-code^='4'] :is(.response-controls, .tab), .swagger-ui .response[data-code^='5'] :is(.response-controls, .tab) { display: none; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-operation-id { display: none; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .parameters-col_name { width: 34%; }
}
`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Collections Hub: the interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. <a href="openapi.json">The description itself</a> does not.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/reference.js"></script>
</body>
</html>
`

/** Nothing comes from elsewhere, nothing inline is run, and no other site shows the page in a frame. */
const referenceHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
} as const

const referencePage = assetOf('text/html; charset=utf-8', Buffer.from(PAGE))

const loaded = new Map<AssetName, Asset>()

/** A file of the page, read when it is first asked for. */
async function referenceAsset(name: AssetName): Promise<Asset> {
  const asset = loaded.get(name) ?? (await load(name))
  loaded.set(name, asset)
  return asset
}

async function load(name: AssetName): Promise<Asset> {
  const contentType = `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`
  if (name === 'reference.js') return assetOf(contentType, Buffer.from(SCRIPT))
  const file = await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
  return assetOf(contentType, name === 'swagger-ui.css' ? Buffer.concat([file, Buffer.from(STYLE)]) : file)
}

const open = { isTagged: true, refuses: [503] } as const
const ASSET_CACHE = 'public, max-age=3600'
const asset = z.object({ asset: z.enum(ASSETS).describe('The name of the file.') })

/** `GET /openapi.json`, the description of every route of the server, and `GET /docs`, a page that shows it. */
export function openApiRoutes(app: FastifyInstance): void {
  const route = openRoutes(app, 'hub')
  const object = { 200: z.record(z.string(), z.unknown()) }
  let made: Promise<Reply> | undefined
  route('GET', '/openapi.json', 'getOpenApi', object, {
    summary: 'Describe the interface as OpenAPI 3.1',
    about: 'It is made of what the routes say of themselves, so it is what this hub does.',
    ...open,
    handle: async ({ reply }) => {
      made ??= describe(app).catch((err: unknown) => {
        made = undefined
        throw err
      })
      reply.header('cache-control', 'no-cache')
      return await made
    }
  })

  const html = { 200: { 'text/html': z.string() } }
  route('GET', '/docs', 'getReferencePage', html, {
    summary: 'Show this description as a page',
    about: 'It needs JavaScript, and nothing from elsewhere.',
    ...open,
    handle: async ({ reply }) => {
      reply.headers({ ...referenceHeaders, 'cache-control': 'no-cache' })
      return referencePage
    }
  })

  const texts = { 200: { 'text/css': z.string(), 'text/javascript': z.string() } }
  route('GET', '/docs/:asset', 'getReferenceFile', texts, {
    summary: 'Get a file of that page',
    about: 'Caches keep it for an hour.',
    ...open,
    input: { params: asset },
    handle: async ({ request, reply }) => {
      const { data } = asset.safeParse(request.params)
      if (!data) throw errors.notFound('File')
      const found = await referenceAsset(data.asset)
      reply.headers({ ...referenceHeaders, 'cache-control': ASSET_CACHE })
      return found
    }
  })
}

/** Made when it is first asked for: most processes never are. */
async function describe(app: FastifyInstance): Promise<Reply> {
  const { documentOf } = await import('../openapi/document.js')
  return tagged(JSON.stringify(await documentOf(app.declared, messages, VERSION)))
}

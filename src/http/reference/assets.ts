import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Asset, assetOf } from '../asset.js'

/** The files of the page, and nothing else. */
export const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'reference.js'] as const
export type AssetName = (typeof ASSETS)[number]

// By itself the viewer would ask a server elsewhere whether the document is valid.
const SCRIPT = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0
})
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
export const referenceHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
} as const

export const referencePage = assetOf('text/html; charset=utf-8', Buffer.from(PAGE))

const loaded = new Map<AssetName, Asset>()

/** A file of the page, read when it is first asked for. */
export async function referenceAsset(name: AssetName): Promise<Asset> {
  const asset = loaded.get(name) ?? (await load(name))
  loaded.set(name, asset)
  return asset
}

async function load(name: AssetName): Promise<Asset> {
  const contentType = `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`
  if (name === 'reference.js') return assetOf(contentType, Buffer.from(SCRIPT))
  return assetOf(contentType, await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))))
}

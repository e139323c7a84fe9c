import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { consoleIn, TYPES } from '../console/files.js'
import { send } from '../reply.js'
import { forAnybody } from '../route.js'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // What is shown of records goes through the console's own sanitizers, or the browser refuses it.
  "require-trusted-types-for 'script'",
  'trusted-types dompurify console'
]

/**
 * The headers of everything that belongs to the console: nothing inline is run, nothing comes from or goes to elsewhere, no
 * other site shows, opens or reads it, and it asks for nothing that a device has.
 */
export const consoleHeaders = {
  'content-security-policy': POLICY.join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
} as const

const ownPage = { isSameOrigin: true } as const
const file = z.object({ file: boundedText(LIMITS.label).describe('The name of the file, as the page has it.') })
/** For as long as there is a use for it: under another name it is another file. */
const FILE_CACHE = 'public, max-age=31536000, immutable'

/** `GET /console/`, the page of the console, with its files; `/` and `/console` lead there. All of it is in `directory`. */
export function consoleRoutes(app: FastifyInstance, directory: string): void {
  const built = consoleIn(directory)
  const about = 'The address is relative, so it holds behind a proxy that takes a prefix off the path.'
  for (const [url, operation, summary] of [
    ['/', 'openHub', 'Lead a browser to the console'],
    ['/console', 'openConsole', 'Lead a browser to the page of the console']
  ] as const) {
    const led = forAnybody('hub', operation, summary, { 302: null }, { refuses: [503], about }, ownPage)
    app.get(url, led, async (_request, reply) =>
      // Relative, so that it holds behind a proxy that takes a prefix off the path.
      reply.headers(consoleHeaders).code(302).header('location', 'console/').send()
    )
  }

  const html = { 200: { 'text/html': z.string() } }
  const page = forAnybody(
    'hub',
    'getConsolePage',
    'Show the console',
    html,
    {
      isTagged: true,
      refuses: [404, 503],
      about:
        'The page is the same for everybody: it asks for a token, and what it shows comes through the other operations. 404 where `console` is off.'
    },
    ownPage
  )
  app.get('/console/', page, async (request, reply) => {
    reply.headers(consoleHeaders)
    const found = await built()
    if (!found) throw errors.consoleNotBuilt()
    return send(request, reply.header('cache-control', 'no-cache'), { status: 200, ...found.page })
  })

  const anyType = { 200: Object.fromEntries(Object.values(TYPES).map((type) => [type.split(';')[0], z.string()])) }
  const asset = forAnybody(
    'hub',
    'getConsoleFile',
    'Get a file of that page',
    anyType,
    { isTagged: true, refuses: [503], about: 'A file never changes under its name, so caches keep it for a year.' },
    { ...ownPage, input: { params: file } }
  )
  app.get('/console/assets/:file', asset, async (request, reply) => {
    reply.headers(consoleHeaders)
    const { data } = file.safeParse(request.params)
    const found = data && (await built())?.files.get(data.file)
    if (!found) throw errors.notFound('File')
    return send(request, reply.header('cache-control', FILE_CACHE), { status: 200, ...found })
  })
}

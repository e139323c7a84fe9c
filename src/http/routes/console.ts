import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { consoleIn, TYPES } from '../console/files.js'
import { openRoutes } from '../openRoute.js'

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

const elsewhere = { 302: null }
const html = { 200: { 'text/html': z.string() } }
const anyType = { 200: Object.fromEntries(Object.values(TYPES).map((type) => [type.split(';')[0], z.string()])) }
const ownPage = { isSameOrigin: true } as const
const file = z.object({ file: boundedText(LIMITS.label).describe('The name of the file, as the page has it.') })
/** For as long as there is a use for it: under another name it is another file. */
const FILE_CACHE = 'public, max-age=31536000, immutable'

/** `GET /console/`, the page of the console, with its files; `/` and `/console` lead there. All of it is in `directory`. */
export function consoleRoutes(app: FastifyInstance, directory: string): void {
  const route = openRoutes(app, 'hub')
  const built = consoleIn(directory)
  for (const [url, operation, summary] of [
    ['/', 'openHub', 'Lead a browser to the console'],
    ['/console', 'openConsole', 'Lead a browser to the page of the console']
  ] as const) {
    route('GET', url, operation, elsewhere, {
      summary,
      about: 'The address is relative, so it holds behind a proxy that takes a prefix off the path.',
      refuses: [503],
      config: ownPage,
      handle: async ({ reply }) => {
        reply.headers(consoleHeaders).code(302).header('location', 'console/').send()
        return null
      }
    })
  }

  route('GET', '/console/', 'getConsolePage', html, {
    summary: 'Show the console',
    about:
      'The page is the same for everybody: it asks for a token, and what it shows comes through the other operations. 404 where `console` is off.',
    isTagged: true,
    refuses: [404, 503],
    config: ownPage,
    handle: async ({ reply }) => {
      reply.headers(consoleHeaders)
      const found = await built()
      if (!found) throw errors.consoleNotBuilt()
      reply.header('cache-control', 'no-cache')
      return found.page
    }
  })

  route('GET', '/console/assets/:file', 'getConsoleFile', anyType, {
    summary: 'Get a file of that page',
    about: 'A file never changes under its name, so caches keep it for a year.',
    isTagged: true,
    refuses: [503],
    input: { params: file },
    config: ownPage,
    handle: async ({ request, reply }) => {
      reply.headers(consoleHeaders)
      const { data } = file.safeParse(request.params)
      const found = data && (await built())?.files.get(data.file)
      if (!found) throw errors.notFound('File')
      reply.header('cache-control', FILE_CACHE)
      return found
    }
  })
}

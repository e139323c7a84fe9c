import type { FastifyInstance } from 'fastify'
import { grouped } from '../lib/grouped.js'

/** The path of a URL as the routes have it, however it is spelled: absolute, with escapes that it needs not, or with a fragment. */
export function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)
  try {
    return decodeURI(path) || '/'
  } catch {
    return path
  }
}

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: readonly string[]
}

/**
 * What tells the methods of a URL's path, OPTIONS among them; none for a path that no route has. To be called when all routes
 * are there; the paths are looked at from the first question on.
 */
export function methodsOf(app: Pick<FastifyInstance, 'declared'>): (url: string) => readonly string[] {
  let known: readonly KnownPath[] | undefined
  return (url) => {
    known ??= pathsOf(app.declared)
    const path = pathOf(url)
    const methods = known.flatMap((one) => (one.pattern.test(path) ? one.methods : []))
    return methods.length > 0 ? [...new Set(methods), 'OPTIONS'] : []
  }
}

function pathsOf(declared: FastifyInstance['declared']): readonly KnownPath[] {
  const byUrl = grouped(declared, ({ url }) => url)
  return [...byUrl].map(([url, those]) => ({ pattern: patternOf(url), methods: those.map(({ method }) => method) }))
}

/** What a path of a route stands for: `:name` for a segment, `*` for the rest. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}

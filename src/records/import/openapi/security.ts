import type { Notes, Variable } from '../../formats/model.js'
import { basicAuth, bearerAuth, keyAuth, NO_AUTH, type ReadAuth } from '../auth.js'
import { type Fields, fields, list, text } from '../loose.js'
import { variable } from '../parts.js'
import type { References } from './refs.js'

/** How requests authenticate, as a document says; secrets are variables that the collection declares. */
export interface Security {
  /** What a list of requirements comes to; null where there is none, so that the document's own counts. */
  of(requirements: unknown, place: string): ReadAuth | null
  /** The variables that were needed. */
  variables(): readonly Variable[]
}

/** The security schemes of a document of OpenAPI 3, or of Swagger 2. */
export function securityIn(document: Fields, references: References, notes: Notes): Security {
  const schemes = fields(fields(document.components).securitySchemes ?? document.securityDefinitions)
  const needed = new Set<string>()
  const secret = (name: string) => {
    needed.add(name)
    return `{{${name}}}`
  }
  const keys = new Map<string, string>()
  /** The variable of the key of a scheme: of each its own. */
  const key = (scheme: string) => {
    const known = keys.get(scheme) ?? (keys.size === 0 ? 'apiKey' : `apiKey-${scheme.replace(/[^\w.-]+/g, '-')}`)
    keys.set(scheme, known)
    return secret(known)
  }
  const readScheme = (name: string, place: string): ReadAuth => {
    const scheme = references.resolve(Object.hasOwn(schemes, name) ? schemes[name] : undefined)
    const kind = scheme.type === 'http' ? text(scheme.scheme).toLowerCase() : text(scheme.type)
    switch (kind) {
      case 'basic':
        return basicAuth(secret('username'), secret('password'))
      case 'bearer':
        return bearerAuth(secret('token'))
      case 'apiKey':
        if (scheme.in === 'cookie') {
          notes.add(place, 'An API key is kept as a header.')
          return keyAuth('Cookie', `${text(scheme.name)}=${key(name)}`, 'header')
        }
        return keyAuth(text(scheme.name), key(name), scheme.in === 'query' ? 'query' : 'header')
      case 'oauth2':
      case 'openIdConnect':
        notes.add(place, 'How OAuth 2.0 gets its token is not carried over: put a token into the variable.')
        return bearerAuth(secret('token'))
      default:
        notes.add(place, `Authentication by "${kind.slice(0, 40)}" is not carried over: there is basic and bearer.`)
        return NO_AUTH
    }
  }
  return {
    of(requirements, place) {
      if (!Array.isArray(requirements)) return null
      const all = list(requirements).map((one) => Object.keys(fields(one)))
      // The first that asks for something; that others would do as well is not told.
      const names = all.find((one) => one.length > 0) ?? []
      const read = names.map((name) => readScheme(name, place))
      return {
        auth: read.find(({ auth }) => auth.type !== 'none')?.auth ?? NO_AUTH.auth,
        headers: read.flatMap(({ headers }) => headers),
        query: read.flatMap(({ query }) => query)
      }
    },
    variables: () => [...needed].map((name) => variable(name, ''))
  }
}

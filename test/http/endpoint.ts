import type { Reply } from './client.js'
import type { Account } from './support.js'
import type { Access, World } from './world.js'

/** Who calls a route, as far as the answer depends on it. */
export const WHO = [
  'no token',
  'a malformed token',
  'an unknown token',
  'a revoked token',
  'a user without access',
  'a user with this id',
  'a user with *',
  'the creator',
  'an administrator'
] as const
export type Who = (typeof WHO)[number]

/** A request to a route: what its row in the interface does not fix. */
export interface Sent {
  /** The account whose token is sent, unless it is the one that the route is for. */
  readonly by?: Account
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Keys that the body of a refusal has besides `error`. */
  readonly alsoSays?: readonly string[]
  /** What else must be true afterwards. */
  readonly check?: (reply: Reply) => unknown
}

type Make = (world: World) => Sent | Promise<Sent>

export interface Case {
  readonly when: string
  /** Absent where the request succeeds. */
  readonly refusal?: { readonly status: number; readonly error: string | null }
  readonly make: Make
}

/** The request succeeds as its row says. */
export function works(when: string, make: Make): Case {
  return { when, make }
}

/** The request is refused, with exactly this text where the interface or its clients know one. */
export function refuses(status: number, error: string | null, when: string, make: Make): Case {
  return { when, refusal: { status, error }, make }
}

export interface Sample extends Sent {
  /** The access by which a user reaches what the request is about. */
  readonly scope?: Access
}

/** One row of the interface: a method and a path, with all that it says about them. */
export interface Endpoint {
  readonly row: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  /** Whom the route serves at all. */
  readonly access: 'public' | 'any' | 'user' | 'admin'
  readonly success: number
  /** What a success is, unless it is JSON. */
  readonly answers?: 'html' | 'metrics' | 'script' | 'events' | 'image'
  /** Statuses that the row names besides 401; each must have a case, or a cell of the matrix. */
  readonly refusals: readonly number[]
  /** Where the answer to somebody differs from what `access` says. */
  readonly matrix?: Partial<Readonly<Record<Who, number>>>
  /** Where the refusal of somebody has a text of its own. */
  readonly texts?: Partial<Readonly<Record<Who, string>>>
  /** A request that succeeds for somebody, on things that `owner` made for it. */
  readonly sample: (world: World) => Sample | Promise<Sample>
  readonly cases: readonly Case[]
}

/** The method and path of a request to this endpoint. */
export function addressOf({ row }: Endpoint, { params = {}, query }: Sent): { method: string; path: string } {
  const [method = '', pattern = ''] = row.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `missing-${name}`)
  return { method, path: query === undefined ? path : `${path}?${query}` }
}

/** The parameters of a request, each with this value. */
export function everyParam({ params = {} }: Sent, value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(params).map((name) => [name, value]))
}

/** The account that a route is for. */
export function usualCaller({ access }: Endpoint, world: World): Account | null {
  if (access === 'public') return null
  return access === 'admin' ? world.admin : world.owner
}

/** The status that somebody gets, by the rules of section 5 unless the endpoint has its own. */
export function statusFor({ access, success, matrix }: Endpoint, who: Who): number {
  const special = matrix?.[who]
  if (special !== undefined) return special
  if (access === 'public') return success
  if (who.endsWith('token')) return 401
  if (access === 'any') return success
  if (access === 'admin') return who === 'an administrator' ? success : 403
  return who === 'an administrator' || who === 'a user without access' ? 403 : success
}

import type { Role } from '../../commands/people/user/events.js'
import { ROLES_OF, type Access as RouteAccess } from '../../src/http/access.js'
import type { DeclaredRoute } from '../../src/http/bodies.js'
import { type Fields, fields, type Reply } from './client.js'
import type { Account } from './support.js'
import type { Who } from './who.js'
import type { Access, World } from './world.js'

/** A request to a route: what its row in the interface does not fix. */
export interface Sent {
  /** Whose token is sent, unless it is the one that the route is for; a stranger is a new account without access to anything. */
  readonly by?: Account | 'owner' | 'colleague' | 'admin' | 'stranger'
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Keys that the body of a refusal has besides `error`. */
  readonly alsoSays?: readonly string[]
  /** What else must be true afterwards. */
  readonly check?: (reply: Reply, sent: Sample, world: World) => unknown
}

type Make = (world: World) => Sent | Promise<Sent>

export interface Case {
  readonly when: string
  /** Absent where the request succeeds. */
  readonly refusal?: { readonly status: number; readonly error: string | RegExp | null }
  /** The request, or what of it is otherwise than in the sample of the row. */
  readonly make: Make | Sent
}

/** The request succeeds as its row says. */
export function works(when: string, make: Make | Sent): Case {
  return { when, make }
}

/** The request is refused, with exactly this text where the interface or its clients know one. */
export function refuses(status: number, error: string | RegExp | null, when: string, make: Make | Sent): Case {
  return { when, refusal: { status, error }, make }
}

export interface Sample extends Sent {
  /** The access by which a user reaches what the request is about. */
  readonly scope?: Access
}

/** A row of the tables: a method and a path, with what no route declares of itself. */
export interface Row {
  readonly row: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  /** A request that succeeds for somebody, on things that `owner` made for it. */
  readonly sample: (world: World) => Sample | Promise<Sample>
  readonly cases?: readonly Case[]
  /** Where the answer to somebody differs from what whom the route serves says. */
  readonly matrix?: Partial<Readonly<Record<Who, number>>>
  /** Where the refusal of somebody has a text of its own. */
  readonly texts?: Partial<Readonly<Record<Who, string>>>
  /** Whom it serves, where what it needs is not there and everybody is told so first. */
  readonly access?: 'any'
  /** What it answers on the hub of these tests, where that is no success. */
  readonly success?: number
  /** True where a sample is good for one success: it brings a name that is taken then, or a secret that is used. */
  readonly isSpent?: true
}

/** A row of the interface: what the tables say, and what the route declares. */
export interface Endpoint extends Omit<Row, 'access' | 'success' | 'cases'> {
  readonly route: DeclaredRoute
  readonly access: RouteAccess['who']
  readonly success: number
  readonly cases: readonly Case[]
}

/** A row with what its route says of itself. */
export function endpointOf(row: Row, route: DeclaredRoute): Endpoint {
  const { access, answers } = route.description
  const success = Number(Object.keys(answers).find((status) => Number(status) < 400) ?? 0)
  return { ...row, route, access: row.access ?? access.who, success: row.success ?? success, cases: row.cases ?? [] }
}

/** The method and path of a request to this endpoint. */
export function addressOf({ row }: Pick<Row, 'row'>, { params = {}, query }: Sent): { method: string; path: string } {
  const [method = '', pattern = ''] = row.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `missing-${name}`)
  return { method, path: query === undefined ? path : `${path}?${query}` }
}

/** The request of a case; where it tells a change of the sample alone, the rest is that of the sample. */
export async function requestOf({ sample }: Pick<Row, 'sample'>, { make }: Case, world: World): Promise<Sample> {
  if (typeof make === 'function') return make(world)
  const usual = await sample(world)
  const isChange = isFields(usual.body) && isFields(make.body)
  return { ...usual, ...make, ...(isChange && { body: { ...fields(usual.body), ...fields(make.body) } }) }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A sample for one more success: the one that is there, unless a success ends what it is about. */
export async function sampleAgain(
  { row, isSpent, sample }: Pick<Row, 'row' | 'isSpent' | 'sample'>,
  there: Sample,
  world: World
): Promise<Sample> {
  return isSpent || row.startsWith('DELETE ') ? sample(world) : there
}

/** The account that sends a request: by default the one that the route is for, and null where it needs none. */
export async function senderOf({ access }: Endpoint, { by }: Sent, world: World): Promise<Account | null> {
  if (by === 'stranger') return world.user()
  if (typeof by === 'string') return world[by]
  if (by || access === 'public') return by ?? null
  const roles: readonly Role[] = ROLES_OF[access]
  return roles.includes('user') ? world.owner : world.admin
}

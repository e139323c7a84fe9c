import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HUB_ID } from '../../commands/tenants/hub/events.js'
import { tenantIdRefusal } from '../../commands/tenants/tenant/id.js'
import type { Hub } from '../app/hub.js'
import type { HubConfig } from '../config/types.js'
import { errors, HubError } from '../errors.js'
import { whenOver } from '../net/responseOver.js'
import type { Shown } from '../tenants/door.js'
import type { Tenants } from '../tenants/tenants.js'
import { scopedThrottle } from '../throttle/scoped.js'

/** Refusals at a tenant go out at whole steps behind the arrival of the request. */
const STEP_MS = 250

declare module 'fastify' {
  interface FastifyInstance {
    /** Null where there is no tenant but the hub itself. */
    tenants: Tenants | null
  }
  interface FastifyContextConfig {
    /** True where a ticket in the URL may stand for the token. */
    takesTicket?: boolean
  }
  interface FastifyRequest {
    /** Where a request names a tenant, and when it did, on the clock of `performance.now`. */
    namedTenant: NamedTenant | undefined
    /** Of whose token the ticket is that was taken before a tenant was entered; null where it is nobody's. */
    ticketOf: string | null | undefined
  }
}

/** A tenant that a request names, whether there is one or not. */
export interface NamedTenant {
  readonly at_ms: number
  /** Aborted when the tenant is elsewhere, gone or configured anew; null where there is no such tenant. */
  readonly retired: AbortSignal | null
  /** False once there is no such tenant, or it is elsewhere. */
  readonly isThere: () => Promise<boolean>
}

/** What a request shows to be let in to a tenant: a secret; a ticket, which was taken and good; or nothing. */
export type Showing = Shown | 'ticket' | null

/**
 * Has a request served by the tenant that it names, by the header `X-Harbor-Tenant` or by its host. 400 for what is no id, and
 * where there is no tenant but the hub itself. Where there is none of that name, or it does not know what the request shows, the
 * request goes on all the same, to be refused as one whose token is unknown: nobody learns which tenants there are, and whoever is
 * unknown has none opened. `shownBy` gets the hub that knows nobody.
 */
export async function enterTenant(
  request: FastifyRequest,
  reply: FastifyReply,
  shownBy: (request: FastifyRequest, nobodys: Hub) => Promise<Showing>
): Promise<void> {
  const { hub, server } = request
  const id = tenantNamedIn(request, hub.config)
  if (id === HUB_ID) return
  if (!server.tenants) throw errors.tenantsOff()
  const at_ms = performance.now()
  const none = { signIn: null, authorization: null }
  const nobodys = { ...hub, tenant: { id, name: '' }, throttle: scopedThrottle(hub.throttle, id), ...none }
  const shown = await shownBy(request, nobodys)
  const entered = shown === null ? null : await server.tenants.enter(id, shown === 'ticket' ? undefined : shown)
  request.namedTenant = { at_ms, retired: entered?.retired ?? null, isThere: entered?.isThere ?? (async () => false) }
  if (!entered) {
    request.hub = nobodys
    return
  }
  request.hub = entered.hub
  whenOver(reply.raw, entered.leave)
  const holdItself = request.hold
  request.hold = () => {
    const releases = [holdItself(), entered.hold()]
    return () => {
      for (const release of releases) release()
    }
  }
}

/** The same for what a tenant offers nobody: a request that names one is served by a hub that knows nobody, and signs nobody in. */
export function enterNobodys(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  return enterTenant(request, reply, async () => null)
}

/** True where a request names a tenant that there is not, or that knows nothing of it: no token and no invitation. */
export function isNowhere({ namedTenant }: Pick<FastifyRequest, 'namedTenant'>): boolean {
  return namedTenant !== undefined && namedTenant.retired === null
}

/**
 * Fails as a request did. Refusals take as long whether a tenant is there, is open, or is not: of a request that names one they are held
 * back to the next whole step.
 */
export async function failAlikeInTime({ namedTenant }: FastifyRequest, error: unknown): Promise<never> {
  if (namedTenant && error instanceof HubError && error.status < 500) {
    const passed_ms = performance.now() - namedTenant.at_ms
    await sleep(STEP_MS * Math.ceil(passed_ms / STEP_MS) - passed_ms)
  }
  throw error
}

/** True where a request failed since its tenant was moved or deleted under it: what it wanted to read was taken away. */
export async function wasTakenAway({ namedTenant }: FastifyRequest): Promise<boolean> {
  return namedTenant !== undefined && !(await namedTenant.isThere().catch(() => true))
}

/** Refuses with 403 what is not of one tenant but of the hub as a whole. */
export function requireItself({ tenant }: Hub): void {
  if (tenant.id !== HUB_ID) throw errors.hubOnly()
}

function tenantNamedIn({ headers, hostname }: FastifyRequest, config: HubConfig): string {
  const header = headers['x-harbor-tenant']
  const id = header === undefined ? '' : String(header).trim()
  if (id === '') return tenantOfHost(config, hostname) ?? HUB_ID
  if (id === HUB_ID) return id
  const refusal = tenantIdRefusal(id)
  if (refusal) throw refusal
  return id
}

const hosts = new WeakMap<HubConfig['tenants'], ReadonlyMap<string, string>>()

/** The tenant that requests to a host are meant for; undefined where that is the hub itself. */
export function tenantOfHost({ tenants, multitenancy }: HubConfig, host: string): string | undefined {
  if (!multitenancy.enabled) return undefined
  const known =
    hosts.get(tenants) ??
    new Map(Object.entries(tenants).flatMap(([id, own]) => own.hosts.map((name) => [name, id] as const)))
  hosts.set(tenants, known)
  return known.get(host.toLowerCase())
}

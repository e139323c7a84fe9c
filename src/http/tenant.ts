import type { FastifyRequest } from 'fastify'
import { HUB_ID } from '../../commands/hub/events.js'
import { errors } from '../errors.js'

const FORM = /^[A-Za-z0-9_-]*$/
const LENGTH_MAX = 64

/**
 * Refuses with 400 a request for another tenant than the only one: whoever means another is not shown what this one has. It
 * comes before the token is looked at, and without the header the only one is meant.
 */
export async function requireOnlyTenant({ headers }: Pick<FastifyRequest, 'headers'>): Promise<void> {
  const header = headers['x-harbor-tenant']
  if (header === undefined) return
  const id = String(header).trim()
  if (id === '' || id === HUB_ID) return
  if (!FORM.test(id)) throw errors.tenantMalformed()
  if (id.length > LENGTH_MAX) throw errors.tenantTooLong(LENGTH_MAX)
  throw errors.tenantsOff()
}

import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'

/** Where the log of a tenant is. */
const placed = z.object({
  /** The database, by its name in the configuration; null for that of the hub itself. */
  database: z.string().nullable(),
  /** What its tables, or its file, are told apart by in that database. No two places have the same. */
  place: z.string()
})

export const tenantEvents = {
  /** `tenant` is the id that people name it by: after it is deleted, another one may have it. */
  TenantCreated: begin(placed.extend({ tenant: z.string(), name: z.string() })),
  TenantRenamed: event(z.object({ name: z.string() })),
  /** Its log is elsewhere from now on, as it was. */
  TenantMoved: event(placed),
  TenantDeleted: event(empty)
}
export type TenantEvent = EventsOf<typeof tenantEvents>
export const emitTenant = emitter('tenant', tenantEvents)

import { z } from 'zod'
import { linkless } from '../lib/files.js'
import { LIMITS } from '../limits.js'
import { db } from './databases.js'
import { flag, integer, matching, optional, optionalAs, orElse, publicUrl, text } from './fields.js'
import { llm } from './llm.js'
import { plugins } from './sections.js'
import type { Address } from './types.js'

/** What `hub tenant` calls the database of the hub itself, and the one that `tenants.ID.db` names. */
export const HUBS_DATABASE = 'hub'
export const OWN_DATABASE = 'own'

const named = matching(
  /^[a-z][a-z0-9-]{0,30}$/,
  'A name is a lower-case letter followed by lower-case letters, digits or hyphens.'
).refine(
  (name) => name !== OWN_DATABASE && name !== HUBS_DATABASE,
  'This name stands for another database: choose one more.'
)

/** The `multitenancy` section: whether one hub serves several teams, each with a log of its own. */
export const multitenancy = (baseDir: string) =>
  z.strictObject({
    enabled: orElse(flag, false),
    maxOpen: orElse(integer(1, LIMITS.tenantsOpen.max), 20),
    closeAfterMinutes: orElse(integer(1, 1440), 10),
    databases: orElse(z.record(named, db(baseDir)), {})
  })

const id = matching(/^[A-Za-z0-9_-]{1,64}$/, 'The id of a tenant has letters, digits, underscores and hyphens.')

const host = text()
  .regex(/^[a-z0-9.-]+$/i, 'A host is a name without a port, as acme.example.com.')
  .transform((name) => name.toLowerCase())

const noLlm = z.union([z.literal('off'), z.literal(false)]).transform(() => null)

const tenant = (baseDir: string) =>
  z.strictObject(
    {
      db: optional(db(baseDir)),
      hosts: orElse(z.array(host), []),
      publicUrl: optionalAs(publicUrl),
      llm: z.union([noLlm, llm]).optional(),
      plugins: optional(plugins),
      invitations: optional(z.strictObject({ expiresInHours: integer(1, 876_000) })),
      collaboration: optional(z.strictObject({ e2ee: flag })),
      audit: optional(z.strictObject({ retentionDays: integer(1, 36_500) }))
    },
    { error: 'What a tenant has of its own must be a mapping.' }
  )

/** The `tenants` section: by the id of a tenant what it has of its own, and not as the hub has it. */
export const tenants = (baseDir: string) =>
  z.record(id, tenant(baseDir)).superRefine((given, context) => {
    const owners = new Map<string, string>()
    for (const [tenant, { hosts }] of Object.entries(given)) {
      for (const host of hosts) {
        const other = owners.get(host)
        if (other !== undefined)
          context.addIssue({
            code: 'custom',
            path: [tenant, 'hosts'],
            message: `${host} is a host of ${other} already.`
          })
        owners.set(host, tenant)
      }
    }
  })

type Database = z.output<ReturnType<typeof db>>

/** A database is that of one log: what one tenant in it deletes, another would lose. */
export function refuseSharedDatabases(
  {
    db,
    tenants
  }: { readonly db: Database; readonly tenants: Readonly<Record<string, { readonly db?: Database | undefined }>> },
  context: z.RefinementCtx
): void {
  const owners = new Map(placesOf(db).map((place) => [place, 'the hub']))
  for (const [tenant, { db: own }] of Object.entries(tenants)) {
    if (own === undefined) continue
    const places = placesOf(own)
    const other = places.map((place) => owners.get(place)).find((owner) => owner !== undefined)
    if (other !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['tenants', tenant, 'db'],
        message: `This is the database of ${other} already. Give it a prefix, or a path, of its own.`
      })
    for (const place of places) owners.set(place, tenant)
  }
}

/** Where the tables of a log are, once for each server that has them, whoever asks there and in whichever way. */
function placesOf(db: Database): readonly string[] {
  const { driver, prefix } = db
  if (driver === 'sqlite') return [JSON.stringify([driver, prefix, linkless(db.path)])]
  if (driver === 'firestore') return [JSON.stringify([driver, prefix, db.projectId])]
  // One that lacks something is refused for that, and names none here.
  return [db, ...(db.otherHosts ?? [])].flatMap(({ host, port }: Partial<Address>) =>
    host === undefined ? [] : JSON.stringify([driver, prefix, db.database, host.toLowerCase(), port])
  )
}

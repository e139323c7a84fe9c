import { z } from 'zod'

/** What `hub migrate --json` tells of a takeover. */
export const reported = z.object({
  tables: z.array(
    z.object({
      table: z.string(),
      taken: z.number(),
      otherTenants: z.number(),
      leftOut: z.record(z.string(), z.number()),
      refused: z.array(z.object({ id: z.string(), why: z.string() })),
      notes: z.array(z.string())
    })
  ),
  unsupportedTables: z.array(z.object({ table: z.string(), records: z.number() })),
  models: z.array(z.string())
})

/** Whose a token is. */
export const session = z.object({ user: z.object({ id: z.string(), name: z.string() }) })

import { z } from 'zod'
import { authorization } from './authorization.js'
import { db } from './databases.js'
import { onOff, optionalPath, orElse, section } from './fields.js'
import { llm } from './llm.js'
import { refuseSharedFiles } from './ownFiles.js'
import { redis } from './redis.js'
import {
  agents,
  audit,
  client,
  collaboration,
  imports,
  invitations,
  logging,
  metrics,
  plugins,
  server,
  tokens,
  webhooks
} from './sections.js'
import { signIn } from './signIn.js'
import { storage } from './storage.js'
import { multitenancy, refuseSharedDatabases, tenants } from './tenants.js'

export type * from './types.js'

/**
 * What a configuration file may say, and what the hub makes of it: a `HubConfig`. Relative paths start at `baseDir`;
 * unknown sections and keys are refused, and an optional section without a value counts as absent, except `llm` and `webhooks`.
 */
const schemaAt = (baseDir: string) =>
  z
    .strictObject({
      server,
      db: db(baseDir),
      redis: redis(baseDir),
      logging: section(logging(baseDir)),
      metrics: section(metrics),
      llm: llm.optional(),
      plugins: section(plugins),
      docs: section(z.strictObject({ searchIndexPath: optionalPath(baseDir) })),
      tokens: section(tokens),
      signIn: signIn(baseDir).optional(),
      authorization: authorization(baseDir).optional(),
      invitations: section(invitations),
      import: section(imports),
      client: section(client),
      collaboration: section(collaboration),
      agents: section(agents),
      storage: section(storage),
      console: orElse(onOff, true),
      audit: section(audit(baseDir)),
      webhooks: webhooks(baseDir).optional(),
      multitenancy: section(multitenancy(baseDir)),
      tenants: orElse(tenants(baseDir), {})
    })
    .superRefine(refuseSharedDatabases)
    .superRefine(refuseSharedFiles)

let last: { readonly baseDir: string; readonly schema: WeakRef<ReturnType<typeof schemaAt>> } | undefined

/**
 * The schema whose relative paths start at `baseDir`. To make one and to parse with it for the first time takes twenty times as long
 * as to parse again. So the last one is used again by whoever comes soon: it is 1.5 MB, and goes with the next full collection.
 */
export function hubSchema(baseDir: string): ReturnType<typeof schemaAt> {
  const made = last?.baseDir === baseDir ? last.schema.deref() : undefined
  if (made !== undefined) return made
  const schema = schemaAt(baseDir)
  last = { baseDir, schema: new WeakRef(schema) }
  return schema
}

import { resolve } from 'node:path'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { cors } from './cors.js'
import { db } from './databases.js'
import {
  addressRange,
  flag,
  integer,
  megabytes,
  onOff,
  optional,
  optionalPath,
  optionalText,
  orElse,
  path,
  port,
  publicUrl,
  section,
  text,
  witnessUrl
} from './fields.js'
import { headers } from './headers.js'
import { llm } from './llm.js'
import { metrics } from './metrics.js'
import { plugins } from './plugins.js'
import { redis } from './redis.js'
import { storage } from './storage.js'
import { multitenancy, tenants } from './tenants.js'
import { webhooks } from './webhooks.js'

export type * from './types.js'

const server = z
  .strictObject(
    {
      host: text('Host must not be empty.'),
      port: port(),
      publicUrl: optionalText.pipe(publicUrl.optional()),
      bodyLimitMb: orElse(megabytes, LIMITS.contentBody.max),
      /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
      trustedProxies: orElse(z.array(addressRange), []),
      /** How long a hub that is stopped says at `/readyz` that it is, before it takes no more requests. */
      drainSeconds: orElse(integer(0, 15), 0),
      cors: optional(cors)
    },
    { error: 'Config must include a "server" mapping.' }
  )
  .transform(({ bodyLimitMb: bodyLimitBytes, ...rest }) => ({ ...rest, bodyLimitBytes }))

const logging = (baseDir: string) =>
  z.strictObject({
    level: orElse(
      z.enum(['debug', 'info', 'warn', 'error'], 'Level must be "debug", "info", "warn" or "error".'),
      'info'
    ),
    format: orElse(z.enum(['json', 'simple'], 'Format must be "json" or "simple".'), 'json'),
    requests: orElse(flag, false),
    file: optionalPath(baseDir),
    console: orElse(flag, true)
  })

const invitations = z.strictObject({ expiresInHours: orElse(integer(1, 876_000), 24) })

const witness = z.strictObject({
  url: witnessUrl,
  headers: orElse(headers, []),
  timeoutSeconds: orElse(integer(1, 300), 10)
})

/** Where a checkpoint has somewhere to go and nothing says how often it goes there. */
const CHECKPOINT_MINUTES = 60

const audit = (baseDir: string) =>
  z
    .strictObject({
      /** How much of a client's address the log keeps: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
      address: orElse(z.enum(['full', 'truncated', 'off'], 'Address must be "full", "truncated" or "off".'), 'full'),
      /** After these names and addresses, and what was deleted, are erased from the log; absent keeps them. */
      retentionDays: optional(integer(1, 36_500)),
      checkpointKeyFile: orElse(path(baseDir, 'Must not be empty.'), resolve(baseDir, 'data/checkpoint-key.pem')),
      /** How often a running hub writes a checkpoint to its log output, and to the two below; absent means never. */
      checkpointEveryMinutes: optional(integer(1, 525_600)),
      checkpointFile: optionalPath(baseDir),
      witness: optional(witness),
      /** The key that the chain is sealed with; absent means that it is not. */
      sealKeyFile: optionalPath(baseDir),
      formerSealKeyFiles: orElse(z.array(path(baseDir, 'Must not be empty.')), []),
      /** Minutes after which a running hub verifies the log and the read tables again; absent means never. */
      verifyEvery: optional(integer(1, 525_600))
    })
    .transform((audit) => {
      const goesSomewhere = audit.checkpointFile !== undefined || audit.witness !== undefined
      const often = audit.checkpointEveryMinutes ?? (goesSomewhere ? CHECKPOINT_MINUTES : undefined)
      return { ...audit, checkpointEveryMinutes: often }
    })

/** Off, since devices that were not there from the beginning of a discussion cannot read it. */
const collaboration = z.strictObject({ e2ee: orElse(flag, false) })

/** What agents read is what their tokens open anyway; to write, a token has to say so. */
const agents = z.strictObject({ enabled: orElse(flag, true) })

const scheme = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]*$/, 'Scheme must be a lower-case letter followed by letters, digits, +, . or -.')
const client = z.strictObject({ scheme: orElse(scheme, 'harborclient'), adminDataApi: orElse(flag, false) })

/**
 * What a configuration file may say, and what the hub makes of it: a `HubConfig`. Relative paths start at `baseDir`;
 * unknown sections and keys are refused, and an optional section without a value counts as absent, except `llm` and `webhooks`.
 */
export const hubSchema = (baseDir: string) =>
  z.strictObject({
    server,
    db: db(baseDir),
    redis: redis(baseDir),
    logging: section(logging(baseDir)),
    metrics: section(metrics),
    llm: llm.optional(),
    plugins: section(plugins),
    docs: section(z.strictObject({ searchIndexPath: optionalPath(baseDir) })),
    invitations: section(invitations),
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

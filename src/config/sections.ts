import { resolve } from 'node:path'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import {
  addressRange,
  flag,
  integer,
  matching,
  megabytes,
  optional,
  optionalAs,
  optionalPath,
  orElse,
  path,
  port,
  publicUrl,
  secret,
  text,
  webUrl,
  witnessUrl
} from './fields.js'
import { headers } from './headers.js'
import type { ImportBounds } from './importBounds.js'

const ORIGINS_MAX = 100
const ANY = '*'

/** A scheme, a host and perhaps a port, as browsers send them in `Origin`. */
const origin = text()
  .refine((value) => value === ANY || isOrigin(value), 'Must be an origin such as https://app.example.com, or *.')
  .transform((value) => (value === ANY ? value : new URL(value).origin))

/** The `server.cors` section: the web pages that may read what the hub answers. */
const cors = z
  .strictObject({
    origins: z.array(origin).min(1, 'Name at least one origin.').max(ORIGINS_MAX, `At most ${ORIGINS_MAX} origins.`),
    credentials: orElse(flag, false),
    maxAgeSeconds: orElse(integer(0, 86_400), 600)
  })
  .refine(({ origins }) => !origins.includes(ANY) || origins.length === 1, {
    error: 'Wildcard "*" must be the only entry.',
    path: ['origins']
  })
  .refine(({ origins, credentials }) => !(credentials && origins.includes(ANY)), {
    error: 'Must be false where origins is ["*"]: name the origins instead.',
    path: ['credentials']
  })

function isOrigin(value: string): boolean {
  if (!/^https?:\/\/[^/?#@]+$/i.test(value)) return false
  return URL.canParse(value)
}

/** Fastify takes no range of all addresses, and says so when it is started. */
const proxies = addressRange.refine(
  (range) => !/\/0+$/.test(range),
  'Must not be everybody: clients would choose their addresses.'
)

export const server = z
  .strictObject(
    {
      host: text('Host must not be empty.'),
      port: port(),
      publicUrl: optionalAs(publicUrl),
      bodyLimitMb: orElse(megabytes, LIMITS.contentBody.max),
      /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
      trustedProxies: orElse(z.array(proxies), []),
      /** How long a hub that is stopped says at `/readyz` that it is, before it takes no more requests. */
      drainSeconds: orElse(integer(0, 15), 0),
      cors: optional(cors)
    },
    { error: 'Config must include a "server" mapping.' }
  )
  .transform(({ bodyLimitMb: bodyLimitBytes, ...rest }) => ({ ...rest, bodyLimitBytes }))

export const logging = (baseDir: string) =>
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

/** How long tokens are in force: where nobody says, and at most. */
export const tokens = z
  .strictObject({ expiresInDays: optional(integer(1, 36_500)), expiresInDaysMax: optional(integer(1, 36_500)) })
  .refine(({ expiresInDays = 0, expiresInDaysMax }) => expiresInDays <= (expiresInDaysMax ?? expiresInDays), {
    error: 'Must not be more than expiresInDaysMax.',
    path: ['expiresInDays']
  })

export const invitations = z.strictObject({ expiresInHours: orElse(integer(1, 876_000), 24) })

const witness = z.strictObject({
  url: witnessUrl,
  headers: orElse(headers, []),
  timeoutSeconds: orElse(integer(1, 300), 10)
})

/** Where a checkpoint has somewhere to go and nothing says how often it goes there. */
const CHECKPOINT_MINUTES = 60

export const audit = (baseDir: string) =>
  z
    .strictObject({
      /** How much of a client's address the log keeps: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
      address: orElse(z.enum(['full', 'truncated', 'off'], 'Address must be "full", "truncated" or "off".'), 'full'),
      /** After these names and addresses, and what was deleted, are erased from the log; absent keeps them. */
      retentionDays: optional(integer(1, 36_500)),
      checkpointKeyFile: orElse(path(baseDir, 'Must not be empty.'), resolve(baseDir, 'data/checkpoint-key.pem')),
      /** Where a hub without Redis keeps how far its log has come. */
      headDirectory: orElse(path(baseDir, 'Must not be empty.'), resolve(baseDir, 'known-heads')),
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

/** How large a file may be that is imported. */
export const imports = z
  .strictObject({
    maxItems: orElse(integer(1, 20_000), LIMITS.importItems.max),
    maxContentMb: orElse(megabytes, LIMITS.importContent.max),
    maxUnpackedMb: orElse(megabytes, LIMITS.importUnpacked.max),
    maxFiles: orElse(integer(1, 50_000), LIMITS.importFiles.max),
    maxValues: orElse(integer(1, 20_000_000), LIMITS.importValues.max),
    maxYamlParts: orElse(integer(1, 60_000_000), LIMITS.importYamlParts.max),
    maxSeconds: orElse(integer(1, 120), LIMITS.importTime.max / 1000)
  })
  .transform(
    ({ maxContentMb: maxContent, maxUnpackedMb: maxUnpackedBytes, ...rest }): ImportBounds => ({
      ...rest,
      maxContent,
      maxUnpackedBytes
    })
  )

/** Off, since devices that were not there from the beginning of a discussion cannot read it. */
export const collaboration = z.strictObject({ e2ee: orElse(flag, false) })

/** What agents read is what their tokens open anyway; to write, a token has to say so. */
export const agents = z.strictObject({ enabled: orElse(flag, true) })

const scheme = matching(
  /^[a-z][a-z0-9+.-]*$/,
  'Scheme must be a lower-case letter followed by letters, digits, +, . or -.'
)
export const client = z.strictObject({ scheme: orElse(scheme, 'harborclient'), adminDataApi: orElse(flag, false) })

const metricsPath = matching(
  /^(\/[A-Za-z0-9_.-]{1,100}){1,5}$/,
  'Path must be a / followed by letters, digits, dots, - or _, at most 5 times.'
)

/** Long enough that nobody guesses it, and something that a header can carry. */
const authToken = matching(/^[\x21-\x7e]{16,500}$/, 'Token must be 16 to 500 printable characters without white space.')

/** The `metrics` section. Where `enabled` is not said, it depends on who can reach the hub: `areMetricsServed`. */
export const metrics = z.strictObject({
  enabled: optional(flag),
  path: orElse(metricsPath, '/metrics'),
  authToken: secret(optionalAs(authToken))
})

const sources = orElse(z.array(webUrl), []).transform((urls): readonly string[] => [...new Set(urls)])

/** The `plugins` section: where clients find plugins. */
export const plugins = z.strictObject({ catalogs: sources, trusted: sources })

/** The `webhooks` section. The key without a value is a mistake: whether the section exists decides what the hub offers. */
export const webhooks = (baseDir: string) =>
  z.strictObject(
    {
      /** The key that the signing secrets of subscriptions are derived from; made when it is first needed. */
      keyFile: path(baseDir, 'Must not be empty.'),
      allowPrivateAddresses: orElse(z.array(addressRange), []),
      /** How long a delivery may take, from the connection to the status of its answer. */
      timeoutSeconds: orElse(integer(1, 60), 10),
      /** Days of failures after which a subscription is switched off. */
      disableAfterDays: orElse(integer(1, 30), 5)
    },
    { error: 'webhooks must be a mapping; remove the key to send no webhooks.' }
  )

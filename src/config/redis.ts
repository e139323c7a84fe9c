import { z } from 'zod'
import { integer, optional, optionalText, orElse, port, secret, text } from './fields.js'
import { oneForm, wrongDriver } from './forms.js'
import { addresses, placeUrl } from './places.js'
import { tls } from './tls.js'

const REDIS_PORT = 6379
const SENTINEL_PORT = 26_379
const EXAMPLE = `redis://user:password@host:${REDIS_PORT}/0`

const limits = {
  maxFailures: orElse(integer(1), 10),
  windowSeconds: orElse(integer(1), 900),
  blockSeconds: orElse(integer(1), 900),
  maxFailuresPerAddress: orElse(integer(1), 100)
}

const password = secret(
  z
    .string()
    .nullish()
    .transform((value) => value || undefined)
)
const database = integer(0, 15)

/** The URL of a Redis server, as the single keys that it stands for. */
const redisUrl = secret(
  placeUrl(['redis', 'rediss'], REDIS_PORT, EXAMPLE).transform((said, context) => {
    const { scheme, places, user, password, path, parameters } = said
    const [place, ...others] = places
    if (parameters.length > 0) {
      context.addIssue('Must end with the path: rediss:// encrypts, and what else stands behind ? has keys of its own.')
      return z.NEVER
    }
    const db = database.safeParse(path ?? 0)
    if (place === undefined || others.length > 0 || !db.success) {
      const what = db.success ? 'one server; several have the keys sentinels and cluster' : 'a database from 0 to 15'
      context.addIssue(`Must name ${what}: ${EXAMPLE}.`)
      return z.NEVER
    }
    return { place, username: user, password, db: db.data, isEncrypted: scheme === 'rediss' }
  })
)

const sentinels = z.strictObject({
  name: text(),
  nodes: addresses(SENTINEL_PORT),
  username: optionalText,
  password
})

const redisServer = (baseDir: string) =>
  z
    .strictObject({
      driver: z
        .literal('redis')
        .nullish()
        .transform(() => 'redis' as const),
      url: optional(redisUrl),
      host: optional(text('Redis host must not be empty.')),
      port: optional(port()),
      sentinels: optional(sentinels),
      cluster: optional(addresses(REDIS_PORT)),
      username: optionalText,
      password,
      db: optional(database),
      tls: tls(baseDir),
      keyPrefix: optionalText.transform((value = '') => value.replace(/:+$/, '')),
      ...limits
    })
    .superRefine(
      ...oneForm(
        'redis',
        { needs: ['url'] },
        { needs: ['sentinels'], may: ['username', 'password', 'db'] },
        { needs: ['cluster'], may: ['username', 'password'] },
        { needs: ['host', 'port'], may: ['username', 'password', 'db'] }
      )
    )
    .transform(({ url, host, port, sentinels, cluster, db = 0, ...rest }) => {
      if (url !== undefined) {
        const { place, isEncrypted, ...given } = url
        return {
          ...rest,
          ...given,
          ...place,
          tls: rest.tls ?? (isEncrypted ? { rejectUnauthorized: true } : undefined)
        }
      }
      if (sentinels !== undefined) return { ...rest, db, sentinels }
      if (cluster !== undefined) return { ...rest, db, cluster }
      return host === undefined || port === undefined ? z.NEVER : { ...rest, db, host, port }
    })

/** The `redis` section: where failed authentications are counted. Relative paths start at `baseDir`. */
export const redis = (baseDir: string) =>
  z.discriminatedUnion('driver', [redisServer(baseDir), z.strictObject({ driver: z.literal('memory'), ...limits })], {
    error: wrongDriver('redis', '"memory" or "redis"')
  })

import { z } from 'zod'
import { integer, isMapping, optionalPath, optionalText, orElse, path, port, text } from './fields.js'

const prefix = orElse(
  z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, {
    error: 'Prefix must be a lower-case letter followed by at most 30 lower-case letters, digits or underscores.'
  }),
  'hub_'
)

const databaseServer = (owner: 'Postgres' | 'MySQL') => ({
  host: text(`${owner} host must not be empty.`),
  port: port(owner),
  user: text(`${owner} user must not be empty.`),
  password: z.string(),
  database: text(`${owner} database must not be empty.`),
  prefix
})

/** The `db` section; relative paths start at `baseDir`. */
export const db = (baseDir: string) =>
  z.discriminatedUnion(
    'driver',
    [
      z.object({ driver: z.literal('sqlite'), path: path(baseDir, 'SQLite path must not be empty.'), prefix }),
      z.object({ driver: z.literal('postgres'), ...databaseServer('Postgres') }),
      z.object({ driver: z.literal('mysql'), ...databaseServer('MySQL') }),
      z.object({
        driver: z.literal('firestore'),
        projectId: text('Firestore projectId must not be empty.'),
        keyFilename: optionalPath(baseDir),
        prefix
      })
    ],
    { error: wrongDriver('db', '"firestore", "mysql", "postgres", or "sqlite"') }
  )

const limits = {
  maxFailures: orElse(integer(1), 10),
  windowSeconds: orElse(integer(1), 900),
  blockSeconds: orElse(integer(1), 900),
  maxFailuresPerAddress: orElse(integer(1), 100)
}

/** The `redis` section: where failed authentications are counted. */
export const redis = z.discriminatedUnion(
  'driver',
  [
    z.object({
      driver: z
        .literal('redis')
        .nullish()
        .transform(() => 'redis' as const),
      host: text('Redis host must not be empty.'),
      port: port(),
      password: z
        .string()
        .nullish()
        .transform((value) => value || undefined),
      db: orElse(integer(0, 15), 0),
      keyPrefix: optionalText.transform((value = '') => value.replace(/:+$/, '')),
      ...limits
    }),
    z.object({ driver: z.literal('memory'), ...limits })
  ],
  { error: wrongDriver('redis', '"memory" or "redis"') }
)

function wrongDriver(section: 'db' | 'redis', expected: string) {
  return ({ input }: { readonly input?: unknown }): string => {
    if (!isMapping(input)) return `Config must include a "${section}" mapping.`
    const { driver } = input
    if (driver == null) return `Config must include ${section}.driver.`
    if (driver === '') return `${section === 'db' ? 'Database' : 'Redis'} driver must not be empty.`
    const kind = section === 'db' ? 'database' : 'redis'
    return `Unsupported ${kind} driver "${String(driver)}". Expected ${expected}.`
  }
}

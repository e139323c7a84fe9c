import { isIP } from 'node:net'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { integer, matching, optional, optionalPath, orElse, path, port, secret, text } from './fields.js'
import { type Form, oneForm, wrongDriver } from './forms.js'
import { addresses, placeUrl } from './places.js'
import { tls } from './tls.js'
import type { Address, TlsConfig } from './types.js'
import { type Parameters, understood } from './urlParameters.js'

const prefix = orElse(
  matching(
    /^[a-z][a-z0-9_]{0,30}$/,
    'Prefix must be a lower-case letter followed by at most 30 lower-case letters, digits or underscores.'
  ),
  'hub_'
)

const POSTGRES_PORT = 5432
const MYSQL_PORT = 3306

/** The single keys that a URL stands for. */
const databaseServer = (owner: 'Postgres' | 'MySQL') => ({
  host: optional(text(`${owner} host must not be empty.`)),
  port: optional(port(owner)),
  user: optional(text(`${owner} user must not be empty.`)),
  password: secret(optional(z.string())),
  database: optional(text(`${owner} database must not be empty.`))
})

const connections = (baseDir: string) => ({
  tls: tls(baseDir),
  /** Connections that read at once; another one writes. */
  poolSize: orElse(integer(1, LIMITS.databaseReaders.max), 6),
  connectTimeoutMs: orElse(integer(100, 60_000), 3000),
  /** How long a statement that reads may take; one that writes has three times as long. */
  statementTimeoutMs: orElse(integer(500, 60_000), 4000)
})

const SINGLE: Form = { needs: ['host', 'port', 'user', 'password', 'database'] }
const NO_USER = 'Must name a user: '
const NO_DATABASE = 'Must name a database behind the host: '

/** The URL of a database, as the single keys that it stands for. */
const databaseUrl = (baseDir: string, schemes: readonly string[], usualPort: number) => {
  const example = `${schemes[0]}://user:password@host:${usualPort}/database`
  return secret(
    placeUrl(schemes, usualPort, example).transform((said, context) => {
      const { places, user, password = '', path: database, parameters } = said
      const [first, ...otherHosts] = places
      if (user === undefined || database === undefined || first === undefined) {
        context.addIssue(`${user === undefined ? NO_USER : NO_DATABASE}${example}.`)
        return z.NEVER
      }
      const meant = understood(parameters, baseDir)
      if ('refusal' in meant) {
        context.addIssue(meant.refusal)
        return z.NEVER
      }
      return { ...first, ...others(otherHosts), user, password, database, ...meant }
    })
  )
}

const others = (otherHosts: readonly Address[]) => (otherHosts.length > 0 ? { otherHosts } : {})

/** Where a server is and who is let in. */
interface Server extends Address {
  readonly otherHosts?: readonly Address[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly tls?: TlsConfig | undefined
}

/** The keys that say it, in one of three forms. */
interface Forms extends Partial<Omit<Undefined<Server>, 'otherHosts'>> {
  readonly url?: (Server & Parameters) | undefined
  readonly hosts?: readonly Address[] | undefined
}
type Undefined<T> = { readonly [K in keyof T]: T[K] | undefined }

/** What the forms come to. What stands in the URL counts before a key of its own, but for `tls`, which can say more. */
function placed<T extends Forms>(given: T): Omit<T, keyof Forms> & Server {
  const { url, hosts = [], host, port, user, password, database, tls, ...rest } = given
  if (url !== undefined) return { ...rest, ...url, tls: tls ?? url.tls }
  const [first = host !== undefined && port !== undefined ? { host, port } : undefined, ...otherHosts] = hosts
  if (first === undefined || user === undefined || password === undefined || database === undefined) return z.NEVER
  return { ...rest, ...first, ...others(otherHosts), user, password, database, tls }
}

const FORMS = oneForm('db', { needs: ['url'] }, { needs: ['hosts', 'user', 'password', 'database'] }, SINGLE)

const postgres = (baseDir: string) =>
  z
    .strictObject({
      driver: z.literal('postgres'),
      url: optional(databaseUrl(baseDir, ['postgres', 'postgresql'], POSTGRES_PORT)),
      ...databaseServer('Postgres'),
      hosts: optional(addresses(POSTGRES_PORT)),
      ...connections(baseDir),
      /** `read-write` passes over servers that are set to only read; standbys are never used. */
      targetSessionAttrs: orElse(
        z.enum(['any', 'read-write'], 'targetSessionAttrs must be "any" or "read-write".'),
        'any'
      ),
      prefix,
      /** Where the file of the search index is; absent means that each process makes one for itself. */
      searchDirectory: optionalPath(baseDir)
    })
    .superRefine(...FORMS)
    .transform(placed)

const mysql = (baseDir: string) =>
  z
    .strictObject({
      driver: z.literal('mysql'),
      // One that only reads is never used, so there is nothing to choose.
      url: optional(
        databaseUrl(baseDir, ['mysql', 'mariadb'], MYSQL_PORT).transform(({ targetSessionAttrs: _, ...said }) => said)
      ),
      ...databaseServer('MySQL'),
      hosts: optional(addresses(MYSQL_PORT)),
      ...connections(baseDir),
      prefix,
      searchDirectory: optionalPath(baseDir)
    })
    .superRefine(...FORMS)
    .transform((given, context) => {
      const server = placed(given)
      if (!isVerifiable(server)) context.addIssue({ code: 'custom', path: ['tls'], message: UNVERIFIABLE })
      return server
    })

const UNVERIFIABLE =
  'Must have a servername, the name in the certificate, where a host is an address: MySQL is not verified by one.'

/** The client library of MySQL compares a certificate with names only. */
function isVerifiable({ host, otherHosts = [], tls }: Pick<Server, 'host' | 'otherHosts' | 'tls'>): boolean {
  const isNamed = [{ host }, ...otherHosts].every((one) => isIP(one.host) === 0)
  return isNamed || !tls?.rejectUnauthorized || tls.servername !== undefined
}

/** The `db` section; relative paths start at `baseDir`. */
export const db = (baseDir: string) =>
  z.discriminatedUnion(
    'driver',
    [
      z.strictObject({ driver: z.literal('sqlite'), path: path(baseDir, 'SQLite path must not be empty.'), prefix }),
      postgres(baseDir),
      mysql(baseDir),
      z.strictObject({
        driver: z.literal('firestore'),
        projectId: text('Firestore projectId must not be empty.'),
        keyFilename: optionalPath(baseDir),
        prefix,
        searchDirectory: optionalPath(baseDir)
      })
    ],
    { error: wrongDriver('db', '"firestore", "mysql", "postgres", or "sqlite"') }
  )

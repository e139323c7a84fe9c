import { isIP } from 'node:net'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { integer, matching, optional, optionalPath, orElse, path, port, secret, text } from './fields.js'
import { type Form, oneForm, wrongDriver } from './forms.js'
import { addresses, placeUrl, understood } from './places.js'
import { tls } from './tls.js'
import type { Address, TlsConfig } from './types.js'

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
const databaseUrl = (schemes: readonly string[], usualPort: number) => {
  const example = `${schemes[0]}://user:password@host:${usualPort}/database`
  return secret(
    placeUrl(schemes, usualPort, example).transform((said, context) => {
      const { places, user, password = '', path: database, parameters } = said
      const [first, ...otherHosts] = places
      if (user === undefined || database === undefined || first === undefined) {
        context.addIssue(`${user === undefined ? NO_USER : NO_DATABASE}${example}.`)
        return z.NEVER
      }
      const meant = understood(parameters)
      if ('refusal' in meant) {
        context.addIssue(meant.refusal)
        return z.NEVER
      }
      return { ...first, ...others(otherHosts), user, password, database, tls: meant.tls }
    })
  )
}

const others = (otherHosts: readonly Address[]) => (otherHosts.length > 0 ? { otherHosts } : {})

const postgres = (baseDir: string) =>
  z
    .strictObject({
      driver: z.literal('postgres'),
      url: optional(databaseUrl(['postgres', 'postgresql'], POSTGRES_PORT)),
      ...databaseServer('Postgres'),
      hosts: optional(addresses(POSTGRES_PORT)),
      ...connections(baseDir),
      /** `read-write` passes over servers that only read. */
      targetSessionAttrs: orElse(
        z.enum(['any', 'read-write'], 'targetSessionAttrs must be "any" or "read-write".'),
        'any'
      ),
      prefix,
      /** Where the file of the search index is; absent means that each process makes one for itself. */
      searchDirectory: optionalPath(baseDir)
    })
    .superRefine(...oneForm('db', { needs: ['url'] }, { needs: ['hosts', 'user', 'password', 'database'] }, SINGLE))
    .transform(({ url, hosts = [], host, port, user, password, database, ...rest }) => {
      const [first = host !== undefined && port !== undefined ? { host, port } : undefined, ...otherHosts] = hosts
      if (url !== undefined) return { ...rest, ...url, tls: rest.tls ?? url.tls }
      if (first === undefined || user === undefined || password === undefined || database === undefined) return z.NEVER
      return { ...rest, ...first, ...others(otherHosts), user, password, database }
    })

const mysql = (baseDir: string) =>
  z
    .strictObject({
      driver: z.literal('mysql'),
      url: optional(databaseUrl(['mysql', 'mariadb'], MYSQL_PORT)),
      ...databaseServer('MySQL'),
      ...connections(baseDir),
      prefix,
      searchDirectory: optionalPath(baseDir)
    })
    .superRefine(...oneForm('db', { needs: ['url'] }, SINGLE))
    .transform(({ url, host, port, user, password, database, ...rest }, context) => {
      if (url === undefined) {
        if (host === undefined || port === undefined || user === undefined) return z.NEVER
        if (password === undefined || database === undefined) return z.NEVER
        return verifiable({ ...rest, host, port, user, password, database }, context)
      }
      const { otherHosts, ...server } = url
      if (otherHosts !== undefined) {
        context.addIssue({ code: 'custom', path: ['url'], message: 'Must name one server: MySQL has no several.' })
        return z.NEVER
      }
      return verifiable({ ...rest, ...server, tls: rest.tls ?? server.tls }, context)
    })

/** The client library of MySQL compares a certificate with names only. */
function verifiable<T extends { readonly host: string; readonly tls?: TlsConfig | undefined }>(
  server: T,
  context: z.RefinementCtx
): T {
  const { host, tls } = server
  if (tls?.rejectUnauthorized && tls.servername === undefined && isIP(host) !== 0) {
    const message = `Must have a servername, the name in the certificate of ${host}: MySQL is not verified by an address.`
    context.addIssue({ code: 'custom', path: ['tls'], message })
  }
  return server
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

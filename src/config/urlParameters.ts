import { resolve } from 'node:path'
import { LIMITS } from '../limits.js'
import type { PlaceUrl } from './places.js'
import { readSmallFile } from './smallFile.js'
import type { TlsConfig } from './types.js'

/** What the parameters of a database's URL say, by the keys of `db` that they stand for. */
export interface Parameters {
  readonly tls?: TlsConfig
  readonly connectTimeoutMs?: number
  readonly statementTimeoutMs?: number
  readonly poolSize?: number
  readonly targetSessionAttrs?: 'any' | 'read-write'
}

/** What is wrong with a parameter. It quotes names alone. */
export interface Refused {
  readonly refusal: string
}

/** How a parameter is understood: what it adds to what was said before it. */
type Reading = (value: string, said: Parameters, baseDir: string) => Parameters | Refused

const number =
  (
    key: 'connectTimeoutMs' | 'statementTimeoutMs' | 'poolSize',
    [least, most]: readonly [number, number],
    times = 1
  ): Reading =>
  (text, said) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) * times : Number.NaN
    return value >= least && value <= most
      ? { ...said, [key]: value }
      : { refusal: `must be ${least / times} to ${most / times}` }
  }
const TIMEOUT = [500, 60_000] as const

/** Whether to encrypt. Where it is wanted at all, the certificate is verified, unless the word says that it is not to be. */
const encryption: Reading = (text, said) => {
  switch (text.toLowerCase().replace('_', '-')) {
    case 'require':
    case 'required':
    case 'verify-ca':
    case 'verify-full':
    case 'verify-identity':
    case 'true':
    case '1':
      return { ...said, tls: { ...said.tls, rejectUnauthorized: true } }
    case 'no-verify':
      return { ...said, tls: { ...said.tls, rejectUnauthorized: false } }
    case 'disable':
    case 'disabled':
    case 'false':
    case '0':
      return said
    default:
      return { refusal: 'must say disable, require, verify-full or no-verify; db.tls says the rest' }
  }
}

const file =
  (part: 'ca' | 'cert' | 'key'): Reading =>
  (path, said, baseDir) => {
    const read = readSmallFile(resolve(baseDir, path))
    // What it says names the path, which is part of the URL.
    if ('why' in read) return { refusal: 'names a file that cannot be read' }
    return { ...said, tls: { rejectUnauthorized: true, ...said.tls, [part]: read.text } }
  }

const attributes: Reading = (text, said) => {
  if (text === 'any') return { ...said, targetSessionAttrs: 'any' }
  if (text === 'read-write' || text === 'primary') return { ...said, targetSessionAttrs: 'read-write' }
  return { refusal: 'must say any, read-write or primary' }
}

/** Of no effect here: what they ask for is so anyway, or is found out. */
const asItIs: Reading = (_text, said) => said

const connect = number('connectTimeoutMs', [1000, 60_000], 1000)
const readers = number('poolSize', [1, LIMITS.databaseReaders.max])

/** Parameters that clients of databases know, in small letters. */
const READINGS: Readonly<Record<string, Reading>> = {
  ...{ sslmode: encryption, ssl: encryption, 'ssl-mode': encryption, tls: encryption, usessl: encryption },
  ...{ sslrootcert: file('ca'), 'ssl-ca': file('ca'), sslca: file('ca') },
  ...{ sslcert: file('cert'), 'ssl-cert': file('cert'), sslkey: file('key'), 'ssl-key': file('key') },
  ...{ connect_timeout: connect, connecttimeout: connect, statement_timeout: number('statementTimeoutMs', TIMEOUT) },
  ...{ connection_limit: readers, connectionlimit: readers, pool_max: readers, max: readers },
  ...{ target_session_attrs: attributes, application_name: asItIs, pgbouncer: asItIs, charset: asItIs },
  ...{ keepalives: asItIs, keepalives_idle: asItIs, gssencmode: asItIs, client_encoding: asItIs }
}

/** Other parameters, and the key that stands for each here. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ sslsni: 'db.tls.servername', rejectunauthorized: 'db.tls.rejectUnauthorized' },
  ...{ host: 'db.host', port: 'db.port', user: 'db.user', password: 'db.password', dbname: 'db.database' }
}

/** What the parameters of a database's URL mean here; relative paths start at `baseDir`. One that means nothing here is refused. */
export function understood(parameters: PlaceUrl['parameters'], baseDir: string): Parameters | Refused {
  let said: Parameters = {}
  for (const [name, value] of parameters) {
    const known = name.toLowerCase()
    const reading = READINGS[known]
    if (!reading) return { refusal: `${name} has ${instead(KEYS[known])}.` }
    const read = reading(value, said, baseDir)
    if ('refusal' in read) return { refusal: `${name} ${read.refusal}.` }
    said = read
  }
  return said
}

function instead(key: string | undefined): string {
  return key === undefined ? 'no meaning in the URL here: leave it out' : `a key of its own here: write ${key}`
}

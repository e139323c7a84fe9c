import type { TlsConfig } from './types.js'

/** The parameters of a URL, as `PlaceUrl` has them. */
export type Parameters = readonly (readonly [name: string, value: string])[]

/** What a URL says of encryption, or what is wrong with what it says. */
export type Understood = { readonly tls: TlsConfig | undefined } | { readonly refusal: string }

/** Parameters by which clients of databases are told to encrypt, and what they say. */
const SWITCHES = ['sslmode', 'ssl', 'ssl-mode', 'tls', 'usessl']
const ON = ['require', 'required', 'verify-ca', 'verify_ca', 'verify-full', 'verify_identity', 'true', '1']
const OFF = ['disable', 'disabled', 'false', '0']

/** Other parameters, and the key that stands for each here. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ sslrootcert: 'db.tls.ca', 'ssl-ca': 'db.tls.ca', sslca: 'db.tls.ca' },
  ...{ sslcert: 'db.tls.cert', 'ssl-cert': 'db.tls.cert', sslkey: 'db.tls.key', 'ssl-key': 'db.tls.key' },
  ...{ sslsni: 'db.tls.servername', rejectunauthorized: 'db.tls.rejectUnauthorized' },
  ...{ connect_timeout: 'db.connectTimeoutMs', connecttimeout: 'db.connectTimeoutMs' },
  ...{ connection_limit: 'db.poolSize', pool_max: 'db.poolSize', max: 'db.poolSize', connectionlimit: 'db.poolSize' },
  ...{ statement_timeout: 'db.statementTimeoutMs', target_session_attrs: 'db.targetSessionAttrs' },
  ...{ host: 'db.host', port: 'db.port', user: 'db.user', password: 'db.password', dbname: 'db.database' }
}

/**
 * What the parameters of a database's URL mean here: one that wants encryption gets it, with a verified certificate, and the others
 * are refused with the key that stands for them. A refusal quotes names alone.
 */
export function understood(parameters: Parameters): Understood {
  let tls: TlsConfig | undefined
  for (const [name, value] of parameters) {
    const known = name.toLowerCase()
    const wanted = value.toLowerCase()
    if (!SWITCHES.includes(known)) return { refusal: `${name} has ${instead(KEYS[known])}.` }
    if (ON.includes(wanted)) tls = { rejectUnauthorized: true }
    else if (!OFF.includes(wanted))
      return { refusal: `${name} must say require or disable here; db.tls says the rest: true encrypts and verifies.` }
  }
  return { tls }
}

function instead(key: string | undefined): string {
  return key === undefined ? 'no meaning in the URL here: leave it out' : `a key of its own here: write ${key}`
}

/** What an error is known by: its own words and codes, those of its cause, and those of each place where several were tried. */
interface Sign {
  /** `ECONNREFUSED`, `28P01`, `1045`, `SQLITE_CANTOPEN`. */
  readonly codes: readonly string[]
  readonly text: string
}

const USUAL = 'See that the database runs and that the db section names it: host, port, user, password, database.'

const NAME = 'Its name is not found: correct the host in the db section, or see that this machine can resolve it.'
const NOBODY = 'Nobody listens there: start the database, or correct host and port in the db section.'
const FAR =
  'Nothing comes back from there: correct host and port in the db section, or let this machine through a firewall.'
const NO_FILE = 'There is no such file: make the database with `hub migrate`, or correct db.path (a socket: db.host).'
const DAMAGED = 'It is no database of SQLite, or a damaged one: correct db.path, or restore a backup into another file.'
const NO_ROOM = 'No room is left on its disk: make some there, or move the database to a larger one.'
const NO_RIGHTS =
  'The account that runs this may not open it: give it the file and its folder (chown), or see that the disk is not mounted read-only.'
const NO_DATABASE = 'The server has no such database: create it there, or correct db.database.'
const NOT_GRANTED = 'The account may not use that database: grant it there, or correct db.user and db.database.'
const LOGIN = 'The server refuses the login: correct db.user and db.password.'
const RULES =
  'The rules of the server (pg_hba.conf) let nobody in like this: add this machine, user and database there, or set db.tls where they want encryption.'
const ENCRYPT = 'The server wants encryption: set db.tls.'
const NO_TLS = 'The server takes no encryption: switch it on there, or leave out db.tls.'
const AUTHORITY = 'Nobody whom this machine trusts has signed its certificate: name who did in db.tls.ca.'
const OTHER_NAME = 'Its certificate is for another name: use that one as the host, or set db.tls.servername to it.'
const EXPIRED = 'Its certificate is out of date: renew it there, and see that the clock is right here.'
const FULL = 'The server takes no more connections: let it take more, or set db.poolSize lower.'

const BY_CODE: Readonly<Record<string, string>> = {
  ...{ ENOTFOUND: NAME, EAI_AGAIN: NAME, EAI_FAIL: NAME, EAI_NODATA: NAME, EAI_NONAME: NAME },
  ...{ ECONNREFUSED: NOBODY, ETIMEDOUT: FAR, EHOSTUNREACH: FAR, ENETUNREACH: FAR, EHOSTDOWN: FAR },
  ...{ ENOENT: NO_FILE, ENOTDIR: NO_FILE, EACCES: NO_RIGHTS, EPERM: NO_RIGHTS, EROFS: NO_RIGHTS },
  ...{ SQLITE_CANTOPEN: NO_RIGHTS, SQLITE_READONLY: NO_RIGHTS, SQLITE_PERM: NO_RIGHTS },
  ...{ SQLITE_NOTADB: DAMAGED, SQLITE_CORRUPT: DAMAGED },
  // The last is of the file that SQLite makes beside a database even for who only reads.
  ...{ ENOSPC: NO_ROOM, SQLITE_FULL: NO_ROOM, SQLITE_IOERR_SHMSIZE: NO_ROOM },
  // Of Postgres.
  ...{ '28P01': LOGIN, '28000': LOGIN, '3D000': NO_DATABASE, '42501': NOT_GRANTED, '53300': FULL },
  // Of MySQL and MariaDB.
  ...{ 1045: LOGIN, 1698: LOGIN, 1049: NO_DATABASE, 1044: NOT_GRANTED, 1040: FULL, 1203: FULL, 3159: ENCRYPT },
  // Of OpenSSL and Node.
  ...{ SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY, DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY, CERT_UNTRUSTED: AUTHORITY },
  ...{ UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY, UNABLE_TO_GET_ISSUER_CERT: AUTHORITY },
  ...{ UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY, ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME },
  ...{ CERT_HAS_EXPIRED: EXPIRED, CERT_NOT_YET_VALID: EXPIRED }
}

/** What is told by words alone, and what a code says less of than these do. */
const BY_TEXT: readonly (readonly [words: RegExp, advice: string])[] = [
  [/pg_hba\.conf/, RULES],
  [/does not support (?:SSL|secure)/, NO_TLS],
  [/readonly database/, NO_RIGHTS],
  [/timeout|timed out/i, FAR]
]

/** What to do about a database that cannot be used, by what its driver threw. */
export function databaseAdvice(error: unknown): string {
  const { codes, text } = signOf(error)
  const told = BY_TEXT.find(([words]) => words.test(text))?.[1]
  return told ?? codes.map((code) => BY_CODE[code]).find((advice) => advice !== undefined) ?? USUAL
}

function signOf(error: unknown): Sign {
  if (!(error instanceof Error)) return { codes: [], text: '' }
  const own = ['code', 'errno'].flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
  })
  const inner = [error.cause, ...(error instanceof AggregateError ? error.errors : [])].map(signOf)
  return {
    codes: [...own, ...inner.flatMap(({ codes }) => codes)],
    text: [error.message, ...inner.map(({ text }) => text)].join(' ')
  }
}

import { isMapping } from './fields.js'
import { type ConfigProblem, keyOf, type Path } from './problems.js'

type Mapping = Readonly<Record<string, unknown>>

/** What an older hub's `server.yaml` may have and this one does not, and what stands for it here. */
const OLDER: readonly (readonly [section: string, key: string, instead: string])[] = [
  ['server', 'workers', 'one process serves; start several hubs behind a proxy, as units, containers or replicas.'],
  [
    ...(['multitenancy', 'peerHost'] as const),
    'every process serves every tenant; a proxy that hashes X-Harbor-Tenant keeps each at one of them.'
  ],
  ['db', 'max', 'db.poolSize is how many connections read at once.'],
  ['db', 'connectionTimeoutMillis', 'db.connectTimeoutMs is how long a connection may take to open.'],
  ['db', 'idleTimeoutMillis', 'connections are kept open here, and replaced when they end.'],
  ['db', 'ssl', 'db.tls is what encrypts the connection; without it, it is NOT encrypted.'],
  ['redis', 'noticeEventsPubSub', 'every hub follows the log of the database, and needs no channel for it.'],
  ['storage', 'signedUrlTtlSeconds', 'the hub sends images itself, and no addresses that open a bucket.'],
  ['storage', 'projectId', 'Cloud Storage has an endpoint that speaks as S3 does, and takes an HMAC key.'],
  ['storage', 'keyFilename', 'Cloud Storage has an endpoint that speaks as S3 does, and takes an HMAC key.']
]

/** `root` without the keys of an older hub, and a warning for each that says what stands for it here. None is applied. */
export function withoutOlder(
  root: Mapping,
  lineOf: (path: Path) => number
): { readonly root: Mapping; readonly warnings: readonly ConfigProblem[] } {
  const warnings: ConfigProblem[] = []
  let left = root
  for (const [section, key, instead] of OLDER) {
    const given = left[section]
    if (!isMapping(given) || !Object.hasOwn(given, key)) continue
    const { [key]: _, ...others } = given
    left = { ...left, [section]: others }
    const path = [section, key]
    const message = `A key of an older hub, without effect: ${instead}`
    warnings.push({ line: lineOf(path), key: keyOf(path), message })
  }
  return { root: left, warnings }
}

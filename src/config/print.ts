import { stringify } from 'yaml'
import { isMapping, MEGABYTE } from './fields.js'
import { isSecret } from './jsonSchema.js'
import { addressText } from './places.js'
import type { Path } from './problems.js'
import type { DbConfig, Header, HubConfig, RedisThrottleConfig } from './types.js'

const HIDDEN = '<hidden>'

/** The configuration in force as YAML that `server.yaml` could hold: every default in it, every secret as `<hidden>`. */
export function configText(config: HubConfig): string {
  return stringify(
    withoutSecrets(config, () => {}),
    { lineWidth: 0 }
  )
}

/** Every secret of a configuration, wherever it came from. */
export function secretsIn(config: HubConfig): readonly string[] {
  const secrets: string[] = []
  withoutSecrets(config, (secret) => secrets.push(secret))
  return secrets
}

function withoutSecrets(config: HubConfig, tell: (secret: string) => void): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(fileForm(config)))
  const shown = (value: unknown, path: Path, isWithin: boolean): unknown => {
    // Of a secret list or mapping, as headers are, the names are shown.
    const isHidden = isWithin || isSecret(path, plain)
    if (Array.isArray(value)) return value.map((item, i) => shown(item, [...path, i], isHidden))
    if (isMapping(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, shown(inner, [...path, key], isHidden)])
      )
    if (typeof value !== 'string') return isHidden ? HIDDEN : value
    if (!isHidden || (value === '' && !isWithin)) return withoutPassword(value)
    if (value !== '') tell(value)
    return HIDDEN
  }
  return shown(plain, [], false)
}

/** What a file says that means this configuration. Keys whose value is undefined are not in it. */
export function fileForm(config: HubConfig) {
  const { server, db, redis, llm, console, audit, storage, multitenancy, tenants, import: imports, ...others } = config
  const { bodyLimitBytes, ...listen } = server
  const { witness, ...kept } = audit
  const { maxContent, maxUnpackedBytes, ...bounds } = imports
  return {
    server: { ...listen, bodyLimitMb: bodyLimitBytes / MEGABYTE },
    db: databaseForm(db),
    redis: redis.driver === 'memory' ? redis : redisForm(redis),
    ...others,
    llm: llmForm(llm),
    import: { ...bounds, maxContentMb: maxContent / MEGABYTE, maxUnpackedMb: maxUnpackedBytes / MEGABYTE },
    console: console ? 'on' : 'off',
    storage: { driver: storage.driver, ...storage.place },
    audit: { ...kept, witness: witness && { ...witness, headers: witness.headers.map(asMapping) } },
    multitenancy: { ...multitenancy, databases: eachAs(multitenancy.databases, databaseForm) },
    tenants: eachAs(tenants, ({ db, llm, ...own }) => ({
      ...own,
      db: db && databaseForm(db),
      llm: llm === null ? 'off' : llmForm(llm)
    }))
  }
}

function llmForm(llm: HubConfig['llm']) {
  return llm && { ...llm, mcp: llm.mcp.map((tools) => ({ ...tools, headers: tools.headers.map(asMapping) })) }
}

function eachAs<T, U>(all: Readonly<Record<string, T>>, form: (one: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, form(one)]))
}

/** What the `db` section says that means this. */
function databaseForm(db: DbConfig) {
  if (!('otherHosts' in db)) return db
  const { otherHosts = [], host, port, ...rest } = db
  return { ...rest, hosts: [{ host, port }, ...otherHosts].map(addressText) }
}

function redisForm(redis: RedisThrottleConfig) {
  if ('cluster' in redis) {
    // It has no databases.
    const { db: _db, cluster, ...rest } = redis
    return { ...rest, cluster: cluster.map(addressText) }
  }
  if (!('sentinels' in redis)) return redis
  return { ...redis, sentinels: { ...redis.sentinels, nodes: redis.sentinels.nodes.map(addressText) } }
}

function asMapping([name, value]: Header): Readonly<Record<string, string>> {
  return { [name]: value }
}

/** A URL without the password in it, and any other text as it is. */
function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, `$1:${HIDDEN}@`)
}

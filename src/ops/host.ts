import { existsSync, readFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openStorageToRead, openThrottle, withImagePlaces } from '../app/databases.js'
import type { HubConfig, McpServerConfig, SignInProviderConfig } from '../config/types.js'
import { searchFileOf } from '../followers/search/fileName.js'
import { reached } from '../followers/search/progress.js'
import { isOpenToOthers } from '../lib/files.js'
import { builtIn } from '../llm/targets.js'
import type { Storage } from '../storage/storage.js'
import type { Throttle } from '../throttle/throttle.js'
import { type Mount, mountOver, mountsIn } from './accessTimes.js'
import { certificateExpiry } from './certificate.js'
import type { DoctorPorts, TlsTarget } from './doctorPorts.js'
import { isWritable, roomIn } from './probing.js'

const ANSWER_LIMIT_MS = 10_000
const HTTPS_PORT = 443

/** The ports of this machine and of what a configuration file names; connections are opened when they are needed. */
export interface HostPorts extends DoctorPorts {
  close(): Promise<void>
}

/**
 * Ports that open connections of their own, beside those of a hub that may be running, and change nothing. `load` reads what is
 * looked at from the file at `configPath`: it is called until it gives a configuration.
 */
export function hostPorts(configPath: string, load: () => HubConfig): HostPorts {
  let loaded: HubConfig | undefined
  let storage: Promise<Storage> | undefined
  let throttle: Promise<Throttle> | undefined
  const config = () => {
    loaded ??= load()
    return loaded
  }
  return {
    configPath,
    config,
    async storage() {
      const { db, storage: images } = config()
      storage ??= openStorageToRead(db).then((opened) => withImagePlaces(opened, images))
      return storage
    },
    async throttle() {
      throttle ??= openThrottle(config())
      return throttle
    },
    room: roomIn,
    isWritable,
    now: Date.now,
    searchPosition: () => searchPositionIn(config()),
    configText: () => readFileSync(configPath, 'utf8'),
    isOpenToOthers,
    mountOf,
    async askProvider(name, provider) {
      const { statusOfModelsList } = await import('../llm/transport.js')
      return statusOfModelsList(builtIn(name, provider), ANSWER_LIMIT_MS)
    },
    askSignInProvider,
    askToolServer,
    async readDocsIndex(path) {
      const { DocsIndex } = await import('../llm/docs/docsIndex.js')
      const index = await DocsIndex.load(path, new AbortController().signal)
      const size = await index.size
      await index.close()
      return size
    },
    tlsTargets: () => tlsTargetsOf(config()),
    certificateExpiry: (target) => certificateExpiry(target, ANSWER_LIMIT_MS),
    async close() {
      // What could not be opened is told, and needs no closing.
      const opened = await Promise.allSettled([storage, throttle])
      await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value?.close() : undefined)))
    }
  }
}

/** What is remembered in the file of the index, whichever process has it. */
async function searchPositionIn({ db }: HubConfig): Promise<number | null> {
  const path = searchFileOf(db)
  if (path === null || !existsSync(path)) return null
  const { progressIn } = await import('../followers/search/openFile.js')
  return reached(progressIn(path))
}

async function mountOf(path: string): Promise<Mount | null> {
  return mountOver(mountsIn(mountinfo()), await resolved(path))
}

/** How this process sees the mounts of the machine; empty where the system does not say. */
function mountinfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/** A path without symbolic links; what is not there, or cannot be looked at, is left off its end. */
async function resolved(path: string): Promise<string> {
  return realpath(path).catch(() => (dirname(path) === path ? path : resolved(dirname(path))))
}

/** The servers that a configuration reaches by TLS, or is reached by. */
function tlsTargetsOf({
  server: { publicUrl },
  db,
  redis,
  storage,
  multitenancy,
  tenants
}: HubConfig): readonly TlsTarget[] {
  const targets: TlsTarget[] = []
  const urls = { 'server.publicUrl': publicUrl, 'storage.endpoint': storage.place?.endpoint }
  for (const [what, url] of Object.entries(urls)) {
    if (!url?.startsWith('https:')) continue
    const { hostname, port } = new URL(url)
    // An address of version 6 stands in brackets in a URL.
    targets.push({ what, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || HTTPS_PORT), begins: 'at once' })
  }
  const own = Object.entries(tenants).flatMap(([id, { db }]) => (db ? [[`tenants.${id}.db`, db] as const] : []))
  const shared = Object.entries(multitenancy.databases).map(
    ([name, one]) => [`multitenancy.databases.${name}`, one] as const
  )
  for (const [what, one] of [['db', db] as const, ...shared, ...own]) {
    if ((one.driver !== 'postgres' && one.driver !== 'mysql') || !one.tls) continue
    for (const { host, port } of [one, ...(one.otherHosts ?? [])])
      targets.push({ what, host, port, begins: one.driver })
  }
  if (redis.driver === 'redis' && redis.tls) {
    const nodes = 'sentinels' in redis ? redis.sentinels.nodes : 'cluster' in redis ? redis.cluster : [redis]
    for (const { host, port } of nodes) targets.push({ what: 'redis', host, port, begins: 'at once' })
  }
  return targets
}

async function askSignInProvider(config: SignInProviderConfig) {
  const { Provider } = await import('../signIn/provider.js')
  // Nobody is led anywhere, and what goes wrong is thrown.
  return new Provider(config, 'http://localhost', () => {}).examine()
}

async function askToolServer(config: McpServerConfig): Promise<number> {
  const [{ connect }, { MCP_LIMITS }, { systemResolve }, { loggedFailure }] = await Promise.all([
    import('../llm/mcp/connection.js'),
    import('../llm/mcp/limits.js'),
    import('../net/guardedAddress.js'),
    import('../llm/mcp/failure.js')
  ])
  try {
    const connection = await connect(config, {
      limits: MCP_LIMITS,
      resolve: systemResolve,
      signal: AbortSignal.timeout(2 * ANSWER_LIMIT_MS)
    })
    try {
      return (await connection.listTools()).tools.length
    } finally {
      await connection.close()
    }
  } catch (error) {
    // Never a word that the server has said, since it may say again what it was sent.
    throw new Error(JSON.stringify(loggedFailure(error)))
  }
}

/** The validated configuration: every default filled in, every path absolute, every name the real one. */
export interface HubConfig {
  readonly server: ServerConfig
  readonly db: DbConfig
  readonly redis: RedisConfig
  readonly logging: LoggingConfig
  /** Absent when the hub serves no models. */
  readonly llm?: LlmConfig
  readonly plugins: PluginsConfig
  readonly docs: DocsConfig
  readonly invitations: InvitationsConfig
  readonly client: ClientConfig
  readonly audit: AuditConfig
}

export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly bodyLimitBytes: number
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
}

export type DbConfig = SqliteConfig | PostgresConfig | MysqlConfig | FirestoreConfig

export interface SqliteConfig {
  readonly driver: 'sqlite'
  readonly path: string
  readonly prefix: string
}

export interface PostgresConfig extends DatabaseServer {
  readonly driver: 'postgres'
}

export interface MysqlConfig extends DatabaseServer {
  readonly driver: 'mysql'
}

export interface FirestoreConfig {
  readonly driver: 'firestore'
  readonly projectId: string
  /** Absent means the ambient credentials. */
  readonly keyFilename?: string
  readonly prefix: string
}

interface DatabaseServer {
  /** A host name, an address or the path of a socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly prefix: string
}

export type RedisConfig = MemoryThrottleConfig | RedisThrottleConfig

export interface MemoryThrottleConfig extends ThrottleLimits {
  readonly driver: 'memory'
}

export interface RedisThrottleConfig extends ThrottleLimits {
  readonly driver: 'redis'
  readonly host: string
  readonly port: number
  readonly password?: string
  readonly db: number
  /** Without trailing colons; empty for none. */
  readonly keyPrefix: string
}

export interface ThrottleLimits {
  readonly maxFailures: number
  readonly windowSeconds: number
  readonly blockSeconds: number
  readonly maxFailuresPerAddress: number
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LoggingConfig {
  readonly level: LogLevel
  /** Absent means no output to a file. */
  readonly file?: string
  readonly console: boolean
}

export type LlmProviderName = 'openai' | 'claude' | 'gemini'

export interface LlmConfig {
  /** Those with a key: at least one. */
  readonly providers: Readonly<Partial<Record<LlmProviderName, LlmProviderConfig>>>
  /** Ids of the catalog that are offered; absent means all whose provider is configured. */
  readonly models?: readonly string[]
  /** Replaces the built-in catalog. */
  readonly catalog?: readonly CatalogModel[]
  readonly mcp: readonly McpServerConfig[]
  readonly stepTimeoutSeconds: number
  /** Calls of tools that one step may ask for. */
  readonly toolCallsPerStep: number
}

export interface LlmProviderConfig {
  readonly apiKey: string
  /** Without trailing slashes; absent means the provider's own. */
  readonly baseUrl?: string
  readonly timeoutSeconds: number
  readonly maxRetries: number
}

export interface CatalogModel {
  readonly id: string
  readonly label: string
  readonly provider: LlmProviderName
}

export interface McpServerConfig {
  readonly name: string
  /** Without trailing slashes. */
  readonly url: string
  readonly headers: readonly Header[]
}

export type Header = readonly [name: string, value: string]

export interface PluginsConfig {
  readonly catalogs: readonly string[]
  readonly trusted: readonly string[]
}

export interface DocsConfig {
  readonly searchIndexPath?: string
}

export interface InvitationsConfig {
  readonly expiresInHours: number
}

export interface AuditConfig {
  /** How much of a client's address the log keeps: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
  readonly address: AddressPolicy
  /** Days after which names and addresses, and what was deleted, are erased from the log; absent keeps them. */
  readonly retentionDays?: number
  /** The private key that signs checkpoints. */
  readonly checkpointKeyFile: string
  /** How often a running hub writes a checkpoint to its log output, and to the two below; absent means never. */
  readonly checkpointEveryMinutes?: number
  /** The file that checkpoints are appended to. */
  readonly checkpointFile?: string
  /** Where checkpoints are sent. */
  readonly witness?: WitnessConfig
  /** The key that the chain is sealed with; absent means that it is not. */
  readonly sealKeyFile?: string
  /** The keys that were in force before, for verification. */
  readonly formerSealKeyFiles: readonly string[]
  /** Minutes after which a running hub verifies the log and the read tables again; absent means never. */
  readonly verifyEvery?: number
}

export interface WitnessConfig {
  /** An https URL; http only on this machine. */
  readonly url: string
  readonly headers: readonly Header[]
  readonly timeoutSeconds: number
}

export type AddressPolicy = 'full' | 'truncated' | 'off'

export interface ClientConfig {
  /** The scheme of the desktop's deep links. */
  readonly scheme: string
}

/** The validated configuration: every default filled in, every path absolute, every name the real one. */
export interface HubConfig {
  readonly server: ServerConfig
  readonly db: DbConfig
  readonly redis: RedisConfig
  readonly logging: LoggingConfig
  readonly metrics: MetricsConfig
  /** Absent when the hub serves no models. */
  readonly llm?: LlmConfig
  readonly plugins: PluginsConfig
  readonly docs: DocsConfig
  readonly invitations: InvitationsConfig
  readonly client: ClientConfig
  readonly collaboration: CollaborationConfig
  readonly storage: ImageStorageConfig
  readonly agents: AgentsConfig
  /** True where browsers find the console. */
  readonly console: boolean
  readonly audit: AuditConfig
  /** Absent when the hub sends no webhooks. */
  readonly webhooks?: WebhooksConfig | undefined
  readonly multitenancy: MultitenancyConfig
  /** By the id of a tenant what it has of its own, and not as the hub has it. */
  readonly tenants: Readonly<Record<string, TenantConfig>>
}

export interface ServerConfig {
  readonly host: string
  readonly port: number
  /** The http or https address that people reach the hub at, without a slash at its end; may have a path. */
  readonly publicUrl?: string
  readonly bodyLimitBytes: number
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** How long a hub that is stopped says at `/readyz` that it is, before it takes no more requests. */
  readonly drainSeconds: number
  /** Absent where no web page of another origin may read what the hub answers. */
  readonly cors?: CorsConfig | undefined
}

export interface CorsConfig {
  /** As browsers name them; or `*` alone for all. */
  readonly origins: readonly string[]
  /** True where browsers may send cookies and client certificates along. */
  readonly credentials: boolean
  /** How long a browser may remember what it was told. */
  readonly maxAgeSeconds: number
}

export type DbConfig = SqliteConfig | PostgresConfig | MysqlConfig | FirestoreConfig

export interface SqliteConfig {
  readonly driver: 'sqlite'
  readonly path: string
  readonly prefix: string
}

export interface PostgresConfig extends DatabaseServer {
  readonly driver: 'postgres'
  /** Tried in this order where the first place does not let a connection in; absent where there is no other. */
  readonly otherHosts?: readonly Address[]
  /** `read-write` passes over servers that only read. */
  readonly targetSessionAttrs: 'any' | 'read-write'
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
  readonly searchDirectory?: string | undefined
}

export interface Address {
  /** A host name or an address; of a database also the path of a socket. */
  readonly host: string
  readonly port: number
}

/** How a connection is encrypted and verified. Certificates and keys are PEM texts. */
export interface TlsConfig {
  /** Who signs the server's certificate; absent means those that Node knows. */
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** The name that the server's certificate must have; absent means the one it is reached by. */
  readonly servername?: string | undefined
  /** False takes any certificate. */
  readonly rejectUnauthorized: boolean
}

export interface DatabaseServer extends Address {
  readonly user: string
  readonly password: string
  readonly database: string
  readonly prefix: string
  /** Where the file of the search index is; absent means that each process makes one for itself. */
  readonly searchDirectory?: string | undefined
  /** Absent means that the connection is not encrypted. */
  readonly tls?: TlsConfig | undefined
  /** Connections that read at once; another one writes. */
  readonly poolSize: number
  readonly connectTimeoutMs: number
  /** How long a statement that reads may take; one that writes has three times as long. */
  readonly statementTimeoutMs: number
}

export type RedisConfig = MemoryThrottleConfig | RedisThrottleConfig

export interface MemoryThrottleConfig extends ThrottleLimits {
  readonly driver: 'memory'
}

export type RedisThrottleConfig = ThrottleLimits & RedisServer & { readonly driver: 'redis' }

/** Where a Redis is and how a connection to it is made. */
export type RedisServer = RedisPlace & {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly db: number
  /** Without trailing colons; empty for none. */
  readonly keyPrefix: string
  readonly tls?: TlsConfig | undefined
}

/** One server; or the one that sentinels name as the master; or a cluster, found by way of some of its nodes. */
export type RedisPlace = Address | { readonly sentinels: RedisSentinels } | { readonly cluster: readonly Address[] }

export interface RedisSentinels {
  /** The name that they know the master by. */
  readonly name: string
  readonly nodes: readonly Address[]
  /** For the sentinels themselves. */
  readonly username?: string | undefined
  readonly password?: string | undefined
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
  /** JSON lines, or lines for people. */
  readonly format: 'json' | 'simple'
  /** True for one line a request. */
  readonly requests: boolean
  /** Absent means no output to a file. */
  readonly file?: string
  readonly console: boolean
}

export interface MetricsConfig {
  /** Absent where nobody has said so: see `areMetricsServed`. */
  readonly enabled?: boolean
  readonly path: string
  /** What whoever collects them has to bring as a bearer token; absent for nothing. */
  readonly authToken?: string
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
  /** The last UTC day on which its vendor serves it, `YYYY-MM-DD`; absent where no end is announced. */
  readonly until?: string
  /** Absent where nobody has said what it costs: what it uses is then told without money. */
  readonly price?: ModelPrice
}

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
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

export interface WebhooksConfig {
  /** The key that the signing secrets of subscriptions are derived from; made when it is first needed. */
  readonly keyFile: string
  /** Addresses and CIDR ranges of private networks that deliveries may go to. */
  readonly allowPrivateAddresses: readonly string[]
  /** How long a delivery may take, from the connection to the status of its answer. */
  readonly timeoutSeconds: number
  /** Days of failures after which a subscription is switched off. */
  readonly disableAfterDays: number
}

export interface MultitenancyConfig {
  /** False where there is no tenant but the hub itself. */
  readonly enabled: boolean
  /** Tenants that a process has open at once. */
  readonly maxOpen: number
  /** How long nobody has asked for a tenant that is closed. */
  readonly closeAfterMinutes: number
  /** Databases that tenants may be in beside that of the hub, by the names that they are chosen by. */
  readonly databases: Readonly<Record<string, DbConfig>>
}

/** What is absent a tenant has as the hub has it. */
export interface TenantConfig {
  /** A database for this tenant alone. */
  readonly db?: DbConfig | undefined
  /** Host names, in lower case, under which requests are meant for this tenant. */
  readonly hosts: readonly string[]
  readonly publicUrl?: string | undefined
  /** Null where this tenant has no models, though the hub has. */
  readonly llm?: LlmConfig | null | undefined
  readonly plugins?: PluginsConfig | undefined
  readonly invitations?: InvitationsConfig | undefined
  readonly collaboration?: CollaborationConfig | undefined
  readonly audit?: { readonly retentionDays: number } | undefined
}

export type AddressPolicy = 'full' | 'truncated' | 'off'

export interface AgentsConfig {
  /** False where agents find nothing at `/mcp`. */
  readonly enabled: boolean
}

export interface ImageStorageConfig {
  /** Where images of avatars are kept: in the database, or in the bucket. */
  readonly driver: 'db' | 's3'
  /** With `db`, where images may still be; absent where there is no bucket. */
  readonly place?: BucketConfig | undefined
}

/** A bucket of S3, or of what speaks as S3 does. */
export interface BucketConfig {
  readonly bucket: string
  readonly region: string
  /** Without trailing slashes; absent means that of AWS. */
  readonly endpoint?: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** What the name of every object begins with; without slashes around it. */
  readonly prefix: string
  /** How long one call may take. */
  readonly timeoutSeconds: number
}

export interface CollaborationConfig {
  /** True where comments are taken as clients have encrypted them, and not as text. */
  readonly e2ee: boolean
}

export interface ClientConfig {
  /** The scheme of the desktop's deep links. */
  readonly scheme: string
  /** True where administrators work with all records, as users do. */
  readonly adminDataApi: boolean
}

import type { z } from 'zod'
import type { hubSchema } from './schema.js'

/** Readonly all the way down, and a key that may be undefined may be left out. */
type Settled<T> = T extends readonly unknown[]
  ? { readonly [I in keyof T]: Settled<T[I]> }
  : T extends object
    ? Shape<
        { readonly [K in keyof T as undefined extends T[K] ? never : K]: Settled<T[K]> } & {
          readonly [K in keyof T as undefined extends T[K] ? K : never]?: Settled<T[K]>
        }
      >
    : T
type Shape<T> = { [K in keyof T]: T[K] }

/** The validated configuration: every default filled in, every path absolute, every name the real one. */
export type HubConfig = Settled<z.output<ReturnType<typeof hubSchema>>>

export type ServerConfig = HubConfig['server']
export type CorsConfig = NonNullable<ServerConfig['cors']>

export type DbConfig = HubConfig['db']
export type PostgresConfig = Extract<DbConfig, { driver: 'postgres' }>
export type MysqlConfig = Extract<DbConfig, { driver: 'mysql' }>
export type FirestoreConfig = Extract<DbConfig, { driver: 'firestore' }>

export type RedisConfig = HubConfig['redis']
/** Where a Redis is and how a connection to it is made: one server; the one that sentinels name; or a cluster. */
export type RedisServer = OmitOfEach<RedisThrottleConfig, 'driver' | keyof ThrottleLimits>
export type RedisThrottleConfig = Extract<RedisConfig, { driver: 'redis' }>
type OmitOfEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type ThrottleLimits = Pick<
  RedisConfig,
  'maxFailures' | 'windowSeconds' | 'blockSeconds' | 'maxFailuresPerAddress'
>

export type LoggingConfig = HubConfig['logging']
/** How much of a client's address the log keeps: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
export type AddressPolicy = HubConfig['audit']['address']
export type WitnessConfig = NonNullable<HubConfig['audit']['witness']>
export type AuthorizationConfig = NonNullable<HubConfig['authorization']>
export type SignInConfig = NonNullable<HubConfig['signIn']>
export type SignInProviderConfig = SignInConfig['providers'][number]
export type WebhooksConfig = NonNullable<HubConfig['webhooks']>

/** Where images of avatars are kept. `place` is the bucket; with the driver `db`, where they may still be. */
export type ImageStorageConfig = HubConfig['storage']
/** A bucket of S3, or of what speaks as S3 does. */
export type BucketConfig = NonNullable<ImageStorageConfig['place']>

export type LlmConfig = NonNullable<HubConfig['llm']>
export type LlmEndpointConfig = LlmConfig['endpoints'][number]
export type LlmProviderConfig = NonNullable<LlmConfig['providers'][LlmProviderName]>
export type McpServerConfig = LlmConfig['mcp'][number]

// What schemas make by hand.

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

export type Header = readonly [name: string, value: string]

export type LlmProviderName = 'openai' | 'claude' | 'gemini'

export interface CatalogModel {
  readonly id: string
  readonly label: string
  /** One of those that the configuration has a place for, or the id of an endpoint. */
  readonly provider: string
  /** What the provider calls it, where that is not its id. */
  readonly model?: string | undefined
  /** The ids of models that stand in for it where it is not to be had. */
  readonly fallbacks?: readonly string[] | undefined
  /** The last UTC day on which its vendor serves it, `YYYY-MM-DD`; absent where no end is announced. */
  readonly until?: string
  /** Absent where nobody has said what it costs: what it uses is then told without money. */
  readonly price?: ModelPrice | undefined
}

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
}

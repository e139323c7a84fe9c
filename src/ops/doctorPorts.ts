import type { LlmProviderConfig, LlmProviderName, McpServerConfig, SignInProviderConfig } from '../config/types.js'
import type { Storage } from '../storage/storage.js'
import type { Mount } from './accessTimes.js'
import type { ProbePorts } from './probes.js'

/** A server whose certificate is to be looked at. `begins` is how one comes to TLS there. */
export interface TlsTarget {
  readonly what: string
  readonly host: string
  readonly port: number
  readonly begins: 'at once' | 'postgres' | 'mysql'
}

/** What is asked about the contents of the database, by a hub of itself too. */
export interface ContentPorts extends ProbePorts {
  storage(): Promise<Storage>
  now(): number
  /** How far the search index is, 0 while it is made; null where it is not known. */
  searchPosition(): Promise<number | null>
  isOpenToOthers(path: string): boolean
}

/** What `hub doctor` asks. Nothing here changes anything; each may throw what its other side does. */
export interface DoctorPorts extends ContentPorts {
  readonly configPath: string
  /** The configuration file as it is written, before anything in it is replaced. */
  configText(): string
  /** What a file lies on, or would lie on where it is not there yet; null where the system does not say. */
  mountOf(path: string): Promise<Mount | null>
  /** The status with which a provider answers who asks for its models. */
  askProvider(name: LlmProviderName, config: LlmProviderConfig): Promise<number>
  /** How many keys a provider of sign-in has, and how far its clock is ahead of this machine's. */
  askSignInProvider(config: SignInProviderConfig): Promise<{ readonly keys: number; readonly clock_ms: number }>
  /** How many tools a server offers. */
  askToolServer(config: McpServerConfig): Promise<number>
  /** How many chunks a documentation index holds. */
  readDocsIndex(path: string): Promise<number>
  tlsTargets(): readonly TlsTarget[]
  /** When the certificate of a server expires, in milliseconds. */
  certificateExpiry(target: TlsTarget): Promise<number>
}

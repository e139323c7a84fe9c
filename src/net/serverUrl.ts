import type { ServerConfig } from '../config/types.js'

/** True for an address that nobody but this machine reaches. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/i.test(host)
}

/** What this machine is called in URLs that programs on it are reached at (RFC 8252, 7.3). */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for what stands for every address of this machine. */
export function isWildcard(host: string): boolean {
  return /^(0\.0\.0\.0|[0:]+)$/.test(host)
}

/** The address to call on this machine: loopback where the server listens on all. */
export function serverUrl({ host, port }: Pick<ServerConfig, 'host' | 'port'>): string {
  const reachable = isWildcard(host) ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The address that people and their clients reach the hub at, as far as the configuration says: for links. */
export function publicUrl(server: Pick<ServerConfig, 'host' | 'port' | 'publicUrl'>): string {
  return server.publicUrl ?? serverUrl(server)
}

import type { ServerConfig } from './config/types.js'

/** The address to call on this machine: loopback where the server listens on all. */
export function serverUrl({ host, port }: Pick<ServerConfig, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || /^[0:]+$/.test(host) ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The address that people and their clients reach the hub at, as far as the configuration says: for links. */
export function publicUrl(server: Pick<ServerConfig, 'host' | 'port' | 'publicUrl'>): string {
  return server.publicUrl ?? serverUrl(server)
}

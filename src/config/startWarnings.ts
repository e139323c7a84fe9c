import { serverUrl } from '../serverUrl.js'
import { tlsWarnings } from './tlsWarnings.js'
import type { HubConfig, ServerConfig } from './types.js'

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i
const WILDCARD = /^(0\.0\.0\.0|[0:]+)$/

/** What a configuration that is valid would do and nobody may have meant: a sentence each, with what to write instead. */
export function startWarnings({ server, db, redis }: Pick<HubConfig, 'server' | 'db' | 'redis'>): readonly string[] {
  return [...linkWarnings(server), ...transportWarnings(server), ...tlsWarnings({ db, redis })]
}

function linkWarnings(server: ServerConfig): readonly string[] {
  const { host, publicUrl, trustedProxies } = server
  if (publicUrl !== undefined) return []
  const isReachedElsewhere = WILDCARD.test(host) || (LOOPBACK.test(host) && trustedProxies.length > 0)
  if (!isReachedElsewhere) return []
  return [
    `Invite links would name ${serverUrl(server)}, which only this machine reaches. Set server.publicUrl to the address that people use.`
  ]
}

function transportWarnings({ host, publicUrl, trustedProxies }: ServerConfig): readonly string[] {
  if (LOOPBACK.test(host) || trustedProxies.length > 0 || publicUrl?.startsWith('https:')) return []
  return [
    `Tokens go over plain HTTP to ${host}, where others can read them. Put a reverse proxy with TLS in front, list it under server.trustedProxies and set server.publicUrl to its https address; or listen on 127.0.0.1.`
  ]
}

import { isLoopback, isWildcard, serverUrl } from '../serverUrl.js'
import type { HubConfig, ServerConfig } from './types.js'

/** What a configuration that is valid would do and nobody may have meant: a sentence each, with what to write instead. */
export function startWarnings({ server, db, redis }: Pick<HubConfig, 'server' | 'db' | 'redis'>): readonly string[] {
  return [...linkWarnings(server), ...transportWarnings(server), ...tlsWarnings({ db, redis })]
}

function linkWarnings(server: ServerConfig): readonly string[] {
  const { host, publicUrl, trustedProxies } = server
  if (publicUrl !== undefined) return []
  const isReachedElsewhere = isWildcard(host) || (isLoopback(host) && trustedProxies.length > 0)
  if (!isReachedElsewhere) return []
  return [
    `Invite links would name ${serverUrl(server)}, which only this machine reaches. Set server.publicUrl to the address that people use.`
  ]
}

function transportWarnings({ host, publicUrl, trustedProxies }: ServerConfig): readonly string[] {
  if (isLoopback(host) || trustedProxies.length > 0 || publicUrl?.startsWith('https:')) return []
  return [
    `Tokens go over plain HTTP to ${host}, where others can read them. Put a reverse proxy with TLS in front, list it under server.trustedProxies and set server.publicUrl to its https address; or listen on 127.0.0.1.`
  ]
}

/** What is encrypted and goes to whoever answers: a sentence for each connection whose certificate is not verified. */
function tlsWarnings({ db, redis }: Pick<HubConfig, 'db' | 'redis'>): readonly string[] {
  const sections = [
    ['db', db, 'database'],
    ['redis', redis, 'Redis']
  ] as const
  return sections.flatMap(([section, config, server]) =>
    'tls' in config && config.tls?.rejectUnauthorized === false
      ? [
          `The connection to the ${server} is encrypted to whoever answers there (${section}.tls.rejectUnauthorized is false): passwords and records can be read and changed on the way. Name who signed its certificate in ${section}.tls.ca, and remove the key.`
        ]
      : []
  )
}

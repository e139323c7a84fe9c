import { isLoopback, isWildcard, serverUrl } from '../net/serverUrl.js'
import type { HubConfig } from './types.js'

/** What a configuration that is valid would do and nobody may have meant: a sentence each, with what to write instead. */
export function startWarnings({ server, db, redis }: Pick<HubConfig, 'server' | 'db' | 'redis'>): readonly string[] {
  const { host, publicUrl, trustedProxies } = server
  const isBehindProxy = trustedProxies.length > 0
  const warnings: string[] = []
  if (publicUrl === undefined && (isWildcard(host) || (isLoopback(host) && isBehindProxy)))
    warnings.push(
      `Invite links would name ${serverUrl(server)}, which only this machine reaches. Set server.publicUrl to the address that people use.`
    )
  if (!isLoopback(host) && !isBehindProxy && !publicUrl?.startsWith('https:'))
    warnings.push(
      `Tokens go over plain HTTP to ${host}, where others can read them. Put a reverse proxy with TLS in front, list it under server.trustedProxies and set server.publicUrl to its https address; or listen on 127.0.0.1.`
    )
  const connections = [
    ['db', db, 'database'],
    ['redis', redis, 'Redis']
  ] as const
  for (const [section, config, what] of connections)
    if ('tls' in config && config.tls?.rejectUnauthorized === false)
      warnings.push(
        `The connection to the ${what} is encrypted to whoever answers there (${section}.tls.rejectUnauthorized is false): passwords and records can be read and changed on the way. Name who signed its certificate in ${section}.tls.ca, and remove the key.`
      )
  return warnings
}

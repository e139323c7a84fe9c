import { serverUrl } from '../serverUrl.js'
import type { DbConfig, HubConfig, ServerConfig } from './types.js'

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i
/** Postgres takes 100 unless it is told otherwise, of which some are for its administrators and the command line. */
const CONNECTIONS_USUAL = 80
/** Beside those that read, one writes, and one keeps the search index. */
const CONNECTIONS_BESIDE = 2
const WILDCARD = /^(0\.0\.0\.0|[0:]+)$/

/** What a configuration that is valid would do and nobody may have meant: a sentence each, with what to write instead. */
export function startWarnings({ server, db }: Pick<HubConfig, 'server' | 'db'>): readonly string[] {
  return [...linkWarnings(server), ...transportWarnings(server), ...workerWarnings(server, db)]
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

function workerWarnings({ workers }: ServerConfig, db: DbConfig): readonly string[] {
  if (workers === 1 || db.driver === 'firestore') return []
  if (db.driver === 'sqlite')
    return [
      `${workers} workers share one SQLite file, in which one of them writes at a time: they answer more reads, and writes cost more than with one. Where much is written, choose Postgres or MySQL.`
    ]
  const connections = workers * (db.poolSize + CONNECTIONS_BESIDE)
  if (connections <= CONNECTIONS_USUAL) return []
  return [
    `${workers} workers open up to ${connections} connections to the database. See that it takes as many, or set db.poolSize lower.`
  ]
}

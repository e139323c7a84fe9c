import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { LIMITS } from '../limits.js'

/** What a client calls itself when it introduces itself, as the log keeps it. */
export interface AgentClient {
  readonly name: string
  readonly version: string
}

const SEAL_LENGTH = 22
// What a terminal or a page would obey, and what shows as nothing.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu

/** The name and version of a client, cut to `LIMITS.agentClient`; what nobody would see of them is shown as U+FFFD. */
export function clientNamed({ name, version }: AgentClient): AgentClient {
  return { name: bounded(name), version: bounded(version) }
}

function bounded(text: string): string {
  // A character has at most two units: more of the text is not looked at.
  const start = text
    .slice(0, 2 * LIMITS.agentClient.max)
    .toWellFormed()
    .replace(UNSEEN, '\uFFFD')
  return [...start].slice(0, LIMITS.agentClient.max).join('')
}

/**
 * The id of a session: who the client is, sealed with the hash of its token. It holds the whole session, so that it outlives the
 * process and the database, and serves at every instance. Whoever has the token could make another one, and so label calls of that
 * same token with another name, as by introducing itself with that name; nothing else depends on it.
 */
export function sessionId(client: AgentClient, tokenHash: string): string {
  const { name, version } = client
  const text = Buffer.from(JSON.stringify([name, version])).toString('base64url')
  return `${text}.${sealOf(text, tokenHash)}`
}

const content = z.tuple([z.string(), z.string()])

/** The client of a session with this token; null for what is no session of it. */
export function clientOf(id: string, tokenHash: string): AgentClient | null {
  const [text = '', seal = '', ...more] = id.split('.')
  const [given, expected] = [Buffer.from(seal), Buffer.from(sealOf(text, tokenHash))]
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [name, version] = content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  return { name, version }
}

function sealOf(text: string, tokenHash: string): string {
  return createHmac('sha256', tokenHash).update(`agent session ${text}`).digest('base64url').slice(0, SEAL_LENGTH)
}

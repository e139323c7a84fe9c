import { randomBytes } from 'node:crypto'
import { sha256 } from './log/chain.js'

/** A secret as it is shown once, with what may be kept of it: a prefix for display and the sha256. */
export interface Secret {
  readonly secret: string
  readonly prefix: string
  readonly hash: string
}

const PREFIX_LENGTH = 8

/** Draws a secret of 256 random bits: `hbk_` for API tokens, `hbi_` for invitations (sections 2 and 5). */
export function drawSecret(kind: 'hbk_' | 'hbi_'): Secret {
  const random = randomBytes(32).toString('base64url')
  const secret = kind + random
  return { secret, prefix: kind + random.slice(0, PREFIX_LENGTH), hash: sha256(secret) }
}

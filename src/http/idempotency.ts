import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { KeyedRequest } from '../../commands/log/idempotency/decide.js'
import { errors } from '../errors.js'
import { canonicalJson } from '../log/canonical.js'
import { sha256 } from '../log/chain.js'
import { pathOf } from './methods.js'

type Keyed = Pick<FastifyRequest, 'method' | 'url' | 'headers'>

/**
 * What is known of a POST with an `Idempotency-Key`: the key belongs to `owner`, the method and the path, and only hashes are
 * kept. The key is in the body's hash too, so that nobody can guess a body from it. Undefined without the header, 400 where
 * it is malformed.
 */
export function keyedRequest({ method, url, headers }: Keyed, owner: string, body: unknown): KeyedRequest | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw errors.keyMalformed()
  return {
    useId: randomUUID(),
    key: sha256(canonicalJson([owner, method, pathOf(url), key])),
    bodyHash: sha256(canonicalJson([key, body]))
  }
}

/** Refuses the header where it cannot be honoured: whoever sends it relies on it. */
export function requireNoKey({ headers }: Keyed): void {
  if (headers['idempotency-key'] !== undefined) throw errors.keyNotTaken()
}

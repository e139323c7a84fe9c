import { randomUUID } from 'node:crypto'
import type { TestHub } from './support.js'

/** Few enough to be reached in a test. */
export const LIMITS = { maxFailures: 3, windowSeconds: 60, blockSeconds: 30 }

/** Statuses of the same request, sent this often, one after the other. */
export async function statuses({ send }: TestHub, times: number, token?: string): Promise<readonly number[]> {
  const all = []
  for (let i = 0; i < times; i++) all.push((await send({ method: 'GET', path: '/auth/session', token })).status)
  return all
}

/** Makes a token of the administrator's out of a secret that may have failed before. */
export async function issue(
  { run, admin }: TestHub,
  { prefix, hash }: { prefix: string; hash: string }
): Promise<string> {
  const tokenId = randomUUID()
  await run({ type: 'CreateToken', userId: admin.id, name: 'late', tokenId, prefix, hash })
  return tokenId
}

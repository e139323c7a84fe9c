import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Client, Document } from './client.js'
import { Refused } from './errors.js'
import { LEASES } from './layout.js'
import { replacing } from './writes.js'

const LEASE_MS = 6000
const RENEWAL_MS = 1500
const POLL_MIN_MS = 50
const POLL_MAX_MS = 1000

/**
 * Runs `work` while no other process holds the lease of that name. A lease is a document that its holder renews; one that
 * was not renewed for six seconds belongs to a process that has ended. How long that is, is told by the server's clock
 * alone, so that no process's clock has to be right.
 */
export async function whileLeased<T>(client: Client, parent: string, name: string, work: () => Promise<T>): Promise<T> {
  const lease = `${parent}/${LEASES}/${name}`
  const holder = randomUUID()
  await take(client, lease, holder)
  const ended = new AbortController()
  const renewing = renew(client, lease, holder, ended.signal)
  try {
    return await work()
  } finally {
    ended.abort()
    await renewing
    await release(client, lease, holder)
  }
}

async function take(client: Client, lease: string, holder: string): Promise<void> {
  for (let pause_ms = POLL_MIN_MS; ; pause_ms = Math.min(2 * pause_ms, POLL_MAX_MS)) {
    const { documents, readTime } = await client.get([lease])
    const [held] = documents
    const isFree = !held || readTime.toMillis() - held.updateTime.toMillis() > LEASE_MS
    if (isFree && (await written(client, lease, holder, held))) return
    await setTimeout(pause_ms)
  }
}

/** Never rejects: a lease that could not be renewed is another's in the end, and what it is for can be repeated. */
async function renew(client: Client, lease: string, holder: string, signal: AbortSignal): Promise<void> {
  while (await setTimeout(RENEWAL_MS, true, { signal }).catch(() => false)) {
    try {
      const { documents } = await client.get([lease])
      const [held] = documents
      if (held?.fields.holder !== holder) return
      await written(client, lease, holder, held)
    } catch {
      // The next renewal may come in time.
    }
  }
}

/** True when the lease is the holder's now; false when somebody else has written it since `held`. */
async function written(client: Client, lease: string, holder: string, held: Document | undefined): Promise<boolean> {
  // Another value each time, or writing it would not be a change.
  const fields = { holder, renewal: randomUUID() }
  try {
    await client.commit([replacing(lease, fields, held)])
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Where it cannot be released it runs out. */
async function release(client: Client, lease: string, holder: string): Promise<void> {
  try {
    const { documents } = await client.get([lease])
    const [held] = documents
    if (held?.fields.holder === holder) {
      await client.commit([{ remove: lease, only: { lastUpdateTime: held.updateTime } }])
    }
  } catch {}
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { codec } from '../../commands/index.js'
import { chainEvents, emitChain } from '../../commands/log/chain/events.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../../commands/people/user/system.js'
import { withPositions } from '../ledger/sequencing.js'
import { makeKey } from '../lib/keyFile.js'
import { isSealedBy, keyIdOf, PLAIN, type Sealing } from '../log/chain.js'
import type { Head } from '../log/event.js'
import { guardedBy, type HeadGuard } from '../log/headGuard.js'
import { WHOLE_LOG } from '../storage/search.js'
import { type Storage, StorageUnavailable } from '../storage/storage.js'
import { readSealing, type SealKeyFiles } from './audit/sealKey.js'

const STREAM = 'audit-seal'
const ATTEMPTS_MAX = 100
const cause = { actorId: SYSTEM_ID, actorName: SYSTEM_NAME, tokenId: null, address: null, requestId: null }

/** The time of an event that is written behind a head. Throws `ClockRefused` where the clock cannot be right. */
export type TimeAfter = (head: Head) => number

/** The log cannot be continued with the keys that the configuration names; the message says what an operator can do. */
export class NotSealed extends Error {
  override readonly name = 'NotSealed'
}

/**
 * The sealing that a log has to be continued with, by the keys of a configuration. The first time, the key is made and the log
 * sealed with it from there on. A key that was there before and a log in which nothing is sealed do not go together: somebody
 * may have written the log anew, so it is sealed only when an operator says so. Throws `NotSealed`, `UnusableKey`, or what
 * `timeAfter` throws; then neither a key nor an event was written.
 */
export async function sealingFor(
  storage: Storage,
  { sealKeyFile: file }: SealKeyFiles,
  timeAfter: TimeAfter
): Promise<Sealing> {
  const head = await storage.head()
  const keyId = await announced(storage, head)
  if (file === undefined) {
    if (keyId === null) return PLAIN
    throw new NotSealed(`The log is sealed with the key ${keyId}. Name its file as audit.sealKeyFile.`)
  }
  if (keyId !== null) return requireSealed(head, readSealing(file), keyId)
  // Of processes that start together one makes the key and seals; the others find the log sealed.
  return storage.schema.exclusively(async () => {
    const inForce = await sealingInForce(storage, file)
    if (inForce) return inForce
    if (existsSync(file) && (await storage.head()).position > 0)
      throw new NotSealed(
        `The log is not sealed with the key in ${file}. If nobody has written the log anew, run \`hub audit seal\`: it is sealed from there on.`
      )
    return (await seal(storage, file, timeAfter)).sealing
  }, 'seal')
}

/** Seals a log that is not sealed yet with the key in a file, which is made where there is none. */
export async function seal(storage: Storage, file: string, timeAfter: TimeAfter) {
  // Before the key is made: one that no log is sealed with would be refused the next time.
  timeAfter(await storage.head())
  if (!existsSync(file)) makeKey(file)
  const sealing = readSealing(file)
  return { sealing, position: await changeSealing(storage, PLAIN, sealing, timeAfter) }
}

/**
 * The sealing in force, which has to be that of the key in the file; null where the log is not sealed. Throws `NotSealed`, or
 * `UnusableKey`.
 */
export async function sealingInForce(storage: Storage, file: string): Promise<Sealing | null> {
  const head = await storage.head()
  const keyId = await announced(storage, head)
  return keyId === null ? null : requireSealed(head, readSealing(file), keyId)
}

/**
 * A storage as the holder of a key sees it: every head is sealed before it is written, and one that is not sealed with the key is not
 * believed: whoever asks for it gets `StorageUnavailable`, so nothing is read or written after it.
 */
export function sealedWith(sealing: Sealing): HeadGuard {
  return {
    check(head) {
      if (!isSealedBy(sealing, head)) throw new StorageUnavailable(forgery(head, sealing))
    },
    // A head that was found to have no seal is continued by one that has none.
    ...(sealing.keyId !== null && { written: (head: Head) => sealedHead(head, sealing) })
  }
}

/**
 * Seals the chain from here on with another key, or with none: an event that is linked the way that was in force until now.
 * Whoever writes with the sealing before finds the head sealed with another one. Returns the event's position.
 */
export async function changeSealing(
  storage: Storage,
  before: Sealing,
  after: Sealing,
  timeAfter: TimeAfter
): Promise<number> {
  const source = guardedBy(storage, sealedWith(before))
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const head = await source.head()
    const { changes } = await lastAnnounced(storage)
    const event = emitChain('seal', 'ChainSealed', { keyId: after.keyId })
    const happening = { events: [event], cause, commandId: randomUUID(), now: timeAfter(head) }
    const events = withPositions(happening, head, codec, new Map([[STREAM, changes]]), before.link)
    const { position, chain, at } = events.at(-1) ?? head
    const next = sealedHead({ ...head, position, chain, at }, after)
    if ((await storage.commit({ after: head, events, ops: [], head: next })) === 'committed') return position
  }
  throw new StorageUnavailable('Other writers were faster every time.')
}

/** The key that was announced last, null for none, and how many announcements there are. */
async function lastAnnounced(storage: Storage) {
  const newest = await storage.searchLog({ streams: [STREAM] }, WHOLE_LOG, 1, true)
  const [last] = await storage.readAt(newest.map(({ position }) => position))
  const data = last?.payload.text
    ? chainEvents.ChainSealed.data.parse(codec.decode(last.type, last.schema, last.payload.text))
    : null
  return { keyId: data?.keyId ?? null, changes: last?.version ?? 0 }
}

/** A head as it is written under a sealing. */
export function sealedHead({ seal: _, ...head }: Head, sealing: Sealing): Head {
  const seal = sealing.sealHead(head)
  return seal === undefined ? head : { ...head, seal }
}

/** The id of the key that the log says it is sealed with; null for none. */
async function announced(storage: Storage, head: Head): Promise<string | null> {
  return keyIdOf(head) ?? (await lastAnnounced(storage)).keyId
}

function requireSealed(head: Head, sealing: Sealing, keyId: string): Sealing {
  if (keyId !== sealing.keyId)
    throw new NotSealed(
      `The log is sealed with the key ${keyId}, and audit.sealKeyFile is the key ${sealing.keyId}. Name the file of the other one.`
    )
  if (!isSealedBy(sealing, head)) throw new NotSealed(forgery(head, sealing))
  return sealing
}

function forgery(head: Head, { keyId }: Sealing): string {
  const sealed = keyIdOf(head)
  if (sealed !== keyId && sealed !== null)
    return keyId === null
      ? `The log is sealed with the key ${sealed}. Name its file as audit.sealKeyFile.`
      : `The log is sealed with the key ${sealed}, and not with ${keyId} any more. Name its file as audit.sealKeyFile.`
  return `The end of the log, position ${head.position}, is not sealed with the key ${keyId}: somebody without the key has written the database. Run \`hub audit verify\`.`
}

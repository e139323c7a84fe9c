import { LIMITS } from '../limits.js'
import type { KnownHeads } from '../log/knownHeads.js'
import { senderOf } from '../net/address.js'
import type { ExpiringTexts } from './expiringTexts.js'
import type { Tickets } from './tickets.js'

export interface ThrottlePolicy {
  /** The failure that reaches this number within the window blocks the key; at least 1. */
  readonly maxFailures: number
  /** From the first failure on; at least 1. */
  readonly windowSeconds: number
  /** From the failure that blocks on; at least 1. */
  readonly blockSeconds: number
}

export interface ThrottleState {
  readonly blocked: boolean
  /** Failures in the window that is open now; 0 when there is none. */
  readonly failures: number
}

/** A key, and how many failures it takes. */
export interface Counter {
  readonly key: string
  readonly policy: ThrottlePolicy
}

/** What became of a failure. */
export interface Failure {
  /** True where one of its keys was blocked: then it is counted nowhere. */
  readonly refused: boolean
  /** The keys whose last allowed failure it was: they are blocked from now on. */
  readonly blocks: readonly string[]
  /** How many failures each key has now, in the order in which the keys were given; none where it was refused. */
  readonly counts: readonly number[]
}

/**
 * Counts failed authentications per key and blocks a key that has too many. Every method rejects with
 * `ThrottleUnavailable` when the store does not answer at once, so that its callers can refuse instead of guess.
 */
export interface Throttle {
  /** Reads the key's state in one round trip. */
  check(key: string): Promise<ThrottleState>
  /**
   * Counts one failure under each of these keys and blocks those that have reached their limit; where one of them is blocked
   * already it counts nothing. All of it is one step of the store: of failures that arrive together, exactly as many are
   * counted as the limit allows, and each block is begun by exactly one of them.
   */
  fail(counters: readonly Counter[]): Promise<Failure>
  /**
   * The keys that are blocked now and wanted, by default all, in no order, so many at most; where there are more, which of them is
   * up to the store.
   */
  blocks(max: number, isWanted?: (key: string) => boolean): Promise<readonly Block[]>
  /** Forgets the failures and the block of the key. */
  clear(key: string): Promise<void>
  /** Tickets, which the same store keeps. */
  readonly tickets: Tickets
  /** What is on its way between two requests, which the same store keeps. */
  readonly texts: ExpiringTexts
  /** How far logs have come, which whoever shares the store knows. */
  readonly heads: KnownHeads
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** Lets go of the store. Later calls of the other methods may reject. */
  close(): Promise<void>
}

/** A throttle that counts who was turned away, and the blocks that began, since it was made. */
export interface CountedThrottle extends Throttle {
  /** Is told of everybody who is refused because they are blocked. */
  turnedAway(kind: FailuresWith): void
  readonly counts: Readonly<Record<'refused' | 'blocks', Readonly<Record<FailuresWith, number>>>>
}

/** A key that is blocked, and for how long it still is. */
export interface Block {
  readonly key: string
  readonly seconds: number
}

/** The throttle store did not do what it was asked. `cause` says why. */
export class ThrottleUnavailable extends Error {
  override readonly name = 'ThrottleUnavailable'
}

/** The key that counts failures of one secret from one address. The secret itself never becomes part of it, its hash does. */
export function throttleKey(address: string, secretSha256: string | null): string {
  return `${address}:${secretSha256 ?? 'none'}`
}

/** The key that counts failures from one sender, whatever secret was tried: guesses that change every time meet it. */
export function throttleKeyOfAddress(address: string): string {
  return `${senderOf(address)}:any`
}

/** The key that counts invitation secrets tried by one sender. */
export function throttleKeyOfInvitations(address: string): string {
  return `${senderOf(address)}:invitation`
}

/** Stands between the name of a tenant and its keys: in neither of them it can be. */
export const BEHIND_TENANT = '@'
const EVERYBODY = `*${BEHIND_TENANT}`

/** The key that counts failures from one sender at whatever tenant, there or not. */
export function throttleKeyOfTenants(address: string): string {
  return EVERYBODY + throttleKeyOfAddress(address)
}

/** True for a key that is the same for all tenants. */
export function isOfEverybody(key: string): boolean {
  return key.startsWith(EVERYBODY)
}

/** What failures a key counts: those with one secret, those with whatever secret, or those with invitations. */
export type FailuresWith = 'oneSecret' | 'anySecret' | 'invitations'

/** A block as people are told of it. `address` is a network where everybody in it is blocked together (IPv6, /64). */
export interface BlockedAddress {
  readonly address: string
  readonly failuresWith: FailuresWith
  readonly seconds: number
}

/** Who is blocked now, by address. Of more than 10,000 some are left out. */
export async function blockedAddresses(throttle: Throttle): Promise<readonly BlockedAddress[]> {
  const blocks = await throttle.blocks(LIMITS.throttleBlocks.max, (key) => !isOfTenant(key))
  return blocks
    .map(({ key, seconds }) => ({ ...partsOf(key), seconds }))
    .sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : a.seconds - b.seconds))
}

/** Lets an address, or with null everybody, try again at once. Returns how many blocks there were. */
export async function unblock(throttle: Throttle, address: string | null): Promise<number> {
  const blocks = await throttle.blocks(LIMITS.throttleBlocks.max, (key) => {
    if (isOfTenant(key)) return false
    const { address: blocked } = partsOf(key)
    return address === null || blocked === address || blocked === senderOf(address)
  })
  for (const { key } of blocks) await throttle.clear(key)
  return blocks.length
}

/** What failures a key counts. */
export function failuresWith(key: string): FailuresWith {
  return partsOf(key).failuresWith
}

/** What a tenant is blocked for is told to its own administrators. */
function isOfTenant(key: string): boolean {
  return !isOfEverybody(key) && key.includes(BEHIND_TENANT)
}

function partsOf(key: string): { readonly address: string; readonly failuresWith: FailuresWith } {
  const end = key.lastIndexOf(':')
  const counted = key.slice(end + 1)
  const failuresWith = counted === 'any' ? 'anySecret' : counted === 'invitation' ? 'invitations' : 'oneSecret'
  const start = isOfEverybody(key) ? EVERYBODY.length : 0
  return { address: key.slice(start, end), failuresWith }
}

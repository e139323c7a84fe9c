import { senderOf } from '../address.js'

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
  /** Forgets the failures and the block of the key. */
  clear(key: string): Promise<void>
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** Lets go of the store. Later calls of the other methods may reject. */
  close(): Promise<void>
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

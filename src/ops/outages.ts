import { Superseded } from '../ledger/release.js'
import { HeadWentBack } from '../log/wentBack.js'
import { BlobsUnavailable, StorageUnavailable } from '../storage/storage.js'
import { ThrottleUnavailable } from '../throttle/throttle.js'

/** What requests can be refused for, by the name of its check. */
export type Supply = 'db' | 'redis' | 'images'

/** Where outages are told; a pino logger is one. */
export interface OutageLog {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

interface Outage {
  readonly since_ms: number
  readonly timer: NodeJS.Timeout
  refused: number
  /** How many were refused when it was last looked. */
  seen: number
}

const LOOK_EVERY_MS = 1000

const TEXTS: Readonly<Record<Supply, { readonly begun: string; readonly over: string }>> = {
  db: { begun: 'the database does not answer: requests are refused', over: 'the database answers again' },
  redis: {
    begun: 'the throttle store does not answer: requests are refused',
    over: 'the throttle store answers again'
  },
  images: {
    begun: 'the object storage cannot be used: images are neither sent nor taken',
    over: 'the object storage answers again'
  }
}

/**
 * Tells of an outage once when it begins and once when it is over, with how long it took and how many requests it refused. It is
 * over when `isBack` says so and nobody was refused meanwhile, which is looked at once a second.
 */
export class Outages {
  readonly #log: OutageLog
  readonly #isBack: (supply: Supply) => Promise<boolean>
  readonly #every_ms: number
  readonly #open = new Map<Supply, Outage>()

  constructor(log: OutageLog, isBack: (supply: Supply) => Promise<boolean>, every_ms = LOOK_EVERY_MS) {
    this.#log = log
    this.#isBack = isBack
    this.#every_ms = every_ms
  }

  /** Counts a refused request. False where the error is no outage, and something else has to tell of it. */
  takes(error: unknown): boolean {
    // Whoever is superseded, or has a log that went back, has said so, once and for all.
    if (error instanceof Superseded || error instanceof HeadWentBack) return true
    const supply = supplyOf(error)
    if (supply === null) return false
    const outage = this.#open.get(supply) ?? this.#begin(supply, error)
    outage.refused++
    return true
  }

  /** Looks no more. */
  stop(): void {
    for (const { timer } of this.#open.values()) clearInterval(timer)
    this.#open.clear()
  }

  #begin(supply: Supply, err: unknown): Outage {
    this.#log.error({ err }, TEXTS[supply].begun)
    const timer = setInterval(() => void this.#look(supply, outage), this.#every_ms).unref()
    const outage: Outage = { since_ms: performance.now(), timer, refused: 0, seen: 0 }
    this.#open.set(supply, outage)
    return outage
  }

  async #look(supply: Supply, outage: Outage): Promise<void> {
    const isQuiet = outage.seen === outage.refused
    outage.seen = outage.refused
    if (!isQuiet || !(await this.#isBack(supply)) || outage.seen !== outage.refused) return
    if (this.#open.get(supply) !== outage) return
    clearInterval(outage.timer)
    this.#open.delete(supply)
    const seconds = Math.round((performance.now() - outage.since_ms) / 100) / 10
    this.#log.warn({ seconds, requests: outage.refused }, TEXTS[supply].over)
  }
}

function supplyOf(error: unknown): Supply | null {
  if (error instanceof StorageUnavailable) return 'db'
  if (error instanceof BlobsUnavailable) return 'images'
  return error instanceof ThrottleUnavailable ? 'redis' : null
}

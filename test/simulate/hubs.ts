import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import type { Storage } from '../../src/storage/storage.js'
import { counted } from '../../src/throttle/counted.js'
import { type CountedThrottle, type Throttle, ThrottleUnavailable } from '../../src/throttle/throttle.js'
import type { Database } from './database.js'
import type { Faults } from './faults.js'
import { type Owner, ownerOf, type Scheduler } from './scheduler.js'

/** A hub's process while it runs. */
export interface OpenHub {
  readonly owner: Owner
  readonly ledger: OpenLedger
  readonly throttle: CountedThrottle
}

/** Nobody answers any more: what was asked may have been done or not. */
export class Unanswered extends Error {
  constructor(
    text: string,
    /** True where the hub is there and has had all the time that it needs. */
    readonly isLate = false
  ) {
    super(text)
  }
}

const ANSWER_WAIT_MS = 60_000
const RESTART_PAUSE_MS = 100

/** What a place for hubs works with. */
interface Ports {
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly database: Database
  readonly throttle: Throttle
  /** What is wrong with the storage of the hubs. */
  readonly broken: (storage: Storage) => Storage
  /** Is told of each hub that serves. */
  readonly opened: (hub: OpenHub) => void
}

/** Where hubs run, one after another: what is sent here reaches the one of the moment. */
export class HubPlace {
  readonly name: string
  readonly #ports: Ports
  #owner: Owner
  #open: OpenHub | null = null
  /** What the hub has been asked and has not answered, and how to tell that it never will. */
  readonly #asked = new Set<() => void>()
  #count = 0

  constructor(name: string, ports: Ports) {
    this.name = name
    this.#ports = ports
    this.#owner = ownerOf(name)
    this.start()
  }

  get owner(): Owner {
    return this.#owner
  }

  /** Starts a hub; where the database is not there, again and again. */
  start(): void {
    this.#owner = { ...ownerOf(`${this.name}.${++this.#count}`), skew_ms: this.#owner.skew_ms }
    this.#try(this.#owner)
  }

  /** The process is gone in the middle of whatever it does, and everything that it waits for never comes. */
  kill(): void {
    this.#owner.isDead = true
    this.#open = null
    this.#ports.database.forget(this.#owner)
    for (const tell of [...this.#asked]) tell()
  }

  /** Sends a request to the hub and waits for its answer. Rejects with `Unanswered` where there will be none. */
  ask<T>(from: Owner, name: string, work: (hub: OpenHub) => Promise<T>): Promise<T> {
    const { scheduler } = this.#ports
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Unanswered('There is no answer.', true))
      const late = scheduler.at(from, ANSWER_WAIT_MS, `${name}: no answer`, giveUp)
      const settle = (done: () => void) => {
        this.#asked.delete(never)
        late.isCancelled = true
        scheduler.at(from, this.#ports.faults.delay(), `${name}: answered`, done)
      }
      const never = () => settle(() => reject(new Unanswered('The connection is gone.')))
      scheduler.at(from, this.#ports.faults.delay(), `${name} to ${this.name}`, () => {
        const hub = this.#open
        if (!hub) return never()
        this.#asked.add(never)
        scheduler.at(hub.owner, 0, name, () => {
          work(hub).then(
            (value) => hub.owner.isDead || settle(() => resolve(value)),
            (error: unknown) => hub.owner.isDead || settle(() => reject(error))
          )
        })
      })
    })
  }

  #try(owner: Owner): void {
    this.#ports.scheduler.at(owner, this.#ports.faults.delay(), 'starts', () => {
      const now = () => Math.floor(this.#ports.scheduler.elapsed_ms + EPOCH_MS + owner.skew_ms)
      openLedger(this.#ports.broken(this.#ports.database.connect(owner)), () => null, undefined, now).then(
        (ledger) => {
          this.#open = { owner, ledger, throttle: counted(this.#throttleFor(owner)) }
          this.#ports.opened(this.#open)
        },
        () => this.#ports.scheduler.at(owner, RESTART_PAUSE_MS, 'tries again', () => this.#try(owner))
      )
    })
  }

  /** The store that all hubs share, as this one reaches it. */
  #throttleFor(owner: Owner): Throttle {
    const asked =
      <A extends readonly unknown[], R>(name: string, ask: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        new Promise((resolve, reject) => {
          const isAway = this.#ports.faults.happens('unthrottled')
          const settle = () =>
            isAway ? reject(new ThrottleUnavailable('The store is gone.')) : ask(...args).then(resolve, reject)
          this.#ports.scheduler.at(owner, this.#ports.faults.delay(), name, settle)
        })
    const { check, fail, clear } = this.#ports.throttle
    return {
      ...this.#ports.throttle,
      check: asked('check', check),
      fail: asked('fail', fail),
      clear: asked('clear', clear)
    }
  }
}

/** When runs begin, by their own clocks: in the middle of a month, since budgets are of months. */
export const EPOCH_MS = Date.UTC(2030, 5, 15)

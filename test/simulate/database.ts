import type { Head } from '../../src/log/event.js'
import { type Commit, type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import type { Faults } from './faults.js'
import { type Owner, ownerOf, type Scheduler } from './scheduler.js'

/** A transaction that has the lock of the head, or waits for it. */
interface Session {
  readonly owner: Owner
  grant: (head: Promise<Head>) => void
  refuse: (error: Error) => void
  /** True once nobody waits for it any more. */
  isOver: boolean
  /** True from when its commit is on its way: that, and nothing before it, ends the session. */
  isEnding: boolean
}

type Write = Parameters<Storage['write']>[0]

const LOCK_WAIT_MS = 3000
const OVER = new StorageUnavailable('The transaction is over.')

/** The lock of the head: one session has it, the others wait in their order. */
class HeadLock {
  readonly #storage: Storage
  readonly #waiting: Session[] = []
  holder: Session | null = null

  constructor(storage: Storage) {
    this.#storage = storage
  }

  get sessions(): readonly Session[] {
    return this.holder ? [this.holder, ...this.#waiting] : this.#waiting
  }

  take(session: Session): void {
    if (this.holder) this.#waiting.push(session)
    else this.#grant(session)
  }

  release(session: Session): void {
    const at = this.#waiting.indexOf(session)
    if (at >= 0) this.#waiting.splice(at, 1)
    session.refuse(OVER)
    if (this.holder !== session) return
    this.holder = null
    const next = this.#waiting.shift()
    if (next) this.#grant(next)
  }

  #grant(session: Session): void {
    this.holder = session
    session.grant(this.#storage.head())
  }
}

/** One database for all hubs, on a storage in memory: every question and every answer takes its time, and may be lost. */
export class Database {
  readonly #owner = ownerOf('database')
  readonly #storage: Storage
  readonly #scheduler: Scheduler
  readonly #faults: Faults
  readonly #lock: HeadLock
  /** What is being asked, by who asks, and how to let them know that the connection is gone. */
  readonly #asking = new Map<Owner, Set<() => void>>()
  isAway = false
  isFull = false
  /** True for a database that lets everybody write at once, whatever the log ends with: a planted defect. */
  hasNoLock = false

  constructor(storage: Storage, scheduler: Scheduler, faults: Faults) {
    this.#storage = storage
    this.#scheduler = scheduler
    this.#faults = faults
    this.#lock = new HeadLock(storage)
  }

  /** The database as one hub reaches it. */
  connect(owner: Owner): Storage {
    const real = this.#storage
    const { pool, documents, schema } = real
    const over = <T extends object>(asked: T): T =>
      new Proxy(asked, {
        get: (_, name) => {
          const ask: unknown = Reflect.get(asked, name)
          if (typeof ask !== 'function') return ask
          return (...args: readonly unknown[]) => this.#trip(owner, String(name), () => Reflect.apply(ask, asked, args))
        }
      })
    return {
      ...over(real),
      ...{ pool, documents, schema },
      write: (decide) => this.#write(owner, decide),
      state: over(real.state),
      rows: (generation) => over(real.rows(generation))
    }
  }

  /** All connections of a hub break: what it waits for is gone, whether it happens or not. */
  tear(owner: Owner): void {
    for (const cut of [...(this.#asking.get(owner) ?? [])]) cut()
  }

  /** The database finds that a hub is not there any more. */
  forget(owner: Owner): void {
    this.#asking.delete(owner)
    for (const session of this.#lock.sessions) if (session.owner === owner) this.#rollBack(session)
  }

  /** A question on its way to the database and the answer on its way back. `lost` is done where it never arrives. */
  #trip<T>(owner: Owner, name: string, work: () => Promise<T>, lost = () => {}): Promise<T> {
    return new Promise((resolve, reject) => {
      if (owner.isDead) return
      const faults = this.#faults
      const scheduler = this.#scheduler
      const asking = this.#asking.get(owner) ?? new Set()
      this.#asking.set(owner, asking)
      const fail = () => reject(new StorageUnavailable('The connection to the database is gone.'))
      const cut = () => void scheduler.at(owner, faults.delay(), `${name}: torn`, fail)
      asking.add(cut)
      const answer = (settle: () => void) => {
        const delay_ms = faults.happens('late') ? faults.lateDelay() : faults.delay()
        asking.delete(cut)
        scheduler.at(owner, delay_ms, `${name}: answered`, settle)
      }
      const isOverdue = faults.happens('overdue')
      if (isOverdue) cut()
      scheduler.at(this.#owner, isOverdue ? faults.lateDelay() : faults.delay(), `${name} of ${owner.name}`, () => {
        if (this.isAway || faults.happens('unsent')) {
          lost()
          return answer(fail)
        }
        work().then(
          (value) => answer(faults.happens('unanswered') ? fail : () => resolve(value)),
          (error: unknown) => answer(() => reject(error))
        )
      })
    })
  }

  async #write(owner: Owner, decide: Write): Promise<'committed' | 'stale'> {
    const session: Session = { owner, grant: () => {}, refuse: () => {}, isOver: false, isEnding: false }
    try {
      const head = await this.#trip(owner, 'lock', () => this.#begin(session))
      const commit = await decide(head)
      session.isEnding = true
      const end = () => this.#end(session, commit)
      return await this.#trip(owner, commit ? 'commit' : 'end', end, () => this.#rollBack(session))
    } finally {
      session.isOver = true
      if (!session.isEnding) this.#rollBack(session)
    }
  }

  #begin(session: Session): Promise<Head> {
    if (this.hasNoLock) return this.#storage.head()
    return new Promise((resolve, reject) => {
      if (session.isOver || session.owner.isDead) return reject(OVER)
      session.grant = resolve
      session.refuse = reject
      this.#lock.take(session)
      if (this.#lock.holder === session) return
      const giveUp = () => {
        if (this.#lock.holder !== session) this.#lock.release(session)
      }
      this.#scheduler.at(this.#owner, LOCK_WAIT_MS, 'waited long for the lock', giveUp)
    })
  }

  #rollBack(session: Session): void {
    this.#scheduler.at(this.#owner, this.#faults.delay(), `roll back ${session.owner.name}`, () => {
      this.#lock.release(session)
    })
  }

  async #end(session: Session, commit: Omit<Commit, 'switch'> | null): Promise<'committed' | 'stale'> {
    if (this.hasNoLock)
      return commit ? this.#storage.commit({ ...commit, after: await this.#storage.head() }) : 'committed'
    if (this.#lock.holder !== session) throw OVER
    try {
      if (this.isFull) throw new StorageUnavailable('The disk is full.')
      return commit ? await this.#storage.commit(commit) : 'committed'
    } finally {
      this.#lock.release(session)
    }
  }
}

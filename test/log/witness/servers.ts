import type { Absence, WitnessStore } from '../../../src/log/witness.js'
import { TRUST_MS } from '../../../src/log/witness.js'
import type { Turns } from './turns.js'

interface Entry {
  readonly value: number
  readonly until: number
}

/** A server of a store as Redis is one: what it keeps is lost or replaced by what another has, and its clock is set. */
export class Server {
  readonly #turns: Turns
  #run = ''
  #isMaster = true
  #entries = new Map<string, Entry>()
  #saved = new Map<string, Entry>()
  #skew = 0

  /** Where its clock stands still nothing of it ever goes by itself. */
  constructor(
    turns: Turns,
    readonly isStill: boolean
  ) {
    this.#turns = turns
    this.#run = this.#drawn()
  }

  /** Who says what it says: another one whenever it begins to speak for itself. */
  get self(): string {
    return this.#isMaster ? this.#run : ''
  }

  get time(): number {
    return (this.isStill ? 0 : this.#turns.now) + this.#skew
  }

  get(key: string): number | null {
    const entry = this.#entries.get(key)
    return entry && entry.until > this.time ? entry.value : null
  }

  set(key: string, value: number, until: number): void {
    this.#entries.set(key, { value, until })
  }

  /** Replaces what is there; nothing where it is gone. */
  change(key: string, change: (entry: Entry) => Entry): void {
    const entry = this.#entries.get(key)
    if (entry && entry.until > this.time) this.#entries.set(key, change(entry))
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  save(): void {
    this.#saved = new Map(this.#entries)
  }

  setClock(by: number): void {
    this.#skew += by
  }

  flush(): void {
    this.#entries.clear()
  }

  /** Starts anew, with what it saved last. */
  restart(): void {
    this.#entries = new Map(this.#saved)
    this.#isMaster = true
    this.#run = this.#drawn()
  }

  /** Follows another server: what it has is what that one saved last. */
  follow(master: Server): void {
    this.#isMaster = false
    this.#run = master.#run
    this.#entries = new Map(master.#saved)
  }

  /** Speaks for itself again. */
  promote(): void {
    if (this.#isMaster) return
    this.#isMaster = true
    this.#run = this.#drawn()
  }

  #drawn(): string {
    return `${this.#turns.below(2 ** 40)}`
  }
}

const NEVER = () => new Error('The store does not answer.')

/** The witnesses of the server that a process is connected to when it asks. */
export function witnessesOn(turns: Turns, server: () => Server, isAlive: () => boolean): WitnessStore {
  const trip = <T>(happen: (at: Server) => T) => {
    const at = server()
    return turns.trip(() => happen(at), isAlive, NEVER)
  }
  const own = <T>(witness: string, happen: (at: Server, key: string) => T) =>
    trip((at): T | 'elsewhere' => {
      const [self = '', key = ''] = witness.split('/')
      return at.self === self ? happen(at, key) : 'elsewhere'
    })
  return {
    begin: (position) => {
      const key = `w${turns.below(2 ** 40)}`
      return trip((at) => {
        if (at.self === '') return null
        at.set(key, position, at.time + TRUST_MS)
        return `${at.self}/${key}`
      })
    },
    announce: (witness, position) =>
      own(witness, (at, key): 'announced' | Absence => {
        if (at.get(key) === null) return 'gone'
        at.change(key, ({ value, until }) => ({ value: Math.max(value, position), until }))
        return 'announced'
      }),
    ask: (witness) =>
      own(witness, (at, key) => {
        const highest = at.get(key)
        return highest === null ? ('gone' as const) : { highest, time: at.time }
      }),
    async extend(witness, time) {
      await own(witness, (at, key) => at.change(key, ({ value, until }) => ({ value, until: Math.max(until, time) })))
    },
    end: (witness) =>
      own(witness, (at, key) => {
        at.delete(key)
        return 'gone' as const
      })
  }
}

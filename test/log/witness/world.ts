import type { Head } from '../../../src/log/event.js'
import { Proof } from '../../../src/log/proof.js'
import { type HeadStorage, type WitnessClock, withWitness } from '../../../src/log/witness.js'
import { type Commit, StorageUnavailable } from '../../../src/storage/storage.js'
import { commitAfter } from '../../contract/commits.js'
import { Server, witnessesOn } from './servers.js'
import { Turns } from './turns.js'

const GENESIS: Head = { position: 0, chain: '', at: '', generation: 1, writtenUnder: '1' }
const AWAY = () => new StorageUnavailable('The database does not answer.')
/** How a process reaches the store of witnesses, if it does. */
type Reach = 'serves' | 'writes' | 'none'

/** Processes of a hub on one log, with stores of witnesses that lose what they know; whatever can happen does at some moment. */
export class World {
  readonly turns: Turns
  readonly servers: readonly Server[]
  readonly processes: Process[] = []
  readonly seen = { proofs: 0, looks: 0, commits: 0, announced: 0, left: 0, named: 0 }
  readonly troubles: string[] = []
  head = GENESIS
  /** The release that nobody may be told of an earlier one any more. */
  release = '1'

  constructor(seed: number) {
    this.turns = new Turns(seed)
    const isStill = this.turns.chance(0.5)
    this.servers = Array.from({ length: 3 }, () => new Server(this.turns, isStill))
    for (const reach of ['serves', 'serves', 'serves', 'none'] as const) this.start(reach)
  }

  start(reach: Reach): void {
    this.processes.push(new Process(this, reach))
  }

  /** The database as a process has it. */
  database(isAlive: () => boolean): HeadStorage {
    const trip = <T>(happen: () => T) => this.turns.trip(happen, isAlive, AWAY)
    return {
      head: () => trip(() => this.head),
      commit: (commit) => trip(() => this.#commit(commit)),
      schema: {
        writeUnder: (writtenUnder) =>
          trip(() => {
            this.head = { ...this.head, writtenUnder }
          })
      }
    }
  }

  #commit({ after, head, events }: Commit): 'committed' | 'stale' {
    const isSame = after.position === this.head.position && after.chain === this.head.chain
    if (!isSame || after.writtenUnder !== this.head.writtenUnder || after.witness !== this.head.witness) return 'stale'
    if (events.length === 0 && head.witness?.startsWith('leaving') !== true) this.seen.named++
    if (events.length > 0) {
      this.seen.commits++
      if (head.witness !== undefined) this.seen.announced++
      else if (after.witness !== undefined) this.seen.left++
    }
    this.head = head
    return 'committed'
  }

  /** Something happens that nobody has asked for. */
  disturb(): void {
    const { turns, servers } = this
    const [one, other] = [turns.pick(servers), turns.pick(servers)]
    const happenings: readonly (() => void)[] = [
      () => one.restart(),
      () => one.promote(),
      () => one !== other && one.follow(other),
      () => {
        // What was promoted has what it was sent until then; who it followed is a follower now, or does not know yet.
        if (one === other) return
        other.follow(one)
        other.promote()
        if (turns.chance(0.5)) one.follow(other)
      },
      () => turns.chance(0.3) && one.flush(),
      () => one.setClock(turns.below(8000) - 4000),
      () => turns.pick(this.processes).connect(one),
      () => turns.pick(this.processes).connect(one),
      () => this.#replace(turns.pick(this.processes)),
      () => this.start(turns.pick(['writes', 'none'])),
      () => turns.chance(0.1) && this.#upgrade()
    ]
    turns.pick(happenings)()
  }

  #replace(process: Process): void {
    process.isAlive = false
    this.processes.splice(this.processes.indexOf(process), 1)
    this.start(process.reach)
  }

  #upgrade(): void {
    const release = `${Number(this.head.writtenUnder) + 1}`
    const [process] = this.processes.filter(({ reach }) => reach !== 'serves')
    void process?.storage.schema
      .writeUnder(release)
      .then(() => {
        this.release = release
      })
      .catch(() => {})
  }
}

/** A process: what it reads must be as new as the log when it began to read. */
class Process {
  readonly reach: Reach
  readonly storage: HeadStorage
  readonly #world: World
  readonly #proof: Proof | null
  readonly #release: string | undefined
  #server: Server
  #head: Head = GENESIS
  isAlive = true

  constructor(world: World, reach: Reach) {
    const { turns } = world
    this.#world = world
    this.reach = reach
    this.#release = world.head.writtenUnder
    const [first] = world.servers
    this.#server = first && turns.chance(0.8) ? first : turns.pick(world.servers)
    const isAlive = () => this.isAlive
    // Clocks run at speeds that differ by less than a tenth, and begin anywhere.
    const [speed, begin] = [0.96 + turns.below(80) / 1000, turns.below(1e6)]
    const now = () => begin + turns.now * speed
    const clock: WitnessClock = {
      now,
      wait: (ms) => new Promise((resolve) => turns.at(turns.now + ms / speed, () => isAlive() && resolve(null)))
    }
    const witnesses = witnessesOn(turns, () => this.#server, isAlive)
    const store = async () => (reach === 'none' ? null : witnesses)
    const storage = withWitness(world.database(isAlive), store, clock)
    const head = async () => {
      const seen = await storage.head()
      if (seen.writtenUnder !== this.#release) throw new Error('Another release has taken over.')
      return seen
    }
    this.storage = { ...storage, head }
    this.#proof = reach === 'serves' ? new Proof(this.storage, () => witnesses, now) : null
    const loops = reach === 'serves' ? [this.#reads, this.#reads, this.#reads, this.#writes] : [this.#writes]
    for (const loop of loops) turns.soon(() => void loop(clock))
  }

  connect(server: Server): void {
    this.#server = server
  }

  readonly #reads = async ({ wait }: WitnessClock): Promise<void> => {
    const { turns, seen, troubles } = this.#world
    while (this.isAlive) {
      const [position, release] = [this.#world.head.position, this.#world.release]
      const known = this.#head
      if (await this.#proof?.proves(known)) {
        seen.proofs++
        if (known.position < position) troubles.push(`at ${turns.now} ${known.position} is no ${position}`)
        if (Number(this.#release) < Number(release))
          troubles.push(`at ${turns.now} release ${this.#release} was served`)
      } else if (!(await this.#looks())) return this.#leave()
      await wait(turns.below(20))
    }
  }

  readonly #writes = async ({ wait }: WitnessClock): Promise<void> => {
    const { turns } = this.#world
    while (this.isAlive) {
      await wait(turns.below(this.reach === 'serves' ? 1500 : 5000))
      if (!(await this.#looks())) return this.#leave()
      const parts = Array.from({ length: 1 + turns.below(3) }, () => ({}))
      const commit = commitAfter(this.#head, parts)
      const outcome = await this.storage.commit(commit).catch(() => 'unknown')
      if (outcome === 'committed') this.#take(commit.head)
      if (this.reach !== 'serves' && turns.chance(0.3)) return this.#leave()
    }
  }

  /** False where another release has taken over. */
  async #looks(): Promise<boolean> {
    this.#world.seen.looks++
    const look = this.#proof?.look()
    try {
      const head = await this.storage.head()
      if (look) this.#proof?.saw(head, look)
      this.#take(head)
      return true
    } catch (error) {
      this.#proof?.forget()
      return error instanceof StorageUnavailable
    }
  }

  #take(head: Head): void {
    if (head.position > this.#head.position) this.#head = head
  }

  #leave(): void {
    if (!this.isAlive) return
    this.isAlive = false
    const { processes } = this.#world
    processes.splice(processes.indexOf(this), 1)
    if (this.reach === 'serves' || processes.length < 4) this.#world.start(this.reach)
  }
}

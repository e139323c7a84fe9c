import cluster from 'node:cluster'
import { type Answerers, type PeerAnswers, type PeerQuestion, type Peers, peerAnswers } from '../../src/ops/peers.js'
import type { Answer, FromWorker, Task, ToWorker } from './messages.js'

/** What a worker knows of the others, by way of the primary. */
export class Team implements Peers {
  readonly #task: Task
  readonly #answerers: Answerers = {}
  readonly #asking = new Map<number, (answers: readonly Answer[]) => void>()
  #last = 0
  #reopenLog: () => void = () => {}
  #leave: () => void = () => {}
  /** Resolves when the primary wants this worker to end, or is gone. */
  readonly left = new Promise<void>((resolve) => {
    this.#leave = resolve
  })

  private constructor(task: Task) {
    this.#task = task
  }

  /** Asks the primary what to serve, and goes on as one of its workers. */
  static async join(): Promise<Team> {
    const team = await new Promise<Team>((resolve) => {
      let joined: Team | undefined
      process.on('message', (message: ToWorker) => {
        if (message.type !== 'begin') {
          if (joined) joined.#take(message)
          return
        }
        joined = new Team(message)
        resolve(joined)
      })
      tell({ type: 'ready' })
    })
    // By itself a worker would end at once without its primary: this one finishes what is in flight.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    process.once('disconnect', () => {
      for (const answered of team.#asking.values()) answered([])
      team.#leave()
    })
    return team
  }

  get number(): number {
    return this.#task.number
  }

  get count(): number {
    return this.#task.count
  }

  get loaded(): Task['loaded'] {
    return this.#task.loaded
  }

  /** From now on the primary may have the log go on in a new file. */
  reopensLogWith(reopen: () => void): void {
    this.#reopenLog = reopen
  }

  answer<Q extends PeerQuestion>(question: Q, give: NonNullable<Answerers[Q]>): void {
    this.#answerers[question] = give
  }

  async ask<Q extends PeerQuestion>(question: Q): Promise<readonly PeerAnswers[Q][]> {
    const id = ++this.#last
    const answers = await new Promise<readonly Answer[]>((resolve) => {
      this.#asking.set(id, resolve)
      tell({ type: 'ask', id, question })
    }).finally(() => this.#asking.delete(id))
    const values = answers.flatMap((one) => ('value' in one ? [peerAnswers[question].parse(one.value)] : []))
    const [failure] = answers.flatMap((one) => ('failure' in one ? [one.failure] : []))
    if (failure !== undefined && values.length === 0) throw new Error(failure)
    // The primary may not have heard yet that this one serves; or it is gone.
    return values.length > 0 ? values : [await this.#own(question)]
  }

  #take(message: Exclude<ToWorker, { readonly type: 'begin' }>): void {
    switch (message.type) {
      case 'question':
        void this.#reply(message.id, message.question)
        break
      case 'answers':
        this.#asking.get(message.id)?.(message.answers)
        break
      case 'reopenLog':
        this.#reopenLog()
        break
      case 'stop':
        this.#leave()
        break
    }
  }

  async #reply(id: number, question: PeerQuestion): Promise<void> {
    const answer: Answer = await this.#own(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) })
    )
    tell({ type: 'answer', id, answer })
  }

  async #own<Q extends PeerQuestion>(question: Q): Promise<PeerAnswers[Q]> {
    const give = this.#answerers[question]
    if (!give) throw new Error('The worker has only begun.')
    return give()
  }
}

/** Tells the primary, unless it is gone. */
export function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}

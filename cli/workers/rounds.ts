import type { PeerQuestion } from '../../src/ops/peers.js'
import type { Answer } from './messages.js'
import type { Slot } from './slot.js'

/** How long is waited for answers: whoever collects metrics waits for them, and connections take their time. */
const LIMITS_MS: Readonly<Record<PeerQuestion, number>> = {
  metrics: 3000,
  standing: 1000,
  reread: 60_000,
  reload: 65_000
}

interface Round {
  readonly waitingFor: Set<Slot>
  readonly answers: Map<Slot, Answer>
  readonly end: () => void
}

/** Questions to workers, and who still has to answer them. */
export class WorkerRounds {
  readonly #open = new Map<number, Round>()
  #last = 0

  /** What these workers answer; who ends first, or takes too long, is left out. */
  async ask(slots: readonly Slot[], question: PeerQuestion): Promise<ReadonlyMap<Slot, Answer>> {
    if (slots.length === 0) return new Map()
    const id = ++this.#last
    const answers = new Map<Slot, Answer>()
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((end) => {
      this.#open.set(id, { waitingFor: new Set(slots), answers, end })
      timer = setTimeout(end, LIMITS_MS[question])
      for (const slot of slots) slot.send({ type: 'question', id, question })
    })
    clearTimeout(timer)
    this.#open.delete(id)
    return answers
  }

  /** Takes an answer. */
  take(slot: Slot, id: number, answer: Answer): void {
    const round = this.#open.get(id)
    if (!round) return
    round.answers.set(slot, answer)
    leave(round, slot)
  }

  /** Nothing more is to be expected of the worker that was here. */
  forget(slot: Slot): void {
    for (const round of this.#open.values()) leave(round, slot)
  }
}

function leave({ waitingFor, end }: Round, slot: Slot): void {
  waitingFor.delete(slot)
  if (waitingFor.size === 0) end()
}

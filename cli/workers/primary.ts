import cluster from 'node:cluster'
import type { Writable } from 'node:stream'
import type { LoadedConfig } from '../../src/config/load.js'
import { createLogger, type Logs } from '../../src/logging.js'
import { type PeerQuestion, peerAnswers } from '../../src/ops/peers.js'
import { type ReloadReport, troubleIn } from '../../src/reload.js'
import { CliError } from '../errors.js'
import type { Serving } from '../serve.js'
import type { Answer, FromWorker, Task } from './messages.js'
import { WorkerRounds } from './rounds.js'
import { Slot, type WorkerEnd } from './slot.js'

/** A worker that has served for less than this has failed at once. */
const SOON_MS = 10_000
/** So often each of them may, before there is no more to be hoped for. */
const FAILURES_MAX = 5
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 30_000

/**
 * The process above the workers. It serves nothing itself: it begins them, puts another one in the place of each that ends, and
 * carries questions between them.
 */
export class Primary implements Serving {
  readonly #slots: readonly Slot[]
  readonly #logs: Logs
  readonly #rounds = new WorkerRounds()
  /** What is in force. */
  #loaded: LoadedConfig
  /** What is in force where. */
  readonly #given = new Map<Slot, LoadedConfig>()
  readonly #unclean: WorkerEnd[] = []
  #url = ''
  #isStarted = false
  #isStopping = false
  #giveUp: (error: Error) => void = () => {}
  readonly over = new Promise<Error>((resolve) => {
    this.#giveUp = resolve
  })
  readonly #killAll = () => {
    for (const slot of this.#slots) slot.kill()
  }

  private constructor(loaded: LoadedConfig, logs: Logs) {
    this.#loaded = loaded
    this.#logs = logs
    const events = {
      task: (slot: Slot) => this.#taskOf(slot),
      message: (slot: Slot, message: FromWorker) => void this.#take(slot, message),
      ended: (slot: Slot, end: WorkerEnd) => this.#ended(slot, end)
    }
    this.#slots = Array.from({ length: loaded.config.server.workers }, (_, i) => new Slot(i + 1, events))
  }

  /**
   * Begins as many workers as the configuration says; resolves when all answer requests. Rejects with what the first of them
   * says that cannot; then none is left.
   */
  static async start(loaded: LoadedConfig, terminal: Writable): Promise<Primary> {
    // Configurations go to workers as they are, with what is undefined in them.
    cluster.setupPrimary({ serialization: 'advanced' })
    const primary = new Primary(loaded, createLogger(loaded.config.logging, terminal))
    await primary.#begin()
    return primary
  }

  get url(): string {
    return this.#url
  }

  async reload(): Promise<ReloadReport> {
    const answers = await this.#rounds.ask(this.#serving.slice(0, 1), 'reload')
    for (const answer of answers.values()) {
      if ('failure' in answer) throw new CliError(answer.failure)
      return peerAnswers.reload.parse(answer.value)
    }
    throw new CliError('No worker answers.')
  }

  reopenLog(): void {
    this.#logs.reopen()
    for (const slot of this.#slots) slot.send({ type: 'reopenLog' })
  }

  /** Rejects where a worker did not end in good order. */
  async close(): Promise<void> {
    this.#isStopping = true
    for (const slot of this.#slots) {
      slot.cancel()
      slot.send({ type: 'stop' })
    }
    await Promise.all(this.#slots.map((slot) => slot.gone))
    process.off('exit', this.#killAll)
    const [unclean] = this.#unclean
    if (unclean) throw new CliError(`A worker ${howOf(unclean)}`)
  }

  async #begin(): Promise<void> {
    process.once('exit', this.#killAll)
    try {
      const [first, ...others] = this.#slots
      // One alone, so that what stands in the way is found, and said, once.
      if (first) this.#url = addressOf(await first.begin())
      for (const begun of await Promise.all(others.map((slot) => slot.begin()))) addressOf(begun)
    } catch (error) {
      await this.close().catch(() => {})
      throw error
    }
    this.#isStarted = true
    // One may have ended while another one began.
    for (const slot of this.#slots) if (!slot.isServing) slot.beginAfter(0)
  }

  get #serving(): readonly Slot[] {
    return this.#slots.filter(({ isServing }) => isServing)
  }

  #taskOf(slot: Slot): Task {
    this.#given.set(slot, this.#loaded)
    return { number: slot.number, count: this.#slots.length, loaded: this.#loaded }
  }

  async #take(slot: Slot, message: FromWorker): Promise<void> {
    switch (message.type) {
      case 'answer':
        this.#rounds.take(slot, message.id, message.answer)
        break
      case 'ask':
        slot.send({ type: 'answers', id: message.id, answers: await this.#asked(message.question) })
        break
      case 'ready':
        // It may have been meant to stop when it could not hear of it yet.
        if (this.#isStopping) slot.send({ type: 'stop' })
        break
      case 'serving':
        this.#renewOutdated(slot)
    }
  }

  async #asked(question: PeerQuestion): Promise<readonly Answer[]> {
    const answers = await this.#rounds.ask(this.#serving, question)
    if (question === 'reread') this.#follow(answers)
    return [...answers.values()]
  }

  /** Puts others in the place of workers that could not take over of a configuration what another one could. */
  #follow(answers: ReadonlyMap<Slot, Answer>): void {
    const read = [...answers].flatMap(([slot, answer]) => {
      if ('failure' in answer) return []
      const { report, loaded } = peerAnswers.reread.parse(answer.value)
      return [{ slot, loaded, trouble: troubleIn(report) }]
    })
    const least = Math.min(...read.map(({ trouble }) => trouble))
    const followed = read.filter(({ trouble }) => trouble === least)
    const [best] = followed
    if (!best) return
    this.#loaded = best.loaded
    for (const { slot } of followed) this.#given.set(slot, best.loaded)
    for (const slot of this.#serving) this.#renewOutdated(slot)
  }

  #renewOutdated(slot: Slot): void {
    if (this.#given.get(slot) === this.#loaded) return
    this.#logs.logger.warn({ worker: slot.number }, 'a worker has not followed the configuration: another one will')
    slot.send({ type: 'stop' })
  }

  #ended(slot: Slot, end: WorkerEnd): void {
    this.#rounds.forget(slot)
    if (this.#isStopping && end.code !== 0 && !end.words) this.#unclean.push(end)
    if (this.#isStopping || !this.#isStarted) return
    const { pid, code, signal, served_ms, words } = end
    const told = words?.lines.join('\n')
    if (words?.endsAll) {
      this.#giveUp(refusalOf(end))
      return
    }
    slot.failures = (served_ms ?? 0) < SOON_MS ? slot.failures + 1 : 0
    if (this.#slots.every(({ failures }) => failures >= FAILURES_MAX)) {
      const often = `Every worker has ended ${FAILURES_MAX} times in a row soon after it began`
      this.#giveUp(new CliError(`${often}; the last one ${howOf(end)}`, { help: words?.lines ?? [] }))
      return
    }
    // With 0 one ends that was asked to.
    const level = code === 0 ? 'info' : 'error'
    const fields = { worker: slot.number, workerPid: pid, code, signal, ...(told !== undefined && { told }) }
    this.#logs.logger[level](fields, 'a worker has ended: another one takes its place')
    const wait_ms = FIRST_WAIT_MS * 2 ** (slot.failures - 1)
    slot.beginAfter(slot.failures === 0 ? 0 : Math.min(wait_ms, LONGEST_WAIT_MS))
  }
}

/** The address of a worker that answers requests. Throws what one says that cannot. */
function addressOf(begun: { readonly url: string } | WorkerEnd): string {
  if ('url' in begun) return begun.url
  throw refusalOf(begun)
}

/** What a worker has said, as the primary's own words. */
function refusalOf(end: WorkerEnd): CliError {
  const [message, ...help] = end.words?.lines ?? []
  return message === undefined ? new CliError(`A worker ${howOf(end)}`) : new CliError(message, { help })
}

function howOf({ code, signal }: WorkerEnd): string {
  return signal === null ? `ended with ${code ?? 'no exit code'}.` : `was ended by ${signal}.`
}

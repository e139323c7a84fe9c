import { z } from 'zod'
import type { OpenLedger } from '../../src/app/openLedger.js'
import { WebhookDispatcher } from '../../src/followers/webhooks/dispatcher.js'
import type { Sent } from '../../src/followers/webhooks/send.js'
import { newCounts, type Webhooks } from '../../src/followers/webhooks/service.js'
import type { Recorder } from '../checking/recorder.js'
import type { Faults } from './faults.js'
import type { Random } from './random.js'
import { type Owner, ownerOf, type Scheduler } from './scheduler.js'

const SETTINGS = { keyFile: '', allowPrivateAddresses: [], timeoutSeconds: 10, disableAfterDays: 5 }
const KEY = { id: '', secretOf: () => '' }
const DELIVERED: Sent = { isDelivered: true, status: 204, error: null, answer: '', retryAfter_ms: null, duration_ms: 1 }
const FAILED: Sent = { ...DELIVERED, isDelivered: false, status: null, error: 'No answer.' }
/** How often the receiver does not answer, though it may have got what was sent. */
const SILENT = 0.1

const message = z.object({ data: z.object({ position: z.number() }) })

/** What receives the changes of the one webhook that there is, from whichever hub delivers. */
export class Receiver {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #faults: Faults
  readonly #recorder: Recorder
  readonly #process: number
  readonly #after: number
  readonly #owner = ownerOf('receiver')
  /** How far it was told of the log. */
  reached: number

  /** `after` is the position behind which the webhook begins. */
  constructor(
    scheduler: Scheduler,
    random: Random,
    faults: Faults,
    recorder: Recorder,
    process: number,
    after: number
  ) {
    this.#scheduler = scheduler
    this.#random = random
    this.#faults = faults
    this.#recorder = recorder
    this.#process = process
    this.#after = after
    this.reached = after
  }

  /** Begins to deliver from a hub. */
  follow(ledger: OpenLedger, hub: Owner): void {
    const webhooks: Webhooks = {
      settings: SETTINGS,
      key: KEY,
      counts: newCounts(),
      deliver: (_row, { body }) => this.#take(hub, message.parse(JSON.parse(body)).data.position)
    }
    const served = { ledger, webhooks }
    const log = { warn: () => {}, error: () => {} }
    new WebhookDispatcher({ hub: served, enter: () => ({ hub: served, leave: () => {} }) }, log, {
      random: this.#random.next
    })
  }

  #take(hub: Owner, position: number): Promise<Sent> {
    const faults = this.#faults
    return new Promise((resolve) => {
      const answer = (sent: Sent) => void this.#scheduler.at(hub, faults.delay(), 'delivered', () => resolve(sent))
      const isSilent = () => faults.isOn && this.#random.chance(SILENT)
      this.#scheduler.at(this.#owner, faults.delay(), `is told of ${position}`, () => {
        if (isSilent()) return answer(FAILED)
        const sent = { connection: 'webhook', after: this.#after, mayRepeat: true }
        this.#recorder.invoke(this.#process, 'feed', sent).ok({ positions: [position], through: position })
        this.reached = Math.max(this.reached, position)
        answer(isSilent() ? FAILED : DELIVERED)
      })
    })
  }
}

import { randomUUID } from 'node:crypto'
import type { Price } from '../../commands/llm/budget/amounts.js'
import type { ChatTurn, LlmCommand } from '../../commands/llm/decide.js'
import { HubError } from '../errors.js'
import { LIMITS } from '../limits.js'
import { StorageUnavailable } from '../storage/storage.js'
import type { NamedModel } from './standIns.js'

/** The longest that tokens stay reserved of which nobody says that their call is still on its way, where they are free again then. */
const FREE_AFTER_MS = 45_000
/** The same where they count as used then: longer than a database is away that fails over, since all that they are counts. */
const USED_AFTER_MS = 180_000

/** How long is kept what a call has used that ended while the database was away. */
const KEPT_MS = 3_600_000

/** How many tokens a model may write where the call does not say, and a limit or a budget counts it. */
export const USUAL_OUTPUT = 16_384
/** With fewer left a call is not begun. */
export const LEAST_OUTPUT = 256

type Budgets = readonly { readonly id: string; readonly model: string | null }[]

/** Who asks for a step of a chat, or makes a call, and where what it uses is kept. */
export interface ChatClient {
  readonly userId: string
  readonly tokenId: string
  /** True where the account has a monthly limit. */
  readonly isLimited: boolean
  /** The budgets that count what it uses of these models; `model` is null where that is all of them. */
  budgets(models: readonly string[]): Promise<Budgets>
  /** How large the request was. */
  readonly sent_bytes: number
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal
  readonly now: () => number
  /** Reserves on behalf of the client, and says how many tokens are held then; 0 for none. */
  readonly reserve: (command: Reserve) => Promise<number>
  /** Carries out a command as the system, on behalf of the client: what was used counts even if its token was revoked meanwhile. */
  readonly record: (command: LlmCommand) => Promise<unknown>
}

/** What may answer, and what of its calls. */
interface Asked {
  readonly models: readonly string[]
  readonly price: (model: string) => Price | null
  /** How long one of them may take. */
  readonly timeoutSeconds: number
  /** Null for a call that is of no chat. */
  readonly chat: ChatTurn | null
}

/** How many tokens are reserved: of these `input` are read. With fewer left than `atLeast` none are. */
export interface Tokens {
  readonly input: number
  readonly tokens: number
  readonly atLeast: number
}

type Reserve = Extract<LlmCommand, { readonly type: 'ReserveLlmTurn' }>
type Recorded = Extract<LlmCommand, { readonly type: 'RecordLlmStep' }>['step']
/** What is recorded of a call, but for what is known of it from its beginning. */
export type UsedStep = Omit<Recorded, 'userId' | 'tokenId' | 'model' | 'provider' | 'attempts'>

/** How a call is let through, and what of it is counted by whom: the month of its account, and budgets. */
export class Reservation {
  /** How many commands are kept that could not be written, of all calls. */
  static #kept = 0
  readonly #id = randomUUID()
  readonly #client: ChatClient
  readonly #asked: Asked
  readonly #budgets: Budgets
  #timer: NodeJS.Timeout | undefined
  /** True where tokens are reserved, as far as is known. */
  #isHeld = false
  #hasAsked = false

  private constructor(client: ChatClient, asked: Asked, budgets: Budgets) {
    this.#client = client
    this.#asked = asked
    this.#budgets = budgets
  }

  /** The one of a call that is about to be made; nothing is reserved yet. */
  static async of(client: ChatClient, asked: Asked): Promise<Reservation> {
    return new Reservation(client, asked, await client.budgets(asked.models))
  }

  /** True where budgets count it. */
  get hasBudgets(): boolean {
    return this.#budgets.length > 0
  }

  /** True where tokens have to be reserved. */
  get isNeeded(): boolean {
    return this.#client.isLimited || this.hasBudgets
  }

  /**
   * Reserves tokens in place of what was reserved before, and says how many are held then: none where what counted it was taken away in
   * the same moment. Rejects where too few are left.
   */
  async reserve(tokens: Tokens): Promise<number> {
    const { models, price, chat } = this.#asked
    const asked = { models, price: dearest(price, models), ...tokens, expiresAt: this.#expiry(), chat }
    const again = this.#hasAsked ? ({ isAgain: true } as const) : {}
    this.#hasAsked = true
    try {
      const held = await this.#client.reserve({ type: 'ReserveLlmTurn', id: this.#id, ...asked, ...again })
      this.#isHeld = held > 0
      return held
    } catch (error) {
      // Of a database whose answer is lost nobody knows whether it has reserved them.
      if (!(error instanceof HubError)) this.#giveBack().catch(() => {})
      throw error
    }
  }

  /** Says again and again that the call is still on its way, until it is settled. */
  keep(): void {
    if (!this.isNeeded) return
    // Where it cannot be written others are admitted early, and what this call uses counts all the same.
    const extend = () =>
      this.#client.record({ type: 'ExtendLlmTurn', id: this.#id, expiresAt: this.#expiry() }).catch(() => {})
    this.#timer = setInterval(extend, this.#lifetime_ms / 3)
    this.#timer.unref()
  }

  /** The call is over and has used nothing. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    if (this.isNeeded) await this.#giveBack()
  }

  /** Gives back what may be held, which is over by itself where that cannot be written for long. */
  #giveBack(): Promise<void> {
    this.#isHeld = false
    return this.#write({ type: 'ReleaseLlmTurn', id: this.#id }, this.#lifetime_ms)
  }

  /** The call is over, which this model has answered, or should have, as the last of so many. */
  async settle({ id: model, provider }: NamedModel, attempts: number, used: UsedStep): Promise<void> {
    clearInterval(this.#timer)
    const { userId, tokenId } = this.#client
    const step = { userId, tokenId, model, provider, ...used, ...(attempts > 1 && { attempts }) }
    const counting = this.#budgets.filter((one) => one.model === null || one.model === model)
    const budgets = counting.map(({ id }) => id)
    const recorded = { step, budgets, price: this.#asked.price(model), held: this.#isHeld }
    await this.#write({ type: 'RecordLlmStep', id: this.#id, ...recorded }, KEPT_MS)
  }

  /**
   * Has a command carried out. While the database does not take it, it is kept in memory and tried again for so long; whoever waits goes
   * on. Rejects where too many are kept already.
   */
  async #write(command: LlmCommand, for_ms: number): Promise<void> {
    const pause_ms = this.#lifetime_ms / 12
    try {
      await this.#client.record(command)
    } catch (error) {
      const mayPass = error instanceof StorageUnavailable || error instanceof HubError
      if (!mayPass || for_ms < pause_ms || Reservation.#kept >= LIMITS.llmWrites.max) throw error
      Reservation.#kept++
      const again = () => {
        Reservation.#kept--
        this.#write(command, for_ms - pause_ms).catch(() => {})
      }
      setTimeout(again, pause_ms).unref()
    }
  }

  #expiry(): string {
    return new Date(this.#client.now() + this.#lifetime_ms).toISOString()
  }

  get #lifetime_ms(): number {
    const { timeoutSeconds, chat } = this.#asked
    return reservationLifetime_ms(timeoutSeconds, chat === null || this.hasBudgets)
  }
}

/**
 * How long tokens stay reserved where nobody settles the call or says that it is still on its way, as after a crash: behind that they
 * count as used, or else are free again.
 */
export function reservationLifetime_ms(timeoutSeconds: number, countsAsUsed: boolean): number {
  return Math.min(2 * timeoutSeconds * 1000, countsAsUsed ? USED_AFTER_MS : FREE_AFTER_MS)
}

/** The most that a call costs, whichever of these models answers; null where one of them has no price. */
function dearest(price: (model: string) => Price | null, models: readonly string[]): Price | null {
  let most: Price = { input: 0, output: 0 }
  for (const model of models) {
    const one = price(model)
    if (!one) return null
    most = { input: Math.max(most.input, one.input), output: Math.max(most.output, one.output) }
  }
  return most
}

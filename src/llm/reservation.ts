import type { Price } from '../../commands/llm/budget/amounts.js'
import type { LlmCommand } from '../../commands/llm/decide.js'

/** The longest that tokens stay reserved of which nobody says that their call is still on its way. */
const MAX_HELD_MS = 45_000

/** How many tokens a model may write where the call does not say, and a limit or a budget counts it. */
export const USUAL_OUTPUT = 16_384
/** With fewer left a call is not begun. */
export const LEAST_OUTPUT = 256

/** Whose tokens are reserved, and how that is kept. */
export interface Reserving {
  readonly now: () => number
  /** Carries out a command as the system, on behalf of the client. */
  readonly record: (command: LlmCommand) => Promise<unknown>
}

/** How long tokens stay reserved where nobody settles the call or says that it is still on its way: as after a crash. */
export function reservationLifetime_ms(timeoutSeconds: number): number {
  return Math.min(2 * timeoutSeconds * 1000, MAX_HELD_MS)
}

/** Until when tokens are reserved by now. */
export function reservedUntil({ now }: Pick<Reserving, 'now'>, timeoutSeconds: number): string {
  return new Date(now() + reservationLifetime_ms(timeoutSeconds)).toISOString()
}

/** Says again and again that a call is still on its way, until what it returns is called. */
export function keepReserved(id: string, client: Reserving, timeoutSeconds: number): () => void {
  const extend = () => {
    const expiresAt = reservedUntil(client, timeoutSeconds)
    // Where it cannot be written others are admitted early, and what this call uses counts all the same.
    client.record({ type: 'ExtendLlmTurn', id, expiresAt }).catch(() => {})
  }
  const timer = setInterval(extend, reservationLifetime_ms(timeoutSeconds) / 3)
  timer.unref()
  return () => clearInterval(timer)
}

/** The most that a call costs, whichever of these models answers; null where one of them has no price. */
export function dearest(
  { price }: { readonly price: (model: string) => Price | null },
  models: readonly string[]
): Price | null {
  let most: Price = { input: 0, output: 0 }
  for (const model of models) {
    const one = price(model)
    if (!one) return null
    most = { input: Math.max(most.input, one.input), output: Math.max(most.output, one.output) }
  }
  return most
}

/** The ids of those of a client's budgets that count what this model has answered. */
export function countingIn(
  budgets: readonly { readonly id: string; readonly model: string | null }[],
  answered: string
): readonly string[] {
  return budgets.filter(({ model }) => model === null || model === answered).map(({ id }) => id)
}

import { setTimeout } from 'node:timers/promises'
import { isPassing } from './errors.js'

const PAUSES_MS = [50, 150]

/**
 * Asks again where the connection broke or the server was just then not there, which happens every day on a long network:
 * for questions, and for changes that may happen twice. An outage is told within a moment all the same.
 */
export async function withPatience<T>(ask: () => Promise<T>): Promise<T> {
  for (const pause_ms of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    await setTimeout(pause_ms)
  }
  return ask()
}

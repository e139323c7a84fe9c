import type { Schemas } from '@collections-hub/client'
import { hub } from './session.js'

/** What a program asks somebody for. */
export type Question = Schemas['Question']

/** The question that waits under a code. */
export async function loadQuestion(code: string, signal: AbortSignal): Promise<Question> {
  return (await hub().request('GET', '/auth/questions/{code}', { path: { code }, signal })).body
}

/** Gives the program a token, or refuses it. Goes on to where the program waits for the browser; true where the browser stays. */
export async function answerQuestion(code: string, approve: boolean): Promise<boolean> {
  const path = { code }
  const { location } = (await hub().request('POST', '/auth/questions/{code}', { path, body: { approve } })).body
  if (location === null) return true
  window.location.assign(location)
  return false
}

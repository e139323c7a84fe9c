import type { Schemas } from '@collections-hub/client'
import { ask } from './session.js'

/** What an undo comes to, or would. */
export type Undo = Schemas['Undo']

/** What is taken back: what a token did, since a moment or ever, what the command of an event did, or what a request did. */
export type Deed =
  | { readonly token: string; readonly from?: string }
  | { readonly event: number }
  | { readonly request: string }

/** Asks what taking a deed back would come to. Nothing is changed. */
export const planUndo = (deed: Deed, signal: AbortSignal): Promise<Undo> =>
  ask('POST', '/admin/undo', { body: deed, query: { preview: 'true' }, signal, timeout_ms: PATIENCE_MS })

/** An undo is many commands: the hub goes on with it, and so it is waited for. */
const PATIENCE_MS = 300_000

/** Takes a deed back as a plan has told it: what a token has done since the plan was made stays. */
export function carryOutUndo(deed: Deed, { position }: Undo): Promise<Undo> {
  const body = 'token' in deed ? { ...deed, to: String(position) } : deed
  return ask('POST', '/admin/undo', { body, timeout_ms: PATIENCE_MS })
}

import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'

export const RUN_KINDS = ['collection-run-results', 'request-run-results'] as const

export const runResult = z.object({
  kind: z.enum(RUN_KINDS),
  label: z.string(),
  collectionName: z.string().nullable(),
  requestName: z.string().nullable(),
  summary: z.object({ passed: z.number(), failed: z.number(), skipped: z.number() }),
  /** The client's export as it came. */
  payload: z.record(z.string(), z.unknown())
})

export const runResultEvents = {
  RunResultShared: begin(runResult),
  RunResultDeleted: event(empty)
}
export type RunResultEvent = EventsOf<typeof runResultEvents>
export const emitRunResult = emitter('runresult', runResultEvents)

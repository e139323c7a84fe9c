import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'

export const RUN_KINDS = ['collection-run-results', 'request-run-results'] as const

export const runResult = z.object({
  kind: z.enum(RUN_KINDS).describe('What was run: a collection, or one request.'),
  label: z.string().describe('What it is called.'),
  collectionName: z
    .string()
    .nullable()
    .describe('What the collection was called; null where the payload does not say.'),
  requestName: z.string().nullable().describe('What the request was called; null where the payload does not say.'),
  summary: z
    .object({
      passed: z.number().describe('How many results passed.'),
      failed: z.number().describe('How many results failed.'),
      skipped: z.number().describe('How many were skipped.')
    })
    .describe('What came of the run, by the `status` of its results.'),
  payload: z.record(z.string(), z.unknown()).describe('The export of the client, as it came.')
})

export const runResultEvents = {
  RunResultShared: begin(runResult),
  RunResultDeleted: event(empty)
}
export type RunResultEvent = EventsOf<typeof runResultEvents>
export const emitRunResult = emitter('runresult', runResultEvents)

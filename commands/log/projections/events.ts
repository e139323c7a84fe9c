import { z } from 'zod'
import { emitter, event } from '../../event.js'

export const projectionEvents = {
  /** Other read tables are live from here on: a writer that still has the old ones finds this position taken. */
  ProjectionsSwitched: event(z.object({ from: z.number(), to: z.number(), versions: z.record(z.string(), z.number()) }))
}
export const emitProjections = emitter('projections', projectionEvents)

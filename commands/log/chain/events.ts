import { z } from 'zod'
import { emitter, event } from '../../event.js'

export const chainEvents = {
  /**
   * What comes after it is linked with the key of this id, or with null without one. It is linked the way that was in force
   * before, so nobody can announce a key who has not the one before it.
   */
  ChainSealed: event(z.object({ keyId: z.string().nullable() }))
}
export const emitChain = emitter('audit', chainEvents)

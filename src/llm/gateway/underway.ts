import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import { errors } from '../../errors.js'
import { CountsById } from '../../lib/countsById.js'
import { LIMITS } from '../../limits.js'

/** The calls that are under way, in all, of each account and of each tenant: 429 for more. */
export class Underway {
  readonly #counts = new CountsById()
  #all = 0

  /** Counts one more; returns what is to be called when it is over, once. A tenant has at most as many as it leaves to others. */
  enter(userId: string, tenantId: string): () => void {
    const [ofAccount, all] = [LIMITS.modelCallsOfAccount.max, LIMITS.modelCalls.max]
    if (this.#counts.of(userId) >= ofAccount) throw errors.tooManyModelCalls(ofAccount)
    const ofTenant = tenantId === HUB_ID ? 0 : this.#counts.of(tenantId)
    if (this.#all + ofTenant >= all) throw errors.tooManyModelCalls(ofTenant || all)
    const leave = this.#counts.add(userId, tenantId)
    this.#all++
    return () => {
      this.#all--
      leave()
    }
  }
}

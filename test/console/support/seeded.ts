import type { HubOptions } from '../../http/support.js'
import { browserSuite } from './browser.js'
import type { ConsoleHub } from './hub.js'
import { seed, type Team } from './seed.js'

/**
 * A suite whose tests look at the console of a hub with a small team's work in it; `more` adds to that. The team is there once the
 * tests run.
 */
export function seededSuite(name: string, options: HubOptions = {}, more: (hub: ConsoleHub) => unknown = () => {}) {
  const team: Team = Object.create(null)
  const begin = async (hub: ConsoleHub) => {
    Object.assign(team, await seed(hub))
    await more(hub)
  }
  return { ...browserSuite(name, begin, options), team }
}

import type { Hub } from '../../src/hub.js'
import type { HubProvider } from '../../src/live.js'

/** An entrance to a hub that never changes. */
export function fixed(hub: Hub): HubProvider {
  return { hub, enter: () => ({ hub, leave: () => {}, hold: () => () => {} }), reload: async () => ({ sections: [] }) }
}

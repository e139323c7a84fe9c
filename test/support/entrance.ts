import type { Hub } from '../../src/app/hub.js'
import type { HubProvider } from '../../src/app/live.js'

/** An entrance to a hub that never changes. */
export function fixed(hub: Hub): HubProvider {
  const enter = () => ({ hub, leave: () => {}, hold: () => () => {} })
  return { hub, enter, reload: async () => ({ sections: [] }), tenants: null }
}

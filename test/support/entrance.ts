import type { Hub } from '../../src/hub.js'
import type { Entrance } from '../../src/live.js'

/** An entrance to a hub that never changes. */
export function fixed(hub: Hub): Entrance {
  return { hub, enter: () => ({ hub, leave: () => {}, hold: () => () => {} }), reload: async () => ({ sections: [] }) }
}

import * as assert from 'uvu/assert'
import { type Network, startNetwork } from '../race/network.js'
import type { Driver } from './drivers.js'
import { assertNoCrash } from './hub-suite.js'
import { startHub, type TestHub, until } from './support.js'
import type { World } from './world.js'

const LIMIT_MS = 3000
const protectedCalls = [
  { method: 'GET', path: '/auth/session' },
  { method: 'GET', path: '/collections' },
  { method: 'POST', path: '/collections', body: { name: 'New' } },
  { method: 'GET', path: '/admin/users' }
]

/** Refused with this text in time, whoever asks, while the liveness probe answers. */
export async function assertDown(world: World, error: string): Promise<void> {
  const durations: number[] = []
  for (const call of protectedCalls) {
    for (const token of [world.owner.token, undefined]) {
      const reply = await world.refused(503, () => world.hub.send({ ...call, token }), error)
      durations.push(reply.duration_ms)
    }
    const health = await world.hub.send({ method: 'GET', path: '/health' })
    assert.is(health.status, 200)
    durations.push(health.duration_ms)
  }
  // Not each of them: on a machine with other things to do, any one may be late.
  const usual = durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? 0
  assert.ok(usual < LIMIT_MS, `usually it took ${usual} ms`)
}

/** Resolves once protected routes are served again. */
export async function untilUp({ hub, owner }: World): Promise<void> {
  await until(async () => {
    const { status } = await hub.send({ method: 'GET', path: '/collections', token: owner.token })
    return status === 200 ? true : null
  })
}

/** A hub behind a network to its database that the test may cut. */
export async function withNetwork(
  driver: Driver,
  use: (hub: TestHub, network: Network) => Promise<void>
): Promise<void> {
  let network: Network | undefined
  const hub = await startHub({
    ...driver,
    async open(label, limits) {
      const place = await driver.open(label, limits)
      assert.ok(place.db.driver === 'postgres' || place.db.driver === 'mysql')
      network = await startNetwork(place.db)
      return { ...place, db: { ...place.db, host: '127.0.0.1', port: network.port } }
    }
  })
  try {
    assert.ok(network)
    await use(hub, network)
    assertNoCrash(hub)
  } finally {
    await hub.close()
    await network?.down()
  }
}

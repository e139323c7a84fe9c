import * as assert from 'uvu/assert'
import { until } from './support.js'
import type { World } from './world.js'

const LIMIT_MS = 1000
const protectedCalls = [
  { method: 'GET', path: '/auth/session' },
  { method: 'GET', path: '/collections' },
  { method: 'POST', path: '/collections', body: { name: 'New' } },
  { method: 'GET', path: '/admin/users' }
]

/** Refused with this text in time, whoever asks, while the liveness probe answers. */
export async function assertDown(world: World, error: string): Promise<void> {
  for (const call of protectedCalls) {
    for (const token of [world.owner.token, undefined]) {
      const reply = await world.refused(503, () => world.hub.send({ ...call, token }), error)
      assert.ok(reply.duration_ms < LIMIT_MS, `${call.method} ${call.path} took ${reply.duration_ms} ms`)
    }
  }
  const health = await world.hub.send({ method: 'GET', path: '/health' })
  assert.is(health.status, 200)
  assert.ok(health.duration_ms < LIMIT_MS)
}

/** Resolves once protected routes are served again. */
export async function untilUp({ hub, owner }: World): Promise<void> {
  await until(async () => {
    const { status } = await hub.send({ method: 'GET', path: '/collections', token: owner.token })
    return status === 200 ? true : null
  })
}

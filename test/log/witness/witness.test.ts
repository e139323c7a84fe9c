import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { World } from './world.js'

const WORLDS = Number(process.env.HUB_TEST_WORLDS ?? 50)
const STEPS = 20_000
const SEED = Number(process.env.HUB_TEST_SEED ?? 1)

const test = suite('who is told of commits')

test('whatever is lost, delayed, restarted or cut off, nobody takes for new what is not', async () => {
  const sum: Record<string, number> = {}
  for (let seed = SEED; seed < SEED + WORLDS; seed++) {
    const world = new World(seed)
    // In some worlds little goes wrong, so that much is proven; in others nearly everything does.
    const rate = [0, 0.0005, 0.003, 0.01][seed % 4] ?? 0
    while (world.turns.steps < STEPS) {
      if (world.turns.chance(rate)) world.disturb()
      if (world.turns.chance(0.001)) world.turns.pick(world.servers).save()
      await world.turns.step()
      if (world.troubles.length > 0) assert.equal(world.troubles, [], `seed ${seed}, step ${world.turns.steps}`)
    }
    for (const [what, count] of Object.entries(world.seen)) sum[what] = (sum[what] ?? 0) + count
    for (const process of world.processes) process.isAlive = false
  }
  for (const what of ['proofs', 'looks', 'commits', 'announced', 'left', 'named'])
    assert.ok((sum[what] ?? 0) > 2 * WORLDS, `${what}: ${sum[what]}`)
})

test.run()

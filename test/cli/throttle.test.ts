import * as assert from 'uvu/assert'
import { connectRedisThrottle } from '../../src/throttle/redis.js'
import { throttleKey } from '../../src/throttle/throttle.js'
import { redisSpace } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { newHome } from './support.js'

const memory = suite('hub throttle without Redis')

memory('what the server counts in its memory is out of reach, and the way to it is named', async () => {
  const home = await newHome()
  home.configure()
  const why =
    'Failed authentications are counted in the memory of the running hub (redis.driver is memory), out of reach from here.'
  for (const [args, instead] of [
    [['list'], 'GET /admin/throttle'],
    [['clear', '203.0.113.7'], 'DELETE /admin/throttle/203.0.113.7']
  ] as const) {
    const stderr = `${why}\nAsk the hub, with an administrator's token: ${instead}\n`
    assert.equal(await home.here('throttle', ...args), { code: 1, stdout: '', stderr })
  }
  const nobody = await home.here('throttle', 'clear')
  const stderr = 'Give the address to let in again, or --all.\nSee: hub throttle clear --help\n'
  assert.equal(nobody, { code: 2, stdout: '', stderr })
})

memory.run()

const test = suite('hub throttle', { needs: ['redis'] })

test('who is blocked is listed and let in again, and the log tells of it', async () => {
  const [home, space] = [await newHome(), await redisSpace()]
  assert.ok(space)
  const { clear, ...address } = space
  const throttle = await connectRedisThrottle(address)
  try {
    home.configure({ redis: JSON.stringify(address) })
    await home.here('migrate')
    assert.is((await home.here('throttle', 'list')).stdout, 'Nobody is blocked.\n')
    const policy = { maxFailures: 1, windowSeconds: 100, blockSeconds: 50 }
    for (const ip of ['203.0.113.7', '203.0.113.8'])
      await throttle.fail([{ key: throttleKey(ip, 'ab'.repeat(32)), policy }])
    assert.match(
      (await home.here('throttle', 'list')).stdout,
      /^203\.0\.113\.7 {2}failures with one token {2}\d+ s left\n203\.0\.113\.8 .*\n$/
    )
    assert.is((await home.here('throttle', 'clear', '203.0.113.7')).stdout, 'Lifted 1 block.\n')
    const again = await home.here('throttle', 'clear', '203.0.113.7')
    assert.equal(again, { code: 1, stdout: '', stderr: '203.0.113.7 is not blocked. See: hub throttle list\n' })
    assert.is((await home.here('throttle', 'clear', '--all')).stdout, 'Lifted 1 block.\n')
    assert.is((await home.here('throttle', 'list')).stdout, 'Nobody is blocked.\n')
    const { stdout } = await home.here('audit', 'stats', '--type', 'LoginsUnblocked')
    assert.match(stdout, /^2 events\n/)
  } finally {
    await throttle.close()
    await clear()
  }
})

test.run()

import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import * as assert from 'uvu/assert'
import { connectRedisThrottle } from '../../src/throttle/redis.js'
import { type Throttle, ThrottleUnavailable } from '../../src/throttle/throttle.js'
import { findBinary, freePort } from '../support/private-server.js'
import { type PrivateRedis, startPrivateRedis } from '../support/redis-service.js'
import { servicesDemanded } from '../support/services.js'
import { suite } from '../support/suite.js'

const POLICY = { maxFailures: 3, windowSeconds: 100, blockSeconds: 50 }
/** Half a second, and what a busy machine adds to it. */
const LIMIT_MS = 5000

type Test = (name: string, body: () => Promise<void>) => void
const test = suite('redis throttle: on a server of its own')
const hasServer = servicesDemanded || (await findBinary('redis-server')) !== null
// These need a server that they may kill, or that nobody else asks, so an address of one is not enough.
const withServer: Test = hasServer ? test : (name) => test.skip(name, 'no redis-server on PATH')

const servers: PrivateRedis[] = []
const throttles: Throttle[] = []

async function startServer(
  options: { readonly port?: number; readonly password?: string } = {}
): Promise<PrivateRedis> {
  const server = await startPrivateRedis(options)
  assert.ok(server, 'no redis-server on PATH')
  servers.push(server)
  return server
}

async function connect(port: number, options: { readonly password?: string; readonly db?: number } = {}) {
  const throttle = await connectRedisThrottle({ host: '127.0.0.1', port, db: 0, keyPrefix: 'hub', ...options })
  throttles.push(throttle)
  return throttle
}

test.after.each(async () => {
  await Promise.all(throttles.splice(0).map((throttle) => throttle.close()))
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

/** Every method rejects as unavailable, and none of them keeps the caller waiting. */
async function assertUnavailable(throttle: Throttle): Promise<void> {
  const calls = [
    throttle.check('k'),
    throttle.fail([{ key: 'k', policy: POLICY }]),
    throttle.clear('k'),
    throttle.ping()
  ]
  await Promise.all(calls.map(assertRejects))
}

async function assertRejects(call: Promise<unknown>): Promise<Error> {
  const started = performance.now()
  try {
    await call
  } catch (error) {
    assert.instance(error, ThrottleUnavailable)
    assert.ok(performance.now() - started < LIMIT_MS, 'it took too long to reject')
    if (error instanceof Error) return error
  }
  assert.unreachable('it did not reject')
  throw new Error()
}

async function untilItServes(throttle: Throttle): Promise<void> {
  for (;;) {
    try {
      return await throttle.ping()
    } catch {
      await sleep(20)
    }
  }
}

test('connecting to a closed port is refused with the address and the reason', async () => {
  const port = await freePort()
  const error = await assertRejects(connect(port))
  assert.match(error.message, `Redis at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED`)
})

test('connecting by name to a closed port is refused with a reason too', async () => {
  const port = await freePort()
  const error = await assertRejects(connectRedisThrottle({ host: 'localhost', port, db: 0, keyPrefix: '' }))
  assert.match(error.message, 'ECONNREFUSED')
})

withServer('check, fail and clear are one command each', async () => {
  const { port } = await startServer()
  const redis = new Redis({ port, host: '127.0.0.1' })
  const monitor = await redis.monitor()
  const commands: string[] = []
  monitor.on('monitor', (_time: string, [name = '', ...args]: readonly string[], source: string) => {
    if (source !== 'lua' && args.some((arg) => arg.startsWith('hub'))) commands.push(name.toLowerCase())
  })
  try {
    const throttle = await connect(port)
    await throttle.check('k')
    await throttle.fail([{ key: 'k', policy: POLICY }])
    await throttle.clear('k')
    // Redis shows a monitor the commands in order: once it has shown this one, it has shown those before.
    await redis.get('hub:end')
    while (commands.at(-1) !== 'get') await sleep(5)
    assert.equal(commands, ['mget', 'eval', 'del', 'get'])
  } finally {
    monitor.disconnect()
    redis.disconnect()
  }
})

withServer('connecting to a server that hangs is refused in time', async () => {
  const server = await startServer()
  process.kill(server.pid, 'SIGSTOP')
  const started = performance.now()
  try {
    await connect(server.port)
    assert.unreachable('it connected')
  } catch (error) {
    assert.instance(error, ThrottleUnavailable)
  }
  assert.ok(performance.now() - started < 2000 + LIMIT_MS)
})

withServer('a wrong and a missing password are told apart, and neither is repeated in the text', async () => {
  const { port } = await startServer({ password: 'right-password' })
  await (await connect(port, { password: 'right-password' })).ping()
  const wrong = await assertRejects(connect(port, { password: 'wrong-password' }))
  assert.match(wrong.message, 'WRONGPASS')
  assert.not.match(wrong.message, 'wrong-password')
  const missing = await assertRejects(connect(port))
  assert.match(missing.message, 'NOAUTH')
})

withServer('a database that the server does not have is refused instead of replaced by database 0', async () => {
  const { port } = await startServer()
  const error = await assertRejects(connect(port, { db: 99 }))
  assert.match(error.message, 'DB index is out of range')
})

withServer('with a server that hangs, every request is refused at once or after half a second', async () => {
  const server = await startServer()
  const throttle = await connect(server.port)
  process.kill(server.pid, 'SIGSTOP')
  const started = performance.now()
  await Promise.all(Array.from({ length: 50 }, (_, index) => sleep(index * 20).then(() => assertUnavailable(throttle))))
  assert.ok(performance.now() - started < 1000 + LIMIT_MS)
})

withServer('answers that have come while this process was busy count, though they are looked at late', async () => {
  const server = await startServer()
  const throttle = await connect(server.port)
  const asked = [throttle.check('k'), throttle.ping()]
  // Behind the end of the turn, in which what is looked up goes out.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700))
  await Promise.all(asked)
  await throttle.ping()
})

withServer('with a server that was killed, requests in flight and later ones are refused', async () => {
  const server = await startServer()
  const throttle = await connect(server.port)
  process.kill(server.pid, 'SIGSTOP')
  const inFlight = assertUnavailable(throttle)
  await sleep(50)
  process.kill(server.pid, 'SIGKILL')
  await inFlight
  await assertUnavailable(throttle)
})

withServer('a server that comes back is found again, and a refused failure was not counted late', async () => {
  const server = await startServer()
  const throttle = await connect(server.port)
  await throttle.fail([{ key: 'k', policy: POLICY }])
  process.kill(server.pid, 'SIGKILL')
  await server.stop()
  await assertUnavailable(throttle)
  await startServer({ port: server.port })
  await untilItServes(throttle)
  assert.equal(await throttle.check('k'), { blocked: false, failures: 0 })
})

withServer('a server that wakes up serves again', async () => {
  const server = await startServer()
  const throttle = await connect(server.port)
  process.kill(server.pid, 'SIGSTOP')
  await assertUnavailable(throttle)
  process.kill(server.pid, 'SIGCONT')
  await untilItServes(throttle)
})

withServer('a refusal by the server itself is unavailability too', async () => {
  const { port } = await startServer()
  const throttle = await connect(port)
  const admin = await connectAdmin(port)
  await admin.config('SET', 'maxmemory', '1')
  admin.disconnect()
  await assertRejects(throttle.fail([{ key: 'k', policy: POLICY }]))
})

withServer('after close every method rejects', async () => {
  const { port } = await startServer()
  const throttle = await connect(port)
  await throttle.close()
  await assertUnavailable(throttle)
  await throttle.close()
})

async function connectAdmin(port: number) {
  const { Redis } = await import('ioredis')
  return new Redis({ host: '127.0.0.1', port })
}

test.run()

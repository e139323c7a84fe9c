import { Redis } from 'ioredis'
import * as assert from 'uvu/assert'
import { drawSecret } from '../../src/ledger/secrets.js'
import { sha256 } from '../../src/log/chain.js'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { issue, LIMITS, statuses } from './failures.js'
import { type HubOptions, startHub } from './support.js'

const keys = suite('throttle keys in redis', { needs: postgres.needs })

keys('counter and block are named after address and hash, and expire; a success removes both', async () => {
  const hub = await startHub(postgres, { limits: LIMITS })
  const { redis } = hub.place
  assert.ok(redis.driver === 'redis' && 'port' in redis)
  const client = new Redis(redis.port, redis.host, { db: redis.db })
  try {
    const drawn = drawSecret('hbk_')
    const [first, second, any] = [drawn.hash, 'none', 'any'].map((who) => `127.0.0.1:${who}`)
    const key = (kind: string, who = '') => `${redis.keyPrefix}:throttle:${kind}:${who}`
    await statuses(hub, 3, drawn.secret)
    await statuses(hub, 1)
    const found = (await client.keys(`${redis.keyPrefix}*`)).toSorted()
    assert.equal(found, [key('block', first), key('fail', first), key('fail', any), key('fail', second)].toSorted())
    assert.is(drawn.hash, sha256(drawn.secret))
    assert.equal(await client.mget(key('block', first), key('fail', first), key('fail', any)), ['1', '3', '4'])
    for (const [name, seconds] of [
      [key('fail', first), 60],
      [key('block', first), 30]
    ] as const) {
      const left = await client.ttl(name)
      assert.ok(left > seconds - 10 && left <= seconds, `${name} expires in ${left} s`)
    }
    await client.del(key('block', first))
    await issue(hub, drawn)
    assert.equal(await statuses(hub, 1, drawn.secret), [200])
    assert.equal(
      (await client.keys(`${redis.keyPrefix}*`)).toSorted(),
      [key('fail', any), key('fail', second)].toSorted()
    )
  } finally {
    client.disconnect()
    await hub.close()
  }
})

keys.run()

const proxies = suite('throttle behind proxies')

/** Exhausts one forwarded address, and says how it and another then fare. */
async function forwarded(config: HubOptions['config'] = {}): Promise<readonly number[]> {
  const hub = await startHub(sqlite, { limits: LIMITS, config })
  try {
    const ask = async (address: string) =>
      (await hub.send({ method: 'GET', path: '/collections', headers: { 'x-forwarded-for': address } })).status
    for (let i = 0; i < 3; i++) await ask('203.0.113.7')
    return [await ask('203.0.113.7'), await ask('203.0.113.8')]
  } finally {
    await hub.close()
  }
}

proxies('the address is the client’s that a trusted proxy names', async () => {
  const server = { host: '127.0.0.1', port: 1, trustedProxies: ['127.0.0.0/8'] }
  assert.equal(await forwarded({ server }), [429, 401])
})

proxies('nobody else is believed', async () => {
  const server = { host: '127.0.0.1', port: 1, trustedProxies: ['10.0.0.0/8'] }
  assert.equal(await forwarded({ server }), [429, 429])
  assert.equal(await forwarded(), [429, 429])
})

proxies('a forwarded address that is not believed is told of once, where no proxy is named', async () => {
  const told = async (config?: HubOptions['config']) => {
    const hub = await startHub(sqlite, { limits: LIMITS, ...(config && { config }) })
    try {
      for (const path of ['/collections', '/health', '/join'])
        await hub.send({ method: 'GET', path, headers: { 'x-forwarded-for': '203.0.113.7' } })
      return hub.log.filter(({ msg }) => String(msg).startsWith('X-Forwarded-For came'))
    } finally {
      await hub.close()
    }
  }
  const [line, ...more] = await told()
  assert.equal([line?.level, line?.from, more], [40, '127.0.0.1', []])
  assert.equal(await told({ server: { host: '127.0.0.1', port: 1, trustedProxies: ['10.0.0.0/8'] } }), [])
})

proxies.run()

import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import type { Fields } from './client.js'
import { LIMITS } from './failures.js'
import { withHub } from './hub-suite.js'
import type { HubOptions } from './support.js'

const proxies = suite('throttle behind proxies')

/** Exhausts one forwarded address, by default the same four times, and says how it and another then fare. */
async function forwarded(
  config: HubOptions['config'] = {},
  exhausted: readonly string[] = Array(4).fill('203.0.113.7')
): Promise<readonly number[]> {
  const statuses: number[] = []
  await withHub({ limits: LIMITS, config }, async ({ send }) => {
    for (const address of [...exhausted, '203.0.113.8'])
      statuses.push(
        (await send({ method: 'GET', path: '/collections', headers: { 'x-forwarded-for': address } })).status
      )
  })
  return statuses.slice(-2)
}

proxies('the address is the client’s that a trusted proxy names', async () => {
  const server = { host: '127.0.0.1', port: 1, trustedProxies: ['127.0.0.0/8'] }
  assert.equal(await forwarded({ server }), [429, 401])
})

const ports = [40001, 40002, 40003, 40004]
for (const [what, addressWith] of [
  ['an address', (port: number) => `198.51.100.1, 203.0.113.7:${port}`],
  ['an address of IPv6', (port: number) => `[2001:db8::7]:${port}`]
] as const)
  proxies(`the port that some proxies put behind ${what} is no part of it`, async () => {
    const server = { host: '127.0.0.1', port: 1, trustedProxies: ['127.0.0.0/8'] }
    assert.equal(await forwarded({ server }, ports.map(addressWith)), [429, 401])
  })

proxies('nobody else is believed', async () => {
  const server = { host: '127.0.0.1', port: 1, trustedProxies: ['10.0.0.0/8'] }
  assert.equal(await forwarded({ server }), [429, 429])
  assert.equal(await forwarded(), [429, 429])
})

proxies('a forwarded address that is not believed is told of once, where no proxy is named', async () => {
  const told = async (config: HubOptions['config'] = {}) => {
    const lines: Fields[] = []
    await withHub({ limits: LIMITS, config }, async ({ send, log }) => {
      for (const path of ['/collections', '/health', '/join'])
        await send({ method: 'GET', path, headers: { 'x-forwarded-for': '203.0.113.7' } })
      lines.push(...log.filter(({ msg }) => String(msg).startsWith('X-Forwarded-For came')))
    })
    return lines
  }
  const [line, ...more] = await told()
  assert.equal([line?.level, line?.from, more], [40, '127.0.0.1', []])
  assert.equal(await told({ server: { host: '127.0.0.1', port: 1, trustedProxies: ['10.0.0.0/8'] } }), [])
})

proxies.run()

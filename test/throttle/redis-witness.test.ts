import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import * as assert from 'uvu/assert'
import type { WitnessStore } from '../../src/log/witness.js'
import { connectRedisThrottle } from '../../src/throttle/redis.js'
import type { Throttle } from '../../src/throttle/throttle.js'
import { rejection } from '../log/faults.js'
import { type PrivateRedis, type PrivateRedisOptions, startPrivateRedis } from '../support/redis-service.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'

const test = suite('redis throttle: witnesses')
const withServers = await needing(test, ['redis-server'])
const servers: PrivateRedis[] = []
const throttles: Throttle[] = []
const clients: Redis[] = []

test.after.each(async () => {
  for (const client of clients.splice(0)) client.disconnect()
  await Promise.all(throttles.splice(0).map((throttle) => throttle.close()))
  await Promise.all(servers.splice(0).map(({ stop }) => stop()))
})

async function started(options: PrivateRedisOptions = {}) {
  const server = await startPrivateRedis(options)
  assert.ok(server)
  servers.push(server)
  const redis = new Redis({ port: server.port, ...(options.password !== undefined && { password: options.password }) })
  redis.on('error', () => {})
  clients.push(redis)
  return { ...server, redis }
}

async function connected(port: number, { db = 0, keyPrefix = 'hub', password = '', username = '' } = {}) {
  const secret = { ...(password && { password }), ...(username && { username }) }
  const throttle = await connectRedisThrottle({ host: '127.0.0.1', port, db, keyPrefix, ...secret })
  throttles.push(throttle)
  const { witnesses } = throttle
  assert.ok(witnesses)
  return { throttle, witnesses }
}

async function begun(witnesses: WitnessStore, position: number): Promise<string> {
  const witness = await witnesses.begin(position)
  assert.ok(witness)
  return witness
}

/** What it says, without the time. */
const said = async (witnesses: WitnessStore, witness: string) => {
  const answer = await witnesses.ask(witness)
  return typeof answer === 'string' ? answer : answer.highest
}

withServers('a witness says the highest position that it was told of, whoever told it', async () => {
  const { port } = await started()
  const [{ witnesses: one }, { witnesses: other }] = [await connected(port), await connected(port)]
  const witness = await begun(one, 7)
  assert.is(await said(other, witness), 7)
  for (const position of [9, 8, 9_007_199_254_740_991]) assert.is(await other.announce(witness, position), 'announced')
  assert.is(await said(one, witness), 9_007_199_254_740_991)
  assert.is.not(await begun(one, 7), witness)
})

withServers('it is asked in the trip of whoever checks a key at the same time', async () => {
  const { port, redis } = await started()
  const { throttle, witnesses } = await connected(port)
  const witness = await begun(witnesses, 7)
  await witnesses.ask(witness)
  await throttle.fail([{ key: 'k', policy: { maxFailures: 3, windowSeconds: 10, blockSeconds: 10 } }])
  await redis.config('RESETSTAT')
  const [state, answer] = await Promise.all([throttle.check('k'), witnesses.ask(witness), throttle.check('other')])
  assert.equal(state, { blocked: false, failures: 1 })
  assert.ok(typeof answer !== 'string' && answer.highest === 7)
  assert.match(await redis.info('commandstats'), /cmdstat_evalsha:calls=1,/)
})

withServers('one that was taken away, ended by itself or went with everything is gone for good', async () => {
  const { port, redis } = await started()
  const { witnesses } = await connected(port)
  const ends: readonly ((key: string, witness: string) => Promise<unknown>)[] = [
    (_, witness) => witnesses.end(witness),
    (key) => redis.pexpire(key, 1).then(() => sleep(20)),
    () => redis.flushall()
  ]
  for (const end of ends) {
    const witness = await begun(witnesses, 7)
    await end(witness.split('/').slice(2).join('/'), witness)
    await witnesses.extend(witness, Date.now() + 5000)
    assert.equal([await said(witnesses, witness), await witnesses.announce(witness, 9)], ['gone', 'gone'])
    assert.is(await said(witnesses, witness), 'gone')
  }
})

withServers('it lives as long as somebody extends its life, which nobody makes shorter', async () => {
  const { port, redis } = await started()
  const { witnesses } = await connected(port)
  const witness = await begun(witnesses, 7)
  const left = () => redis.pttl(witness.split('/').slice(2).join('/'))
  assert.ok((await left()) > 1000)
  const answer = await witnesses.ask(witness)
  assert.ok(typeof answer !== 'string' && Math.abs(answer.time - Date.now()) < 2000)
  await witnesses.extend(witness, answer.time + 60_000)
  assert.ok((await left()) > 50_000)
  await witnesses.extend(witness, answer.time + 1000)
  await witnesses.announce(witness, 9)
  assert.ok((await left()) > 50_000)
})

withServers('who asks another database, another server or one that has started anew is told nothing', async () => {
  const [first, second] = [await started(), await started()]
  const { witnesses } = await connected(first.port)
  const witness = await begun(witnesses, 7)
  const key = witness.split('/').slice(2).join('/')
  const others = [await connected(first.port, { db: 1 }), await connected(second.port)]
  for (const { redis } of [second]) await redis.set(key, 7)
  for (const other of others)
    assert.equal(
      [
        await said(other.witnesses, witness),
        await other.witnesses.announce(witness, 8),
        await other.witnesses.end(witness)
      ],
      ['elsewhere', 'elsewhere', 'elsewhere']
    )
  assert.is(await said(witnesses, witness), 7)
  const prefixed = (await connected(first.port, { keyPrefix: 'other' })).witnesses
  assert.equal([await said(prefixed, witness), await prefixed.announce(witness, 8)], ['elsewhere', 'announced'])
})

withServers('a server that was a follower in between is another one, though it runs on and has the key', async () => {
  const [first, second] = [await started(), await started({ args: ['--repl-diskless-sync-delay', '0'] })]
  const { witnesses } = await connected(first.port)
  const witness = await begun(witnesses, 7)
  const key = witness.split('/').slice(2).join('/')
  await first.redis.pexpire(key, 600_000)
  const follows = async (one: typeof first, other: typeof first) => {
    await one.redis.replicaof('127.0.0.1', String(other.port))
    for (let i = 0; i < 500 && !(await one.redis.info('replication')).includes('master_link_status:up'); i++)
      await sleep(20)
    assert.is(await one.redis.get(key), '7')
  }
  await follows(second, first)
  const { witnesses: onSecond } = await connected(second.port)
  assert.equal([await said(onSecond, witness), await onSecond.begin(1)], ['elsewhere', null])
  await second.redis.replicaof('NO', 'ONE')
  assert.is(await said(onSecond, witness), 'elsewhere')
  await witnesses.announce(witness, 9)
  await follows(first, second)
  assert.equal([await said(witnesses, witness), await witnesses.announce(witness, 10)], ['elsewhere', 'elsewhere'])
  await first.redis.replicaof('NO', 'ONE')
  assert.is(await first.redis.get(key), '7', 'what it was told of is lost')
  assert.equal([await said(witnesses, witness), await witnesses.announce(witness, 10)], ['elsewhere', 'elsewhere'])
})

withServers('a server that does not say who it is has no witnesses, and throttles all the same', async () => {
  const { port, redis } = await started()
  await redis.call('ACL', 'SETUSER', 'plain', 'on', '>secret', '~*', '+@all', '-info')
  const { throttle, witnesses } = await connected(port, { username: 'plain', password: 'secret' })
  const other = await begun((await connected(port)).witnesses, 7)
  assert.instance(await rejection(witnesses.begin(7)), Error)
  for (let i = 0; i < 2; i++) {
    const [answer, state] = await Promise.all([witnesses.ask(other), throttle.check('k')])
    assert.equal([answer, state], ['elsewhere', { blocked: false, failures: 0 }])
  }
})

test.run()

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { LiveHub } from '../../src/app/live.js'
import { migrateDatabase } from '../../src/app/start.js'
import { parseConfig } from '../../src/config/load.js'
import type { RedisServer, TlsConfig } from '../../src/config/types.js'
import { connectRedisThrottle } from '../../src/throttle/redis.js'
import { ThrottleUnavailable } from '../../src/throttle/throttle.js'
import { rejection } from '../log/faults.js'
import { temporaryDirectory } from '../support/databases.js'
import { type PrivateRedis, startPrivateRedis } from '../support/redis-service.js'
import { suite } from '../support/suite.js'
import { counts } from '../throttle/counting.js'
import { needing, type TlsSetting, tlsSetting } from './setting.js'

const test = suite('redis over TLS alone')
const withServer = await needing(test, ['redis-server'], ['openssl'])

let setting: TlsSetting
let server: PrivateRedis

test.before(async () => {
  setting = await tlsSetting()
  const started = await startPrivateRedis({
    files: setting.files,
    isEncrypted: true,
    args: ['--user', 'hub', 'on', '>secret', '~*', '&*', '+@all']
  })
  assert.ok(started, 'no redis-server on PATH')
  server = started
})
test.after(() => server?.stop())

const at = (tls?: TlsConfig): RedisServer => ({
  host: 'localhost',
  port: server.port,
  db: 0,
  keyPrefix: 'hub',
  ...(tls && { tls })
})

async function refusal(address: RedisServer): Promise<string> {
  const error = await rejection(connectRedisThrottle(address))
  assert.instance(error, ThrottleUnavailable)
  return String(error instanceof Error && error.message)
}

withServer('it counts failures', () => counts(at(setting.tls)))

withServer('a name and its password let a client in', async () => {
  await counts({ ...at(setting.tls), username: 'hub', password: 'secret' })
  assert.match(await refusal({ ...at(setting.tls), username: 'hub', password: 'wrong' }), 'WRONGPASS')
})

withServer('without TLS it refuses', async () => {
  assert.match(await refusal(at()), 'cannot be used')
})

withServer('a certificate of somebody else is refused, unless any is taken', async () => {
  assert.match(await refusal(at({ ...setting.tls, ca: setting.stranger.ca })), 'certificate')
  await counts(at({ rejectUnauthorized: false }))
})

withServer('the certificate must name the host, or the servername that is given', async () => {
  assert.match(await refusal({ ...at(setting.tls), host: '127.0.0.1', port: server.port }), 'is not in the cert')
  await counts({ ...at({ ...setting.tls, servername: 'localhost' }), host: '127.0.0.1', port: server.port })
})

withServer(
  'a reload connects again where a file has another certificate, and tells what is wrong with it',
  async () => {
    const { path } = await temporaryDirectory()
    const ca = join(path, 'ca.pem')
    const sections = {
      server: { host: '127.0.0.1', port: 1 },
      db: { driver: 'sqlite', path: 'hub.sqlite' },
      redis: { url: `rediss://localhost:${server.port}`, tls: { ca: 'ca.pem' } }
    }
    const load = () => parseConfig(JSON.stringify(sections), 'server.yaml', path, {})
    writeFileSync(ca, setting.tls.ca ?? '')
    await migrateDatabase(load().config)
    const live = await LiveHub.open(load, () => pino({ level: 'silent' }))
    const reloaded = async () => (await live.reload()).sections.find(({ section }) => section === 'redis')
    try {
      assert.is((await reloaded())?.status, 'unchanged')
      writeFileSync(ca, setting.stranger.ca ?? '')
      const failed = await reloaded()
      assert.is(failed?.status, 'failed')
      assert.match(failed?.error ?? '', 'certificate')
      await live.hub.throttle.ping()
      writeFileSync(ca, `${setting.stranger.ca}${setting.tls.ca}`)
      assert.is((await reloaded())?.status, 'reloaded')
      writeFileSync(ca, 'nothing')
      assert.is((await live.reload()).fatalError, `server.yaml:1: redis.tls.ca: The file ${ca} holds no PEM text.`)
    } finally {
      await live.close()
    }
  }
)

test.run()

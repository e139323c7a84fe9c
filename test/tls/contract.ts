import * as assert from 'uvu/assert'
import { openStorage } from '../../src/app/databases.js'
import { openPlain } from '../../src/app/plainTables.js'
import type { MysqlConfig, PostgresConfig, TlsConfig } from '../../src/config/types.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import type { Body } from '../support/attempt.js'
import type { TlsSetting } from './setting.js'

/** A server that takes TLS alone. */
export interface TlsServer<C extends MysqlConfig | PostgresConfig> {
  readonly setting: () => TlsSetting
  /** How a hub is configured that calls it by this host. */
  readonly at: (host: string, tls?: TlsConfig) => C
  /** How it refuses who comes without. */
  readonly insecure: RegExp
}

async function uses(config: MysqlConfig | PostgresConfig): Promise<void> {
  const storage = await openStorage(config)
  try {
    await storage.schema.createTables()
    assert.is((await storage.head()).position, 0)
  } finally {
    await storage.close()
  }
}

/** Why a server cannot be used. */
export async function refusal(config: MysqlConfig | PostgresConfig): Promise<string> {
  const error = await rejection(openStorage(config))
  assert.instance(error, StorageUnavailable)
  return String(error instanceof Error && error.cause)
}

/** What every driver does with such a server. */
export function tlsContract<C extends MysqlConfig | PostgresConfig>(
  test: (name: string, body: Body) => void,
  { setting, at, insecure }: TlsServer<C>
): void {
  test('it is used for reading and writing, and for the tables of an older hub', async () => {
    await uses(at('localhost', setting().tls))
    const plain = await openPlain(at('localhost', setting().tls))
    assert.ok(((await plain?.names())?.size ?? 0) > 0)
    await plain?.close()
  })

  test('without TLS it refuses, and says so', async () => assert.match(await refusal(at('localhost')), insecure))

  test('a certificate of somebody else is refused, unless any is taken', async () => {
    assert.match(await refusal(at('localhost', { ...setting().tls, ca: setting().stranger.ca })), /certificate/)
    await uses(at('localhost', { rejectUnauthorized: false }))
  })

  test('the certificate must name the host, or the servername that is given', async () => {
    await uses(at('127.0.0.1', { ...setting().tls, servername: 'localhost' }))
    const elsewhere = at('localhost', { ...setting().tls, servername: 'db.example' })
    assert.match(await refusal(elsewhere), 'db.example. is not in the cert')
  })
}

import * as assert from 'uvu/assert'
import { openStorageToRead } from '../../src/app/databases.js'
import { databaseAdvice } from '../../src/ops/databaseAdvice.js'
import { withRetry } from '../../src/storage/sqlite/connection.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { parse } from '../config/parsing.js'
import { mysqlDatabase, postgresDatabase, temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const test = suite('advice about a database')

/** What is advised where a `db` section like this cannot be used. */
async function advised(section: object): Promise<string> {
  const { db } = parse({ db: `db: ${JSON.stringify(section)}` }).config
  const opened = await openStorageToRead(db)
    .then(
      async (storage) => storage.head().finally(() => storage.close()),
      (error: unknown) => error
    )
    .catch((error: unknown) => error)
  return databaseAdvice(opened)
}

const withCode = (code: string, message = 'no') =>
  new StorageUnavailable('It did not answer.', { cause: Object.assign(new Error(message), { code }) })

test('what the system, OpenSSL or the server says decides, and what nobody knows gets the usual one', () => {
  for (const [code, advice] of [
    ['ENOTFOUND', /^Its name is not found/],
    ['EAI_AGAIN', /^Its name is not found/],
    ['ETIMEDOUT', /firewall/],
    ['EACCES', /chown/],
    ['SQLITE_READONLY', /read-only/],
    ['SQLITE_FULL', /^No room is left on its disk/],
    ['SQLITE_IOERR_SHMSIZE', /^No room is left on its disk/],
    ['SQLITE_NOTADB', /^It is no database of SQLite/],
    ['SQLITE_CORRUPT', /restore a backup/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /db\.tls\.ca/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /db\.tls\.ca/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /db\.tls\.servername/],
    ['CERT_HAS_EXPIRED', /renew it/],
    ['28P01', /db\.user and db\.password/],
    ['53300', /db\.poolSize/],
    ['EWHATEVER', /^See that the database runs/]
  ] as const)
    assert.match(databaseAdvice(withCode(code)), advice, code)
  assert.match(
    databaseAdvice(withCode('28000', 'no pg_hba.conf entry for host "10.0.0.1", no encryption')),
    /pg_hba.*db\.tls/
  )
  assert.match(databaseAdvice(withCode('', 'timeout expired')), /firewall/)
  assert.match(databaseAdvice(withCode('', 'attempt to write a readonly database')), /chown/)
  const several = new StorageUnavailable('no', { cause: new AggregateError([new Error('a'), withCode('ENOTFOUND')]) })
  assert.match(databaseAdvice(several), /^Its name is not found/)
})

test('a code that the driver of SQLite has no name for is that of its kind', async () => {
  const error = Object.assign(new Error('attempt to write a readonly database'), { code: 'UNKNOWN_SQLITE_ERROR_1544' })
  const thrown = await withRetry(() => Promise.reject(error)).catch((thrown: unknown) => thrown)
  assert.instance(thrown, StorageUnavailable)
  assert.is(String(thrown), 'StorageUnavailable: The database file cannot be used (SQLITE_READONLY).')
})

test('a file that is not there is to be made, and a port without anybody has nobody who listens', async () => {
  const { path } = await temporaryDirectory()
  assert.match(await advised({ driver: 'sqlite', path: `${path}/none.sqlite` }), /^There is no such file.*hub migrate/)
  const login = { host: '127.0.0.1', port: await freePort(), user: 'u', password: 'p', database: 'd' }
  for (const driver of ['postgres', 'mysql']) assert.match(await advised({ driver, ...login }), /^Nobody listens there/)
})
test.run()

const served = suite('advice about a database that answers', { needs: ['postgres', 'mysql'] })
served('a wrong password, a database that is missing and a server that encrypts nothing are told apart', async () => {
  const databases = [await postgresDatabase('advice'), await mysqlDatabase('advice')]
  for (const one of databases) {
    assert.ok(one)
    const { driver, host, port, user, password, database } = one.config
    const section = { driver, host, port, user, password, database }
    assert.match(await advised({ ...section, database: 'none_of_this_name' }), /^The server has no such database/)
    assert.match(
      await advised({ ...section, user: 'none_of_this_name', password: 'x' }),
      /^The server refuses the login/
    )
  }
})
served.run()

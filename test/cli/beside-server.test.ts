import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type PostgresDatabase, postgresDatabase } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { type Suite, suite } from '../support/suite.js'
import { type Home, newHome, postgresSection } from './support.js'

const signedIn = z.object({ user: z.object({ id: z.string(), name: z.string(), role: z.string() }) })

const created = z.object({
  user: z.looseObject({ id: z.string() }),
  token: z.looseObject({ id: z.string() }),
  secret: z.string()
})

function besideServer(test: Suite, db: () => Promise<string | undefined>): void {
  let home: Home
  let port: number

  test.before(async () => {
    home = await newHome()
    port = await freePort()
    const section = await db()
    home.configure({ port, ...(section !== undefined && { db: section }) })
    await home.here('migrate')
    await home.start()
  })

  const ask = (secret: string, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${secret}` } })

  test('what the command line changes is in force on the next request', async () => {
    const options = ['--role', 'user', '--collection-access', '*']
    const ada = created.parse(await home.json('user', 'create', '--name', 'Ada', ...options))
    assert.is((await ask(ada.secret, '/auth/session')).status, 200)
    await home.here('user', 'update', ada.user.id, '--name', 'Ada L.')
    const { user } = signedIn.parse(await (await ask(ada.secret, '/auth/session')).json())
    assert.equal(user, { id: ada.user.id, name: 'Ada L.', role: 'user' })
    assert.is((await home.here('user', 'token', 'revoke', ada.token.id, '--yes')).code, 0)
    assert.is((await ask(ada.secret, '/auth/session')).status, 401)
  })

  test('several commands at once lose nothing', async () => {
    const names = ['one', 'two', 'three', 'four']
    const made = await Promise.all(
      names.map((name) => home.json('user', 'create', '--name', name, '--role', 'admin').then(created.parse))
    )
    for (const { secret } of made) assert.is((await ask(secret, '/admin/users')).status, 200)
  })
}

const onSqlite = suite('commands beside a server on SQLite')
besideServer(onSqlite, async () => undefined)
onSqlite.run()

const onPostgres = suite('commands beside a server on Postgres', { needs: ['postgres'] })
let database: PostgresDatabase | null = null
besideServer(onPostgres, async () => {
  database = await postgresDatabase('cli')
  return database ? postgresSection(database.config) : undefined
})
onPostgres.run()

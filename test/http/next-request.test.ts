import * as assert from 'uvu/assert'
import type { HubClient, Schemas } from '../../clients/typescript/src/index.js'
import type { Command } from '../../commands/index.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { drivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { configOf } from './support.js'
import { statusOf } from './world.js'

for (const driver of drivers) {
  const { test, world } = hubSuite('the very next request', driver)

  const by = (token: string) => world.client({ token }).request
  const send: HubClient['request'] = (...asked) => by(world.admin.token)(...asked)
  const status = (token: string) => statusOf(by(token)('GET', '/collections'))
  const manages = (token: string) => statusOf(by(token)('GET', '/admin/users'))
  const change = (id: string, body: Schemas['UpdateUserBody']) =>
    send('PUT', '/admin/users/{id}', { path: { id }, body })

  /** Runs a command in another process, as the command line does: with a ledger of its own. */
  const elsewhere = async (command: Command) => {
    const ledger = await openReadyLedger(configOf(world.hub.place))
    await ledger.run(command, systemOrigin)
    await ledger.close()
  }

  test('a token that is revoked or deleted, and those of a deleted user, are 401; other tokens work', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const path = { id: two.id }
    const { secret } = (await send('POST', '/admin/users/{id}/tokens', { path, body: { name: 'other' } })).body
    const now = () => Promise.all([one.token, two.token, secret].map(status))
    assert.equal(await now(), [200, 200, 200])
    await world.hub.run({ type: 'RevokeToken', id: one.tokenId })
    assert.equal(await now(), [401, 200, 200])
    await send('DELETE', '/admin/tokens/{id}', { path: { id: two.tokenId } })
    assert.equal(await now(), [401, 401, 200])
    await send('DELETE', '/admin/users/{id}', { path })
    assert.equal(await now(), [401, 401, 401])
  })

  test('access that is given or taken counts at once', async () => {
    const collectionId = await world.collection()
    const { id, token } = await world.user()
    const folders = () => statusOf(by(token)('GET', '/collections/{collectionId}/folders', { path: { collectionId } }))
    const ids = async () => (await by(token)('GET', '/collections')).body.collections.map((one) => one.id)
    assert.equal([await folders(), await ids()], [403, []])
    await change(id, { collectionAccess: [collectionId] })
    assert.equal([await folders(), await ids()], [200, [collectionId]])
    await change(id, { collectionAccess: [] })
    assert.equal([await folders(), await ids()], [403, []])
  })

  test('another role and LLM access count at once', async () => {
    const { id, token } = await world.user()
    const capabilities = async () => {
      const { dataApi, managementApi, llm } = (await by(token)('GET', '/auth/session')).body.capabilities
      return { dataApi, managementApi, llm }
    }
    await change(id, { llmAccess: true })
    assert.equal(await capabilities(), { dataApi: true, managementApi: false, llm: true })
    await change(id, { role: 'admin' })
    assert.equal(await capabilities(), { dataApi: false, managementApi: true, llm: false })
    assert.is(await manages(token), 200)
  })

  test('what another process has done counts at once', async () => {
    const { id, token, tokenId } = await world.user()
    const other = await world.user()
    assert.equal([await status(token), await status(other.token)], [200, 200])
    await elsewhere({ type: 'RevokeToken', id: tokenId })
    assert.is(await status(token), 401)
    await elsewhere({ type: 'UpdateUser', id: other.id, changes: { role: 'admin' } })
    assert.is(await manages(other.token), 200)
    await elsewhere({ type: 'DeleteUser', id: other.id })
    assert.is(await status(other.token), 401)
    const users = (await send('GET', '/admin/users')).body.users.map((user) => user.id)
    assert.equal([users.includes(id), users.includes(other.id)], [true, false])
  })

  test('a token’s first use shows in the list of tokens', async () => {
    const { token, tokenId } = await world.user()
    const used = async () => {
      const { tokens } = (await send('GET', '/admin/tokens')).body
      return tokens.find(({ id }) => id === tokenId)?.lastUsedAt
    }
    assert.is(await used(), null)
    const before = new Date().toISOString()
    await status(token)
    const at = String(await used())
    assert.ok(before <= at && at <= new Date().toISOString(), at)
  })

  test.run()
}

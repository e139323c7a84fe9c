import * as assert from 'uvu/assert'
import { fields, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded } from './world.js'

const { test, world } = hubSuite('groups, and accounts that are disabled', sqlite)

let made = 0
/** A group that gives this; returns its id, and how somebody comes in and goes out. */
async function group(content: object) {
  const by = world.by(world.admin)
  const id = text(succeeded(await by.post('/admin/groups', { name: `Group ${++made}`, ...content })).body, 'id')
  const at = ({ id: user }: Account) => `/admin/groups/${id}/members/${user}`
  return {
    id,
    async takes(one: Account) {
      succeeded(await by.put(at(one)))
    },
    async leaves(one: Account) {
      succeeded(await by.delete(at(one)))
    },
    async becomes(changes: object) {
      succeeded(await by.put(`/admin/groups/${id}`, changes))
    }
  }
}

test('what a group gives is in force with the next request of its members, and gone with it', async () => {
  const [id, user] = [await world.collection(), await world.user()]
  const folders = async () => (await world.by(user).get(`/collections/${id}/folders`)).status
  const team = await group({ collectionAccess: [id] })
  assert.is(await folders(), 403)
  await team.takes(user)
  assert.is(await folders(), 200)
  await team.becomes({ collectionAccess: [] })
  assert.is(await folders(), 403)
  await team.becomes({ collectionAccess: ['*'] })
  assert.is(await folders(), 200)
  await team.leaves(user)
  assert.is(await folders(), 403)
})

test('a token with a collection as scope is cut of what a group gives too', async () => {
  const [inside, outside, user] = [await world.collection(), await world.collection(), await world.user()]
  await (await group({ collectionAccess: [inside, outside] })).takes(user)
  const body = { name: 'one', scopes: ['read', `collection:${inside}`] }
  const token = text(succeeded(await world.by(user).post('/auth/tokens', body)).body, 'secret')
  const statuses = [inside, outside].map(async (id) => {
    return (await world.hub.send({ method: 'GET', path: `/collections/${id}`, token })).status
  })
  assert.equal(await Promise.all(statuses), [200, 403])
})

test('models come by a group, as the session says', async () => {
  const user = await world.user()
  const team = await group({ llmAccess: true, llmModels: ['*'] })
  const mayUse = async () => fields(fields((await world.by(user).get('/auth/session')).body).capabilities).llm
  assert.is(await mayUse(), false)
  await team.takes(user)
  assert.is(await mayUse(), true)
})

test('streams of an account that is disabled end, and its tickets open nothing', async () => {
  const user = await world.user({ collectionAccess: ['*'] })
  const headers = { authorization: `Bearer ${user.token}` }
  const stream = await fetch(`${world.hub.url}/changes`, { headers })
  assert.is(stream.status, 200)
  const { ticket } = fields(succeeded(await world.by(user).post('/changes/tickets')).body)
  succeeded(await world.by(world.admin).post(`/admin/users/${user.id}/disable`))
  await stream.text()
  assert.is((await fetch(`${world.hub.url}/changes?ticket=${ticket}`)).status, 401)
  await world.refused(401, () => world.by(user).get('/collections'), 'Unauthorized')
})

test('a disabled account redeems no invitation', async () => {
  const user = await world.user()
  const link = succeeded(await world.by(user).post('/auth/desktop-link')).body
  succeeded(await world.by(world.admin).post(`/admin/users/${user.id}/disable`))
  const redeem = () =>
    world.hub.send({ method: 'POST', path: '/auth/invitations/redeem', body: { secret: text(link, 'secret') } })
  await world.refused(410, redeem)
  succeeded(await world.by(world.admin).post(`/admin/users/${user.id}/enable`))
  succeeded(await redeem())
})

test.run()

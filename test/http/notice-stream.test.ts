import * as assert from 'uvu/assert'
import { records, text } from './client.js'
import { requestContent } from './content.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { Listener } from './listener.js'
import { type Account, startBeside } from './support.js'
import { succeeded } from './world.js'

const PATH = '/notices/stream'

for (const driver of [sqlite, postgres]) {
  const { test, world } = hubSuite('the stream of notices', driver)

  const team = async () => {
    const collectionId = await world.collection()
    const access = { collectionAccess: [collectionId] }
    const [ada, bob] = [await world.user(access), await world.user(access)]
    return { collectionId, id: await world.request(collectionId), ada, bob }
  }
  const save = async (one: Account, id: string, collectionId: string, name: string) =>
    void succeeded(await world.by(one).put(`/requests/${id}`, { ...requestContent, collectionId, name }))
  const follow = async (account: Account) => {
    const one = new Listener(world.hub.url)
    assert.is(await one.open(PATH, account), 200)
    return one
  }

  test('a notice is told when it comes, with the count of then, and nothing of what somebody does themselves', async () => {
    const { collectionId, id, ada, bob } = await team()
    const [one, own] = [await follow(bob), await follow(ada)]
    const second = await world.request(collectionId)
    await save(ada, id, collectionId, 'One')
    await one.hears(1)
    await save(ada, second, collectionId, 'Two')
    await one.hears(2)
    const notice = (noticeId: string, unreadCount: number) => ({ v: 1, type: 'notice.created', noticeId, unreadCount })
    assert.equal(one.told, [notice(id, 1), notice(second, 2)])
    assert.equal(own.told, [])
    for (const each of [one, own]) each.close()
  })

  test('who comes back with the last id is told what came meanwhile', async () => {
    const { collectionId, id, ada, bob } = await team()
    const one = await follow(bob)
    await save(ada, id, collectionId, 'One')
    await one.hears(1)
    one.close()
    await save(ada, id, collectionId, 'Two')
    await save(ada, id, collectionId, 'Three')
    await one.open(PATH, bob)
    await one.hears(2)
    const again = await follow(bob)
    await save(ada, id, collectionId, 'Four')
    await again.hears(1)
    for (const each of [one, again]) each.close()
  })

  test('the stream tells nothing of what its account may not see any more, and ends with the account or its token', async () => {
    const { collectionId, id, ada, bob } = await team()
    const elsewhere = await world.collection()
    const seen = await world.request(elsewhere)
    const admin = world.by(world.admin)
    const [one, other] = [await follow(bob), await follow(ada)]
    succeeded(await admin.put(`/admin/users/${bob.id}`, { collectionAccess: [elsewhere] }))
    await save(ada, id, collectionId, 'Unseen')
    await save(world.owner, seen, elsewhere, 'Seen')
    await one.hears(1)
    assert.equal([one.told[0]?.noticeId, one.told[0]?.unreadCount], [seen, 1])
    succeeded(await admin.delete(`/admin/users/${bob.id}`))
    succeeded(await admin.delete(`/admin/tokens/${ada.tokenId}`))
    for (const each of [one, other]) await each.ended()
    assert.is(await one.open(PATH, bob), 401)
  })

  test('what is written at another hub on the same database is told, and what is read there is read here', async () => {
    const { collectionId, id, ada, bob } = await team()
    const beside = await startBeside(world.hub)
    const one = await follow(bob)
    try {
      const body = { ...requestContent, collectionId, name: 'Beside' }
      succeeded(await beside.send({ method: 'PUT', path: `/requests/${id}`, token: ada.token, body }))
      await one.hears(1)
      succeeded(await beside.send({ method: 'POST', path: '/notices/read-all', token: bob.token }))
      assert.equal((await world.by(bob).get('/notices/unread-count')).body, { count: 0 })
    } finally {
      one.close()
      await beside.close()
    }
  })

  test('a browser opens it with a ticket, and who asks for the head alone has the answer at once', async () => {
    const { bob } = await team()
    const ticket = text(succeeded(await world.by(bob).post('/changes/tickets')).body, 'ticket')
    const one = new Listener(world.hub.url)
    assert.is(await one.open(`${PATH}?ticket=${ticket}`), 200)
    one.close()
    for (let i = 0; i < 9; i++) {
      const reply = await world.hub.send({ method: 'HEAD', path: PATH, token: bob.token })
      assert.equal([reply.status, reply.text], [200, ''])
    }
  })

  test('to ask for the head of a stream answers the headers of the stream, and compresses it no more than that', async () => {
    const { token } = await world.user()
    const told = ['content-type', 'content-encoding', 'vary', 'cache-control', 'x-accel-buffering', 'ratelimit-policy']
    for (const path of [PATH, '/changes', '/changes?after=0']) {
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map(async (method) => {
          const { headers } = await world.hub.send({ method, path, token, headers: { 'accept-encoding': 'gzip' } })
          return told.map((name) => [name, headers[name]])
        })
      )
      assert.equal(head, got)
    }
  })

  test('over a new throttle store the stream goes on, and over a new database connection it ends for its client to come back', async () => {
    const { collectionId, id, ada, bob } = await team()
    const { db, redis } = world.hub.place
    const reload = async (sections: object) => {
      world.hub.reconfigure({ ...sections })
      const report = succeeded(await world.by(world.admin).post('/admin/config/reload'))
      return records(report, 'sections').flatMap(({ section, status }) => (status === 'reloaded' ? [section] : []))
    }
    const one = await follow(bob)
    assert.equal(await reload({ redis: { ...redis, maxFailures: 999_999 } }), ['redis'])
    for (const [i, name] of ['One', 'Two'].entries()) {
      await save(ada, id, collectionId, name)
      await one.hears(i + 1)
    }
    const another = db.driver === 'sqlite' ? { path: db.path.replace('hub.sqlite', './hub.sqlite') } : { poolSize: 2 }
    // Whoever follows a log looks every five seconds, and need not here.
    const { tail, readModel } = world.hub.hub.ledger
    let isWoken = false
    void tail.waitForEvents(readModel.head.position, new AbortController().signal).then(() => {
      isWoken = true
    })
    assert.equal(await reload({ redis: { ...redis, maxFailures: 999_999 }, db: { ...db, ...another } }), ['db'])
    assert.ok(isWoken)
    await one.ended()
    await save(ada, id, collectionId, 'Three')
    await one.open(PATH, bob)
    await one.hears(3)
    one.close()
  })

  test('the stream of an administrator goes by the configuration of now', async () => {
    const { collectionId, id, ada } = await team()
    const { redis } = world.hub.place
    const reload = async (adminDataApi: boolean) => {
      world.hub.reconfigure({ redis, client: { adminDataApi } })
      succeeded(await world.by(world.admin).post('/admin/config/reload'))
    }
    await reload(true)
    const one = await follow(world.admin)
    await save(ada, id, collectionId, 'One')
    await one.hears(1)
    await reload(false)
    await save(ada, id, collectionId, 'Two')
    await one.ended()
    assert.is(one.told.length, 1)
    await reload(true)
    assert.is(await one.open(PATH, world.admin), 200)
    one.close()
    await reload(false)
  })

  test.run()
}

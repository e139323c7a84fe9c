import { get, type IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { fields, records, text } from './client.js'
import { requestContent } from './content.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { type Account, startBeside, until } from './support.js'
import { succeeded, type World } from './world.js'

const event = z.strictObject({
  v: z.literal(1),
  type: z.literal('notice.created'),
  noticeId: z.string(),
  unreadCount: z.int()
})

/** A client of the stream that remembers where it was. */
class Listener {
  readonly told: z.infer<typeof event>[] = []
  lastId: string | undefined
  #response: IncomingMessage | undefined

  constructor(readonly url: string) {}

  open({ token }: Account, path = '/notices/stream'): Promise<number> {
    const headers = {
      ...(path === '/notices/stream' && { authorization: `Bearer ${token}` }),
      ...(this.lastId !== undefined && { 'last-event-id': this.lastId })
    }
    return new Promise((resolve, reject) => {
      get(`${this.url}${path}`, { headers, agent: false }, (response) => {
        this.#response = response.setEncoding('utf8')
        let rest = ''
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) {
            if (line.startsWith('id: ')) this.lastId = line.slice(4)
            if (line.startsWith('data: ')) this.told.push(event.parse(JSON.parse(line.slice(6))))
          }
        })
        response.on('error', () => {})
        resolve(response.statusCode ?? 0)
      }).on('error', reject)
    })
  }

  get isOpen(): boolean {
    return this.#response !== undefined && !this.#response.closed && !this.#response.complete
  }

  close(): void {
    this.#response?.destroy()
    this.#response = undefined
  }

  /** Resolves when so many were told. */
  async hears(count: number): Promise<void> {
    await until(() => (this.told.length >= count ? true : null))
    assert.is(this.told.length, count)
  }
}

for (const driver of [sqlite, postgres]) {
  let world: World
  const test = hubSuite('the stream of notices', driver, (made) => {
    world = made
  })

  const team = async () => {
    const collectionId = await world.collection()
    const access = { collectionAccess: [collectionId] }
    const [ada, bob] = [await world.user(access), await world.user(access)]
    return { collectionId, id: await world.request(collectionId), ada, bob }
  }
  const save = async (one: Account, id: string, collectionId: string, name: string) =>
    void succeeded(await world.by(one).put(`/requests/${id}`, { ...requestContent, collectionId, name }))

  test('a notice is told when it comes, with the count of then, and nothing of what somebody does themselves', async () => {
    const { collectionId, id, ada, bob } = await team()
    const [one, own] = [new Listener(world.hub.url), new Listener(world.hub.url)]
    assert.equal([await one.open(bob), await own.open(ada)], [200, 200])
    const second = await world.request(collectionId)
    await save(ada, id, collectionId, 'One')
    await one.hears(1)
    await save(ada, second, collectionId, 'Two')
    await one.hears(2)
    assert.equal(
      one.told.map(({ noticeId, unreadCount }) => [noticeId, unreadCount]),
      [
        [id, 1],
        [second, 2]
      ]
    )
    assert.equal(own.told, [])
    for (const each of [one, own]) each.close()
  })

  test('who comes back with the last id is told what came meanwhile', async () => {
    const { collectionId, id, ada, bob } = await team()
    const one = new Listener(world.hub.url)
    await one.open(bob)
    await save(ada, id, collectionId, 'One')
    await one.hears(1)
    one.close()
    await save(ada, id, collectionId, 'Two')
    await save(ada, id, collectionId, 'Three')
    await one.open(bob)
    await one.hears(2)
    const again = new Listener(world.hub.url)
    await again.open(bob)
    await save(ada, id, collectionId, 'Four')
    await again.hears(1)
    for (const each of [one, again]) each.close()
  })

  test('the stream ends with its token, and an administrator has none', async () => {
    const { ada } = await team()
    const one = new Listener(world.hub.url)
    await one.open(ada)
    await world.hub.run({ type: 'RevokeToken', id: ada.tokenId })
    await until(() => (one.isOpen ? null : true))
    assert.is(await one.open(ada), 401)
    assert.is(await one.open(world.admin), 403)
    one.close()
  })

  test('the stream tells nothing of what its account may not see any more, and ends with the account or its token', async () => {
    const { collectionId, id, ada, bob } = await team()
    const elsewhere = await world.collection()
    const seen = await world.request(elsewhere)
    const admin = world.by(world.admin)
    const [one, other] = [new Listener(world.hub.url), new Listener(world.hub.url)]
    assert.equal([await one.open(bob), await other.open(ada)], [200, 200])
    succeeded(await admin.put(`/admin/users/${bob.id}`, { collectionAccess: [elsewhere] }))
    await save(ada, id, collectionId, 'Unseen')
    await save(world.owner, seen, elsewhere, 'Seen')
    await one.hears(1)
    assert.equal([one.told[0]?.noticeId, one.told[0]?.unreadCount], [seen, 1])
    succeeded(await admin.delete(`/admin/users/${bob.id}`))
    succeeded(await admin.delete(`/admin/tokens/${ada.tokenId}`))
    for (const each of [one, other]) await until(() => (each.isOpen ? null : true))
  })

  test('what is written at another hub on the same database is told, and what is read there is read here', async () => {
    const { collectionId, id, ada, bob } = await team()
    const beside = await startBeside(world.hub)
    const one = new Listener(world.hub.url)
    try {
      await one.open(bob)
      const body = { ...requestContent, collectionId, name: 'Beside' }
      succeeded(await beside.send({ method: 'PUT', path: `/requests/${id}`, token: ada.token, body }))
      await one.hears(1)
      const all = { method: 'POST', path: '/notices/read-all', token: bob.token }
      succeeded(await beside.send(all))
      assert.equal((await world.by(bob).get('/notices/unread-count')).body, { count: 0 })
    } finally {
      one.close()
      await beside.close()
    }
  })

  test('a browser opens it with a ticket, and who asks for the head alone has the answer at once', async () => {
    const { bob } = await team()
    const ticket = text(fields(succeeded(await world.by(bob).post('/changes/tickets')).body), 'ticket')
    const one = new Listener(world.hub.url)
    assert.is(await one.open(bob, `/notices/stream?ticket=${ticket}`), 200)
    one.close()
    for (let i = 0; i < 9; i++) {
      const reply = await world.hub.send({ method: 'HEAD', path: '/notices/stream', token: bob.token })
      assert.equal([reply.status, reply.text], [200, ''])
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
    const one = new Listener(world.hub.url)
    await one.open(bob)
    assert.equal(await reload({ redis: { ...redis, maxFailures: 999_999 } }), ['redis'])
    await save(ada, id, collectionId, 'One')
    await one.hears(1)
    await save(ada, id, collectionId, 'Two')
    await one.hears(2)
    const another = db.driver === 'sqlite' ? { path: db.path.replace('hub.sqlite', './hub.sqlite') } : { poolSize: 2 }
    assert.equal(await reload({ redis: { ...redis, maxFailures: 999_999 }, db: { ...db, ...another } }), ['db'])
    await until(() => (one.isOpen ? null : true))
    await save(ada, id, collectionId, 'Three')
    await one.open(bob)
    await one.hears(3)
    one.close()
  })

  test.run()
}

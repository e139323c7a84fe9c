import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { z } from 'zod'
import type { StoredEvent } from '../../src/log/event.js'
import { pages } from '../../src/log/pages.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { change, changePage } from './shapes.js'
import { type Account, startBeside, until } from './support.js'
import { succeeded, type World } from './world.js'

const SEED = Number(process.env.HUB_TEST_SEED ?? 20260301)
const CLIENTS = 200
const DROPS = Number(process.env.HUB_TEST_DROPS ?? 2000)
const WRITERS = 20
/** What is tested is coming back in the middle of writes, and not how many writes there can be. */
const WRITE_PAUSE_MS = 50

type Change = z.infer<typeof change>

/** A client of the feed that remembers where it was, as a browser does. */
class Follower {
  readonly seen: Change[] = []
  lastId: string | undefined
  #response: IncomingMessage | undefined
  #text = ''

  constructor(
    readonly url: string,
    readonly token: string,
    from?: number
  ) {
    this.lastId = from === undefined ? undefined : String(from)
  }

  /** Connects, or throws the status that it was refused with. */
  connect(): Promise<void> {
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${this.token}`,
      ...(this.lastId !== undefined && { 'last-event-id': this.lastId })
    }
    return new Promise((resolve, reject) => {
      get(`${this.url}/changes`, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}`))
        this.#response = response
        this.#text = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => this.#take(text))
        response.on('error', () => {})
        resolve()
      }).on('error', reject)
    })
  }

  get isOpen(): boolean {
    return this.#response !== undefined && !this.#response.closed && !this.#response.complete
  }

  drop(): void {
    this.#response?.destroy()
    this.#response = undefined
  }

  #take(text: string): void {
    this.#text += text
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const lines = this.#text.slice(0, end).split('\n')
      this.#text = this.#text.slice(end + 2)
      for (const line of lines) {
        if (line.startsWith('id: ')) this.lastId = line.slice(4)
        if (line.startsWith('data: ')) this.seen.push(change.parse(JSON.parse(line.slice(6))))
      }
    }
  }
}

for (const driver of [sqlite, postgres]) {
  let world: World
  const test = hubSuite('the feed of changes', driver, (made) => {
    world = made
  })
  const follower = (account: Account, from?: number) => new Follower(world.hub.url, account.token, from)
  const reaches = (one: Follower, position: number) =>
    until(() => ((one.seen.at(-1)?.position ?? 0) >= position ? true : null))

  test('what happens is told as it happens, to those who may see it, without its content', async () => {
    const [own, other] = [await world.collection(), await world.collection()]
    const insider = await world.user({ collectionAccess: [own] })
    const [inside, all] = [follower(insider), follower(world.admin)]
    await Promise.all([inside.connect(), all.connect()])
    const request = await world.request(own)
    await world.request(other)
    await world.folder(own)
    await Promise.all([reaches(inside, world.position()), reaches(all, world.position())])
    assert.equal(
      inside.seen.map(({ type, kind, collectionId }) => [type, kind, collectionId]),
      [
        ['RequestCreated', 'request', own],
        ['FolderCreated', 'folder', own]
      ]
    )
    assert.is(inside.seen[0]?.id, request)
    assert.is(all.seen.length, 3)
    for (const one of [inside, all]) one.drop()
  })

  test('who comes back with the last id misses nothing and gets nothing twice', async () => {
    const collection = await world.collection()
    const from = world.position()
    const one = follower(world.owner, from)
    await one.connect()
    await world.request(collection)
    await reaches(one, world.position())
    one.drop()
    for (let i = 0; i < 3; i++) await world.request(collection)
    await one.connect()
    await reaches(one, world.position())
    assert.equal(
      one.seen.map(({ position }) => position),
      [1, 2, 3, 4].map((i) => from + i)
    )
    one.drop()
  })

  test('access that is taken away counts from its own position on, and a revoked token ends the stream', async () => {
    const collection = await world.collection()
    const guest = await world.user({ collectionAccess: [collection] })
    const one = follower(guest)
    await one.connect()
    await world.request(collection)
    // Whether a change may be seen is decided when it is sent.
    await reaches(one, world.position())
    succeeded(await world.by(world.admin).put(`/admin/users/${guest.id}`, { collectionAccess: [] }))
    const loss = world.position()
    await world.request(collection)
    await reaches(one, loss)
    await world.hub.run({ type: 'RevokeToken', id: guest.tokenId })
    await until(() => (one.isOpen ? null : true))
    assert.equal(
      one.seen.map(({ type }) => type),
      ['RequestCreated', 'UserUpdated']
    )
    await one.connect().then(
      () => assert.unreachable('a revoked token was let in'),
      (error: Error) => assert.is(error.message, '401')
    )
  })

  test('pollers get the same page by page', async () => {
    const collection = await world.collection()
    const from = world.position()
    for (let i = 0; i < 5; i++) await world.request(collection)
    const { get } = world.by(world.owner)
    const first = changePage.parse(succeeded(await get(`/changes?after=${from}&limit=3`)).body)
    assert.equal([first.changes.length, first.position, first.more], [3, from + 3, true])
    const second = changePage.parse(succeeded(await get(`/changes?after=${first.position}&limit=3`)).body)
    assert.equal([second.changes.length, second.position, second.more], [2, from + 5, false])
  })

  test('what is written at another hub on the same database is told as well', async () => {
    const collection = await world.collection()
    const beside = await startBeside(world.hub)
    try {
      const one = follower(world.owner)
      await one.connect()
      const { token } = world.owner
      const body = { name: 'Beside', parentFolderId: null }
      succeeded(await beside.send({ method: 'POST', path: `/collections/${collection}/folders`, token, body }))
      await until(() => (one.seen.length > 0 ? true : null))
      assert.equal(
        one.seen.map(({ type, collectionId }) => [type, collectionId]),
        [['FolderCreated', collection]]
      )
      one.drop()
    } finally {
      await beside.close()
    }
  })

  test('who asks for the head alone has the answer at once, and opens no stream', async () => {
    const guest = await world.user()
    for (let i = 0; i < 9; i++) {
      const reply = await world.hub.send({ method: 'HEAD', path: '/changes', token: guest.token })
      assert.is(reply.status, 200)
    }
    const one = follower(guest)
    await one.connect()
    one.drop()
  })

  test('a ninth stream of one token is refused, and one that is closed makes room', async () => {
    const guest = await world.user()
    const open = Array.from({ length: 8 }, () => follower(guest))
    for (const one of open) await one.connect()
    const late = follower(guest)
    const refused = await late.connect().catch((error: Error) => error.message)
    assert.is(refused, '429')
    open[0]?.drop()
    await until(() =>
      late.connect().then(
        () => true as const,
        () => null
      )
    )
    for (const one of [...open, late]) one.drop()
  })

  test(
    `200 clients dropped ${DROPS} times at random (seed ${SEED}) while 20 writers write: no gap, no duplicate, nothing that they may not see`,
    async () => {
      const collections = await Promise.all(Array.from({ length: 5 }, () => world.collection()))
      const guests = await Promise.all(
        Array.from({ length: CLIENTS / 5 }, (_, i) =>
          world.user({ collectionAccess: collections.filter((_, c) => (i >> c) % 2 === 1) })
        )
      )
      const from = world.position()
      const clients = Array.from({ length: CLIENTS }, (_, i) => {
        const guest = guests[i % guests.length]
        if (!guest) throw new Error('There are no guests.')
        return { guest: i % guests.length, follower: follower(guest, from) }
      })
      await Promise.all(clients.map((client) => client.follower.connect()))
      const picks = fc.sample(fc.nat({ max: CLIENTS - 1 }), { seed: SEED, numRuns: DROPS })
      let isOver = false
      const writers = Array.from({ length: WRITERS }, async (_, i) => {
        for (; !isOver; await sleep(WRITE_PAUSE_MS)) await world.request(collections[i % 5] ?? '')
      })
      const workers = Array.from({ length: 20 }, async (_, worker) => {
        // Each client has one worker: two at once would open two streams.
        for (const [at, pick] of picks.filter((one) => one % 20 === worker).entries()) {
          if (at % 20 === 0) process.stdout.write('.')
          const client = clients[pick]
          if (!client) continue
          client.follower.drop()
          await client.follower.connect()
        }
      })
      await Promise.all(workers)
      isOver = true
      await Promise.all(writers)
      // A last word for everybody, so that each client is known to have come to the end.
      await Promise.all(collections.map((id) => world.folder(id)))
      const { storage } = world.hub.hub.ledger
      const log: StoredEvent[] = []
      const { position: head } = await storage.head()
      for await (const page of pages((after, limit) => storage.readLog(after, limit), from, head, 1000))
        log.push(...page)
      for (const { guest, follower: one } of clients) {
        const allowed = collections.filter((_, c) => (guest >> c) % 2 === 1)
        const expected = log.flatMap(({ position, payload }) =>
          allowed.some((id) => payload.text?.includes(`"collectionId":"${id}"`)) ? [position] : []
        )
        if (!one.isOpen) await one.connect()
        if (expected.length > 0) await reaches(one, expected.at(-1) ?? 0)
        assert.equal(
          one.seen.map(({ position }) => position),
          expected
        )
        one.drop()
      }
    },
    { timeout_ms: 90_000 }
  )

  test.run()
}

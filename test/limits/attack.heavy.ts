import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { postgresDatabase, redisSpace } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { counted, follow, type Sent } from './support/send.js'
import { besiege, type Siege } from './support/siege.js'

/** How many of everything: 1 is as many as once took a hub down. By default a quarter, so that all of these tests take less than ten minutes. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.25)
/** The heap of the hub in MB; 0 is Node's own choice. */
const HEAP_MB = Number(process.env.HUB_LIMITS_HEAP_MB ?? 512)
const MB = 1024 * 1024
const LIMIT_MS = 1_500_000
/** So many requests are sent at most for each that is to be taken. */
const TRIES = 4
/** At least twice as many failures as one address may have. */
const GUESSES = Math.max(200, 400 * SCALE)

const withId = z.object({ id: z.string() })
const MARKS = 'a\u0316\u0301\u0327\u0308'
const marks = (bytes: number) => MARKS.repeat(Math.ceil(bytes / Buffer.byteLength(MARKS)))
const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: Math.max(1, Math.round(count)) }, (_, i) => make(i))
const all = (count: number, make: (i: number) => Promise<Sent>) => Promise.all(times(count, make))

const auth = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
const request = (name: string, body = '') =>
  JSON.stringify({
    ...{ name, method: 'GET', url: 'https://api.example.com', headers: [], params: [], auth, body, bodyType: 'text' },
    ...{ preRequestScript: '', postRequestScript: '', comment: '' }
  })

async function created({ send, user }: Siege, path: string, body: string): Promise<string> {
  const { outcome, text } = await send('POST', path, { token: user, body, kept: Number.POSITIVE_INFINITY })
  assert.is(outcome, '200', text)
  return withId.parse(JSON.parse(text)).id
}

/** Requests without a token, or with one, that are too much to look at. */
async function tooMuchToRead(siege: Siege): Promise<void> {
  const { send, user, attack } = siege
  await attack('names of combining marks without a token', () =>
    all(20 * SCALE, () =>
      send('POST', '/auth/invitations/redeem', {
        body: JSON.stringify({ secret: `hbi_${'x'.repeat(43)}`, tokenName: marks(400_000) })
      })
    )
  )
  await attack('a collection named with 7 MB of combining marks', () =>
    all(4 * SCALE, () => send('POST', '/collections', { token: user, body: JSON.stringify({ name: marks(7 * MB) }) }))
  )
  await attack('open brackets without a token', () =>
    all(10 * SCALE, () => send('POST', '/auth/invitations/preview', { body: '['.repeat(4 * MB * SCALE) }))
  )
  await attack('open brackets with a token', () =>
    all(10 * SCALE, () => send('POST', '/run-results', { token: user, body: '['.repeat(4 * MB) }))
  )
  await attack('a run result of 700,000 keys', () => {
    const keys = times(700_000, (i) => `"${i.toString(36)}":1`).join(',')
    const body = `{"payload":{"harborclientExport":"request-run-results","results":[{${keys}}]}}`
    return all(4 * SCALE, () => send('POST', '/run-results', { token: user, body }))
  })
  await attack('bodies beyond the limit', () =>
    all(6 * SCALE, () =>
      send('POST', '/collections', { token: user, body: JSON.stringify({ name: 'x'.repeat(12 * MB) }) })
    )
  )
}

/** Bodies that come a byte at a time, and headers that never end. */
async function slowBodies({ attack, send, user, port }: Siege): Promise<void> {
  const sockets = times(200 * SCALE, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const head = `POST /auth/invitations/preview HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n`
    socket.write(head)
    return socket
  })
  const silent = times(20 * SCALE, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET /health HTTP/1.1\r\nHo')
    return socket
  })
  await attack('bodies that come a byte a second, beside somebody who works', async () => {
    const sent: Sent[] = []
    for (let i = 0; i < 20; i++) {
      for (const socket of sockets) if (!socket.destroyed) socket.write(' ')
      sent.push(await send('GET', '/collections', { token: user }))
      await sleep(1000)
    }
    assert.ok(
      sent.every(({ outcome }) => outcome === '200'),
      'Who works was not answered.'
    )
    return sent
  })
  await attack('the same go on', async () => {
    await sleep(25_000)
    const held = [...sockets, ...silent].filter(({ destroyed }) => !destroyed)
    assert.is(held.length, 0, 'What comes slowly is held.')
    return []
  })
}

/** Guesses of tokens from the address that others work from. */
async function guesses({ attack, send, user }: Siege): Promise<void> {
  await attack('unknown tokens', () =>
    all(GUESSES, (i) => send('GET', '/collections', { token: `hbk_${String(i).padStart(43, 'x')}` }))
  )
  await attack('a valid token from the same address', async () => {
    const sent = await all(20, () => send('GET', '/collections', { token: user }))
    assert.ok(
      sent.every(({ outcome }) => outcome === '200'),
      'A valid token was refused.'
    )
    return sent
  })
}

/** Content that is stored and then asked for, more of it than a process can hold. */
async function largeContent(siege: Siege): Promise<void> {
  const { send, user, admin, use } = siege
  const collection = await created(siege, '/collections', '{"name":"Large"}')
  const folder = await created(siege, `/collections/${collection}/folders`, '{"name":"Folder"}')
  const content = (mb: number, i: number) =>
    JSON.stringify({ name: `d${i}`, content: `${i}${'x'.repeat(mb * MB)}`, collectionId: collection })
  const document = await created(siege, `/collections/${collection}/documents`, content(1, 0))
  await use('versions of 1 MB', async () => {
    const sent: Sent[] = []
    for (const i of times(200 * SCALE, (i) => i)) {
      sent.push(await send('PUT', `/documents/${document}`, { token: user, body: content(1, i + 1) }))
    }
    return sent
  })
  await use('their history, one version at a time', () =>
    all(8 * SCALE, () => send('GET', `/documents/${document}/history?limit=1`, { token: user }))
  )
  await use('documents of 7.9 MB', async () => {
    const sent: Sent[] = []
    for (const i of times(100 * SCALE, (i) => i)) {
      const body = content(7.9, i).replace('}', `,"folderId":"${folder}"}`)
      sent.push(await send('POST', `/collections/${collection}/documents`, { token: user, body }))
    }
    return sent
  })
  await use('the list of them', () =>
    send('GET', `/collections/${collection}/documents`, { token: user, kept: 0 }).then(one)
  )
  await use('the list of them, by many at once', () =>
    all(20 * SCALE, () => send('GET', `/collections/${collection}/documents`, { token: user, kept: 0 }))
  )
  await use('the audit log of them', () =>
    all(4 * SCALE, () => send('GET', '/admin/audit?limit=200', { token: admin }))
  )
  await use('followers from the beginning', () => all(8 * SCALE, () => follow(siege.base, '/changes?after=0', user)))
  await use('the folder that they are in is deleted', () =>
    send('DELETE', `/folders/${folder}`, { token: user }).then(one)
  )
  await use('and comes back', () =>
    send('POST', '/admin/undelete', { token: admin, body: JSON.stringify({ kind: 'folder', id: folder }) }).then(one)
  )
}

/** A collection of many requests, its order and its past. */
async function largeCollection(siege: Siege): Promise<void> {
  const { send, user, admin, use } = siege
  const collection = await created(siege, '/collections', '{"name":"Many"}')
  const ids: string[] = []
  await use('requests of 10 KB', async () => {
    const sent: Sent[] = []
    await Promise.all(
      times(16, async () => {
        while (ids.length + 16 < 3000 * SCALE && sent.length < TRIES * 3000 * SCALE) {
          const path = `/collections/${collection}/requests`
          const answer = await send('POST', path, { token: user, body: request(`r${ids.length}`, 'x'.repeat(10_000)) })
          sent.push(answer)
          if (answer.outcome === '200') ids.push(withId.parse(JSON.parse(answer.text)).id)
        }
      })
    )
    assert.ok(ids.length + 16 >= 3000 * SCALE, `only ${ids.length} were taken: ${counted(sent)}`)
    return sent
  })
  await use('10 reorders', async () => {
    const sent: Sent[] = []
    for (let i = 0; i < 10; i++) {
      const body = JSON.stringify({ folderId: null, orderedRequestIds: ids.reverse() })
      sent.push(await send('PUT', `/collections/${collection}/requests/reorder`, { token: user, body }))
    }
    return sent
  })
  await use('the tree as it was', () =>
    all(4 * SCALE, () => send('GET', `/collections/${collection}/tree?at=${ids.length}`, { token: user, kept: 0 }))
  )
  await use('the audit log of the reorders', () =>
    all(4 * SCALE, () => send('GET', '/admin/audit?type=ItemsReordered&limit=200', { token: admin }))
  )
  await use('lists of all requests at once', () =>
    all(20 * SCALE, () => send('GET', `/collections/${collection}/requests`, { token: user, kept: 0 }))
  )
  await use('lists of all requests for clients that do not read', () =>
    unread(siege, `/collections/${collection}/requests`)
  )
  await use('the collection is deleted', () => send('DELETE', `/collections/${collection}`, { token: user }).then(one))
  const gone = JSON.stringify({ kind: 'collection', id: collection })
  await use('and comes back', () => send('POST', '/admin/undelete', { token: admin, body: gone }).then(one))
}

async function unread({ port, user, send }: Siege, path: string): Promise<readonly Sent[]> {
  const sockets = times(40 * SCALE, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer ${user}\r\n\r\n`)
    return socket
  })
  const sent: Sent[] = []
  for (let i = 0; i < 10; i++) {
    sent.push(await send('GET', '/auth/session', { token: user }))
    await sleep(500)
  }
  for (const socket of sockets) socket.destroy()
  return sent
}

const one = (sent: Sent): readonly Sent[] => [sent]

async function siegeOf(heap_mb: number | null, stores?: { db: string; redis: string }): Promise<void> {
  const siege = await besiege(heap_mb, stores)
  try {
    await tooMuchToRead(siege)
    // No database has to do with these.
    if (!stores) await slowBodies(siege)
    await guesses(siege)
    await largeCollection(siege)
    await largeContent(siege)
    await siege.verified('projections', 'verify')
    await siege.verified('audit', 'verify')
    await siege.verified('log', 'export', 'all.backup')
  } finally {
    await siege.end()
  }
}

const heap_mb = HEAP_MB === 0 ? null : HEAP_MB
const heap = heap_mb === null ? 'all the memory it wants' : `a heap of ${heap_mb} MB`

const embedded = suite(`attacks on a hub on SQLite with ${heap}`)
embedded('get 2xx, 4xx and 503, and the hub stays well', () => siegeOf(heap_mb), { timeout_ms: LIMIT_MS })
embedded.run()

const served = suite(`attacks on a hub on Postgres and Redis with ${heap}`, { needs: ['postgres', 'redis'] })
served(
  'get 2xx, 4xx and 503, and the hub stays well',
  async () => {
    const [database, space] = [await postgresDatabase('siege'), await redisSpace()]
    assert.ok(database && space)
    const { clear: _, ...redis } = space
    await siegeOf(heap_mb, { db: JSON.stringify(database.config), redis: JSON.stringify(redis) })
  },
  { timeout_ms: LIMIT_MS }
)
served.run()

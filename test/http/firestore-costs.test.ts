import * as assert from 'uvu/assert'
import { requestContent as changedContent } from '../../bench/http/content.js'
import type { DocumentCounts } from '../../src/storage/storage.js'
import { requestContent } from './content.js'
import { firestore } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { startBeside, type TestHub, until } from './support.js'
import { succeeded } from './world.js'

const REQUESTS = 10
/** A look at the head beside the requests may fall into some of the attempts, but not into all. */
const ATTEMPTS = 20

const { test, world } = hubSuite('costs', firestore)
test.before(async () => {
  // What follows commits later would be counted with what is asked meanwhile.
  await world.hub.hub.ledger.indexer.stop()
})

/** What was asked of Firestore so far. */
function countsOf({ hub }: Pick<TestHub, 'hub'>): DocumentCounts {
  const counts = hub.ledger.storage.documents()
  if (!counts) throw new Error('Firestore counts documents.')
  return counts
}

/** Asks for paths again and again until each request of a round has read one document; fails where no round has. */
async function costsOneLook(paths: readonly string[]): Promise<void> {
  const read: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = countsOf(world.hub)
    for (let i = 0; i < REQUESTS; i++) for (const path of paths) succeeded(await world.by(world.owner).get(path))
    const after = countsOf(world.hub)
    read.push(after.read - before.read)
    if (read.at(-1) === REQUESTS * paths.length) return
  }
  throw new Error(`${REQUESTS} times ${paths.join(', ')} read documents: ${read.join(', ')}.`)
}

test('a session and lists that are cached read one document, the end of the log', async () => {
  const collectionId = await world.collection()
  for (let i = 0; i < 3; i++) await world.request(collectionId)
  await costsOneLook(['/auth/session', '/collections', `/collections/${collectionId}/requests`])
})

test('what another hub has written is read once, and then nothing but the end of the log', async () => {
  const collectionId = await world.collection()
  const path = `/collections/${collectionId}/requests`
  await costsOneLook([path])
  const other = await startBeside(world.hub)
  try {
    const body = { ...requestContent, folderId: null }
    succeeded(await other.send({ method: 'POST', path, token: world.owner.token, body }))
    const before = countsOf(world.hub)
    const { body: answer } = succeeded(await world.by(world.owner).get(path))
    assert.match(JSON.stringify(answer), requestContent.name)
    assert.ok(countsOf(world.hub).read > before.read)
    await costsOneLook([path])
  } finally {
    await other.close()
  }
})

test('a move among siblings that are known reads none of them', async () => {
  const collectionId = await world.collection()
  const ids = await Promise.all(Array.from({ length: REQUESTS }, () => world.request(collectionId)))
  await costsOneLook(['/auth/session', `/collections/${collectionId}/requests`])
  const before = countsOf(world.hub)
  for (const [i, id] of ids.entries()) {
    const body = { folderId: null, index: REQUESTS - 1 - i }
    succeeded(await world.hub.send({ method: 'PUT', path: `/requests/${id}/move`, token: world.owner.token, body }))
  }
  // Two looks at the end of the log for each, and now and then one of what follows it.
  assert.ok(countsOf(world.hub).read - before.read < 3 * REQUESTS)
})

test('commands that come while a batch is on its way are one commit, and read nothing that is known', async () => {
  const { ledger } = world.hub.hub
  const collectionId = await world.collection()
  const ids = await Promise.all(Array.from({ length: REQUESTS }, () => world.request(collectionId)))
  await ledger.uses.flush()
  await costsOneLook(['/auth/session', `/collections/${collectionId}/requests`])
  const [before, batches] = [countsOf(world.hub), ledger.writes().commits]
  const agent = { tokenId: world.owner.tokenId, address: null, requestId: null }
  await Promise.all(
    ids.map((id, i) =>
      ledger.run({ type: 'UpdateRequest', id, collectionId, folderId: null, content: changedContent(i) }, agent)
    )
  )
  const after = countsOf(world.hub)
  const commits = after.commits - before.commits
  assert.is(commits, ledger.writes().commits - batches, 'a batch is one commit')
  assert.ok(commits <= 2, `${commits} commits for what was sent together`)
  // Of each its event and its row; of each commit its own document and the one that it continues.
  assert.is(after.written - before.written, 2 * REQUESTS + 2 * commits)
  assert.is(after.deleted, before.deleted)
})

test('a question whether the hub is ready reads a few documents', async () => {
  const ready = async () => {
    const before = countsOf(world.hub)
    succeeded(await world.hub.send({ method: 'GET', path: '/readyz' }))
    return countsOf(world.hub).read - before.read
  }
  // An answer is good for a second.
  const read: number[] = []
  await until(async () => {
    read.push(await ready())
    return read.filter((count) => count > 0).length >= 3 ? true : null
  })
  assert.ok(Math.min(...read.filter((count) => count > 0)) <= 8, `it read ${read.join(', ')}`)
})

test('metrics tell what was read and written', async () => {
  const { text } = succeeded(await world.hub.send({ method: 'GET', path: '/metrics' }))
  for (const kind of ['read', 'written', 'deleted'])
    assert.match(text, new RegExp(`^team_hub_firestore_documents_total{kind="${kind}"} \\d+$`, 'm'))
  for (const kind of ['commit', 'question'])
    assert.match(text, new RegExp(`^team_hub_firestore_requests_total{kind="${kind}"} [1-9]`, 'm'))
})

test.run()

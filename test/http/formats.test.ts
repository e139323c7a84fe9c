import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { carryOutUndo, planUndo } from '../../src/records/history/undo.js'
import { carryOut as carryOutErasure, planDeleted } from '../../src/trust/erasure/erase.js'
import { type Fields, fields, type Reply, records, text } from './client.js'
import { firestore, mysql, postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { listed, succeeded, type World } from './world.js'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

interface Saved {
  readonly id: string
  readonly name: string
  readonly url?: string
}
const saved = ({ id, name, url = 'https://example.com' }: Saved) => ({ id, name, request: { method: 'GET', url } })
/** A file of Postman with one folder, in which these are. */
const file = (...items: readonly Saved[]) =>
  JSON.stringify({
    info: { _postman_id: 'p', name: 'Orders', schema: SCHEMA },
    variable: [{ key: 'baseUrl', value: 'https://example.com' }],
    item: [{ id: 'f', name: 'Users', item: items.map(saved) }]
  })

for (const driver of [sqlite, postgres, mysql, firestore]) {
  let world: World
  const test = hubSuite('imports', driver, (made) => {
    world = made
  })

  const send = async (content: string, more: object = {}, as = world.owner): Promise<Fields> =>
    fields(succeeded(await world.by(as).post('/collections/import', { content, ...more })).body)
  const countsOf = (report: Fields) => {
    const { created, updated, deleted, unchanged, conflicts, gone } = fields(report.counts)
    return [created, updated, deleted, unchanged, conflicts, gone]
  }
  /** Imports a new collection and returns its id. */
  const imported = async (...items: readonly Saved[]) => text(fields((await send(file(...items))).collection), 'id')
  const requestsOf = async (id: string) =>
    (await listed(world, `/collections/${id}/requests`)).map(({ name, url }) => `${name} ${url}`)
  const changesOf = (report: Fields) =>
    records({ text: '', body: report }, 'changes').map(
      ({ change, name, reason }) => `${change} ${name}${reason === undefined ? '' : `: ${reason}`}`
    )

  test('a file becomes folders, requests and variables in their order, in one commit', async () => {
    const before = world.position()
    const id = await imported({ id: '1', name: 'B' }, { id: '2', name: 'A' })
    assert.equal(await requestsOf(id), ['B https://example.com', 'A https://example.com'])
    const [folder] = await listed(world, `/collections/${id}/folders`)
    assert.is(folder?.name, 'Users')
    const headers = await world.hub.hub.ledger.storage.readHeaders(before, 10)
    assert.is(new Set(headers.map(({ commandId }) => commandId)).size, 1)
    assert.equal(
      headers.map(({ type }) => type),
      ['CollectionCreated', 'FolderCreated', 'RequestCreated', 'RequestCreated', 'SourceImported']
    )
  })

  test('the same source again changes what has changed, adds what is new, and leaves what it has no more', async () => {
    const collectionId = await imported({ id: '1', name: 'One' }, { id: '2', name: 'Two' })
    assert.equal(
      countsOf(await send(file({ id: '1', name: 'One' }, { id: '2', name: 'Two' }), { collectionId })),
      [0, 0, 0, 3, 0, 0]
    )
    const next = file({ id: '1', name: 'One', url: 'https://example.org' }, { id: '3', name: 'Three' })
    const report = await send(next, { collectionId })
    assert.equal(countsOf(report), [1, 1, 0, 1, 0, 1])
    assert.equal(changesOf(report), ['update One', 'create Three', 'gone Two: the file has it no more'])
    assert.equal(await requestsOf(collectionId), [
      'One https://example.org',
      'Two https://example.com',
      'Three https://example.com'
    ])
    assert.equal(countsOf(await send(next, { collectionId, prune: true })), [0, 0, 1, 3, 0, 0])
    assert.equal(await requestsOf(collectionId), ['One https://example.org', 'Three https://example.com'])
  })

  test('what somebody has changed since stays, as often as it is imported, until it is to be replaced', async () => {
    const collectionId = await imported({ id: '1', name: 'One' })
    const [request] = await listed(world, `/collections/${collectionId}/requests`)
    const { id, ...content } = fields(request)
    succeeded(await world.by(world.colleague).put(`/requests/${id}`, { ...content, url: 'https://mine' }))
    for (let i = 0; i < 2; i++) {
      // The other one makes it an import that commits something.
      const report = await send(file({ id: '1', name: 'One' }, { id: `new ${i}`, name: `New ${i}` }), { collectionId })
      assert.ok(changesOf(report).includes('conflict One: it was changed here since the last import'))
    }
    assert.ok((await requestsOf(collectionId)).includes('One https://mine'))
    await send(file({ id: '1', name: 'One' }), { collectionId, overwrite: true })
    assert.ok((await requestsOf(collectionId)).includes('One https://example.com'))
  })

  test('what somebody has deleted since stays deleted, until it is to be replaced', async () => {
    const collectionId = await imported({ id: '1', name: 'One' }, { id: '2', name: 'Two' })
    const [one] = await listed(world, `/collections/${collectionId}/requests`)
    succeeded(await world.by(world.owner).delete(`/requests/${one?.id}`))
    const again = file({ id: '1', name: 'One' }, { id: '2', name: 'Two' })
    assert.equal(changesOf(await send(again, { collectionId })), ['conflict One: it was deleted here'])
    assert.equal(countsOf(await send(again, { collectionId, overwrite: true })), [1, 0, 0, 2, 0, 0])
    const back = await listed(world, `/collections/${collectionId}/requests`)
    assert.ok(back.some(({ id }) => id === one?.id))
  })

  test('a folder that was deleted takes what is new in it with it', async () => {
    const collectionId = await imported({ id: '1', name: 'One' })
    const [folder] = await listed(world, `/collections/${collectionId}/folders`)
    succeeded(await world.by(world.owner).delete(`/folders/${folder?.id}`))
    const report = await send(file({ id: '1', name: 'One' }, { id: '2', name: 'Two' }), { collectionId })
    assert.equal(countsOf(report), [0, 0, 0, 0, 3, 0])
    assert.equal(await requestsOf(collectionId), [])
    const whole = await send(file({ id: '1', name: 'One' }, { id: '2', name: 'Two' }), {
      collectionId,
      overwrite: true
    })
    assert.equal(countsOf(whole), [3, 0, 0, 0, 0, 0])
    assert.equal((await requestsOf(collectionId)).length, 2)
  })

  test('a folder goes only where nothing of anybody stays in it, and a request only by who made it', async () => {
    const collectionId = await imported({ id: '1', name: 'One' })
    const [folder] = await listed(world, `/collections/${collectionId}/folders`)
    const theirs = await world.request(collectionId, text(folder, 'id'), world.colleague)
    const empty = JSON.stringify({ info: { _postman_id: 'p', name: 'Orders', schema: SCHEMA }, item: [] })
    const foreign = await send(empty, { collectionId, prune: true }, world.colleague)
    assert.ok(changesOf(foreign).includes('gone One: only who made it may delete it'))
    const report = await send(empty, { collectionId, prune: true })
    assert.ok(changesOf(report).includes('gone Users: something is in it that stays'))
    const left = await listed(world, `/collections/${collectionId}/requests`)
    assert.equal(
      left.map(({ id }) => id),
      [theirs]
    )
  })

  test('into a collection that somebody has made, variables are added and nothing of theirs is lost', async () => {
    const collectionId = await world.collection('Mine')
    const { put } = world.by(world.owner)
    const mine = { key: 'baseUrl', value: 'https://mine', defaultValue: '', share: true, enabled: true }
    const auth = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
    const content = {
      name: 'Mine',
      variables: [mine],
      headers: [],
      auth,
      preRequestScript: 'mine()',
      postRequestScript: ''
    }
    succeeded(await put(`/collections/${collectionId}`, content))
    const whole = {
      ...JSON.parse(file({ id: '1', name: 'One' })),
      variable: [{ key: 'baseUrl' }, { key: 'token', value: 't' }]
    }
    await send(JSON.stringify(whole), { collectionId })
    const found = (await listed(world, '/collections')).find(({ id }) => id === collectionId)
    const { name, preRequestScript, variables } = fields(found)
    assert.equal([name, preRequestScript], ['Mine', 'mine()'])
    assert.equal(variables, [mine, { key: 'token', value: 't', defaultValue: '', share: true, enabled: true }])
  })

  test('an export that comes back into its collection is the same records', async () => {
    const collectionId = await imported({ id: '1', name: 'One' }, { id: '2', name: 'Two' })
    const exported = succeeded(
      await world.by(world.owner).get(`/collections/${collectionId}/export?format=postman`)
    ).text
    assert.equal(countsOf(await send(exported, { collectionId })), [0, 0, 0, 3, 0, 0])
  })

  test('all that a token has imported is taken back, and what it has changed is as before', async () => {
    const ours = await imported({ id: '1', name: 'One' })
    const { ledger } = world.hub.hub
    const from = { position: world.position() }
    const made = await send(file({ id: '1', name: 'One' }), {}, world.colleague)
    const other = file({ id: '1', name: 'One', url: 'https://other' }, { id: '2', name: 'Two' })
    await send(other, { collectionId: ours }, world.colleague)
    const plan = await planUndo(ledger, { filter: { tokenId: world.colleague.tokenId }, from })
    assert.equal(await carryOutUndo(ledger, plan, from.position, 'undo'), [])
    assert.equal(await requestsOf(ours), ['One https://example.com'])
    const { id } = fields(made.collection)
    assert.is((await world.by(world.owner).get(`/collections/${id}/tree`)).status, 404)
  })

  /** Sends an import under a key. */
  const keyed = (key: string, body: object, query = '') =>
    world.by(world.owner).post(`/collections/import${query}`, body, { 'idempotency-key': key })
  /** The same request gets the same answer, and nothing is written. */
  const repeats = async (first: Reply, again: () => Promise<Reply>) => {
    const before = world.position()
    assert.equal(fields(succeeded(await again()).body), fields(first.body))
    assert.is(world.position(), before)
  }

  test('under a key a file becomes one collection, and every repeat gets the first answer, whatever has become of it', async () => {
    const [key, other] = [randomUUID(), file({ id: '2', name: 'Two' })]
    const content = file({ id: '1', name: 'One' })
    const send = () => keyed(key, { content })
    const [first, ...rest] = await Promise.all([1, 2, 3].map(send))
    const body = fields(first && succeeded(first).body)
    for (const reply of rest) assert.equal(fields(succeeded(reply).body), body)
    const id = text(fields(body.collection), 'id')
    const [told] = await world.hub.hub.ledger.storage.readHeaders(Number(body.position) - 1, 1)
    assert.is(told?.type, 'SourceImported')
    const [request] = await listed(world, `/collections/${id}/requests`)
    succeeded(await world.by(world.owner).delete(`/requests/${request?.id}`))
    await repeats(first as Reply, send)
    succeeded(await world.by(world.owner).delete(`/collections/${id}`))
    await repeats(first as Reply, send)
    await world.refused(422, () => keyed(key, { content: other }), /^This Idempotency-Key was used/)
  })

  test('a repeat tells what was changed, left and deleted then, though all of it has changed since', async () => {
    const { put, delete: remove, post } = world.by(world.owner)
    const items = ['1', '2', '3', '4', '5'].map((id) => ({ id, name: `R${id}` }))
    const collectionId = await imported(...items)
    const requests = new Map(
      (await listed(world, `/collections/${collectionId}/requests`)).map((one) => [one.name, one])
    )
    const change = async (name: string, url: string) => {
      const { id, ...content } = fields(requests.get(name))
      succeeded(await put(`/requests/${id}`, { ...content, url }))
    }
    await change('R2', 'https://mine')
    succeeded(await remove(`/requests/${requests.get('R3')?.id}`))
    const content = file({ id: '1', name: 'R1', url: 'https://next' }, ...items.slice(1, 4), { id: '6', name: 'R6' })
    const key = randomUUID()
    const again = () => keyed(key, { content, collectionId, prune: true })
    const first = succeeded(await again())
    assert.equal(countsOf(fields(first.body)), [1, 1, 1, 2, 2, 0])
    await repeats(first, again)
    await change('R1', 'https://later')
    await change('R4', 'https://later')
    succeeded(await post('/undelete', { kind: 'request', id: requests.get('R3')?.id }))
    succeeded(await remove(`/requests/${requests.get('R2')?.id}`))
    const [folder] = await listed(world, `/collections/${collectionId}/folders`)
    succeeded(await world.by(world.owner).patch(`/folders/${folder?.id}`, { name: 'Renamed' }))
    await world.request(collectionId, text(folder, 'id'))
    await send(content.replaceAll('R6', 'Six'), { collectionId, overwrite: true })
    await repeats(first, again)
    succeeded(await remove(`/collections/${collectionId}`))
    await world.refused(404, again, 'Collection not found')
  })

  test('an import that has nothing to do has no event, and its repeat has not either, when there would be something', async () => {
    const collectionId = await imported({ id: '1', name: 'One' })
    const key = randomUUID()
    const send = () => keyed(key, { content: file({ id: '1', name: 'One' }), collectionId })
    const first = succeeded(await send())
    assert.is(fields(first.body).position, null)
    await repeats(first, send)
    const [request] = await listed(world, `/collections/${collectionId}/requests`)
    succeeded(await world.by(world.owner).delete(`/requests/${request?.id}`))
    await repeats(first, send)
  })

  test('a preview leaves its key free, as it leaves everything', async () => {
    const key = randomUUID()
    const content = file({ id: '1', name: 'One' })
    const before = world.position()
    assert.is(fields(succeeded(await keyed(key, { content }, '?preview=true')).body).preview, true)
    assert.is(world.position(), before)
    const first = succeeded(await keyed(key, { content: file({ id: '2', name: 'Two' }) }))
    assert.is(fields(first.body).preview, false)
    assert.is(fields(succeeded(await keyed(key, { content }, '?preview=true')).body).preview, true)
  })

  test('a repeat is 410 once what its import has changed is erased', async () => {
    const collectionId = await imported({ id: '1', name: 'One' })
    const [request] = await listed(world, `/collections/${collectionId}/requests`)
    const key = randomUUID()
    const send = () => keyed(key, { content: file({ id: '1', name: 'One', url: 'https://next' }), collectionId })
    const first = succeeded(await send())
    succeeded(await world.by(world.owner).delete(`/requests/${request?.id}`))
    await repeats(first, send)
    const { ledger } = world.hub.hub
    await carryOutErasure(ledger, await planDeleted(ledger, 'request', text(request, 'id')))
    await world.refused(410, send, /^This was done already under this Idempotency-Key/)
  })

  test('two that import the same at once leave each record once', async () => {
    const collectionId = await world.collection()
    const content = file({ id: '1', name: 'One' }, { id: '2', name: 'Two' })
    await Promise.all([1, 2, 3].map(() => send(content, { collectionId })))
    assert.is((await requestsOf(collectionId)).length, 2)
  })

  test.run()
}

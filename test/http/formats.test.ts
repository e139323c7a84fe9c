import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { carryOutUndo, planUndo } from '../../src/records/history/undo.js'
import { carryOut as carryOutErasure, planDeleted } from '../../src/trust/erasure/erase.js'
import { eachOf, type Fields, fields, holds, type Reply, records, text } from './client.js'
import { collectionContent } from './content.js'
import { drivers, usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { listed, succeeded } from './world.js'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
/** What a request of a file leads to, unless it says so. */
const URL = 'https://example.com'
const saved = (name: string, url = URL) => ({ id: name, name, request: { method: 'GET', url } })
type Saved = string | readonly [name: string, url: string]
/** A file of Postman with one folder, in which these are: by their names, or with another URL. */
const file = (...items: readonly Saved[]) =>
  JSON.stringify({
    info: { _postman_id: 'p', name: 'Orders', schema: SCHEMA },
    variable: [{ key: 'baseUrl', value: URL }],
    item: [{ id: 'f', name: 'Users', item: items.map((one) => (typeof one === 'string' ? saved(one) : saved(...one))) }]
  })
const EMPTY = JSON.stringify({ info: { _postman_id: 'p', name: 'Orders', schema: SCHEMA }, item: [] })

for (const driver of drivers) {
  const { test, world } = hubSuite('imports', driver)

  const send = async (content: string, more: object = {}, as = world.owner): Promise<Fields> =>
    fields(succeeded(await world.by(as).post('/collections/import', { content, ...more })).body)
  const countsOf = (report: Fields) => {
    const { created, updated, deleted, unchanged, conflicts, gone } = fields(report.counts)
    return [created, updated, deleted, unchanged, conflicts, gone]
  }
  const changesOf = (report: Fields) =>
    records({ text: '', body: report }, 'changes').map(
      ({ change, name, reason }) => `${change} ${name}${reason === undefined ? '' : `: ${reason}`}`
    )
  /** Imports a new collection and returns its id. */
  const imported = async (...items: readonly Saved[]) => text(fields((await send(file(...items))).collection), 'id')
  const requestsOf = async (id: string) =>
    (await listed(world, `/collections/${id}/requests`)).map(({ name, url }) => (url === URL ? name : `${name} ${url}`))
  /** The records of a collection by their names, folders too. */
  const named = async (id: string) => {
    const lists = [
      await listed(world, `/collections/${id}/requests`),
      await listed(world, `/collections/${id}/folders`)
    ]
    return new Map(lists.flat().map((one) => [one.name, one]))
  }
  const idOf = async (id: string, name: string) => text((await named(id)).get(name), 'id')
  const change = async (collectionId: string, name: string, url: string, as = world.owner) => {
    const { id, ...content } = fields((await named(collectionId)).get(name))
    succeeded(await world.by(as).put(`/requests/${id}`, { ...content, url }))
  }
  const remove = async (path: string) => void succeeded(await world.by(world.owner).delete(path))

  /** Sends an import under a key. */
  const keyed = (key: string, body: object, query = '') =>
    world.by(world.owner).post(`/collections/import${query}`, body, { 'idempotency-key': key })
  /** The same request gets the same answer, and nothing is written. */
  const repeats = async (first: Reply, again: () => Promise<Reply>) => {
    const before = world.position()
    assert.equal(succeeded(await again()).body, first.body)
    assert.is(world.position(), before)
  }

  test('a file becomes folders, requests and variables in their order, in one commit', async () => {
    const before = world.position()
    const id = await imported('B', 'A')
    assert.equal(await requestsOf(id), ['B', 'A'])
    assert.ok((await named(id)).has('Users'))
    const headers = await world.hub.hub.ledger.storage.readHeaders(before, 10)
    assert.is(new Set(headers.map(({ commandId }) => commandId)).size, 1)
    assert.equal(eachOf(headers, 'type'), [
      'CollectionCreated',
      'FolderCreated',
      'RequestCreated',
      'RequestCreated',
      'SourceImported'
    ])
  })

  test('a repeat tells what was changed, left and deleted then, though all of it has changed since', async () => {
    const { post, patch } = world.by(world.owner)
    const names = ['R1', 'R2', 'R3', 'R4', 'R5']
    const collectionId = await imported(...names)
    await change(collectionId, 'R2', 'https://mine')
    const third = await idOf(collectionId, 'R3')
    await remove(`/requests/${third}`)
    const content = file(['R1', 'https://next'], ...names.slice(1, 4), 'R6')
    const key = randomUUID()
    const again = () => keyed(key, { content, collectionId, prune: true })
    const first = succeeded(await again())
    assert.equal(countsOf(fields(first.body)), [1, 1, 1, 2, 2, 0])
    await repeats(first, again)
    await change(collectionId, 'R1', 'https://later')
    await change(collectionId, 'R4', 'https://later')
    succeeded(await post('/undelete', { kind: 'request', id: third }))
    await remove(`/requests/${await idOf(collectionId, 'R2')}`)
    const folder = await idOf(collectionId, 'Users')
    succeeded(await patch(`/folders/${folder}`, { name: 'Renamed' }))
    await world.request(collectionId, folder)
    await send(content.replaceAll('R6', 'Six'), { collectionId, overwrite: true })
    await repeats(first, again)
    await remove(`/collections/${collectionId}`)
    await world.refused(404, again, 'Collection not found')
  })

  test('two that import the same at once leave each record once', async () => {
    const collectionId = await world.collection()
    const content = file('One', 'Two')
    await Promise.all([1, 2, 3].map(() => send(content, { collectionId })))
    assert.is((await requestsOf(collectionId)).length, 2)
  })

  // What follows is decided above the storage.
  if (!usualDrivers.includes(driver)) {
    test.run()
    continue
  }

  test('the same source again changes what has changed, adds what is new, and leaves what it has no more', async () => {
    const collectionId = await imported('One', 'Two')
    const exported = await world.by(world.owner).get(`/collections/${collectionId}/export?format=postman`)
    for (const same of [file('One', 'Two'), succeeded(exported).text])
      assert.equal(countsOf(await send(same, { collectionId })), [0, 0, 0, 3, 0, 0])
    const next = file(['One', 'https://example.org'], 'Three')
    const report = await send(next, { collectionId })
    assert.equal(countsOf(report), [1, 1, 0, 1, 0, 1])
    assert.equal(changesOf(report), ['update One', 'create Three', 'gone Two: the file has it no more'])
    assert.equal(await requestsOf(collectionId), ['One https://example.org', 'Two', 'Three'])
    assert.equal(countsOf(await send(next, { collectionId, prune: true })), [0, 0, 1, 3, 0, 0])
    assert.equal(await requestsOf(collectionId), ['One https://example.org', 'Three'])
  })

  test('a part of a collection is exported, in the folders that it is in, and what is not in it is refused', async () => {
    const collectionId = await imported('One', 'Two')
    const two = await idOf(collectionId, 'Two')
    const path = (only: string) => `/collections/${collectionId}/export?format=postman&only=${only}`
    const exported = succeeded(await world.by(world.owner).get(path(two))).text
    assert.match(exported, /"Two"/)
    assert.not.match(exported, /"One"/)
    assert.is((await world.by(world.owner).get(path(`${two},nobody`))).status, 404)
    assert.is((await world.by(world.owner).get(path(''))).status, 400)
    const many = Array.from({ length: 101 }, (_, index) => `id${index}`).join()
    assert.is((await world.by(world.owner).get(path(many))).status, 400)
    const other = await idOf(await imported('Three'), 'Three')
    assert.is((await world.by(world.owner).get(path(other))).status, 404)
  })

  test('what somebody has changed or deleted since stays so, as often as it is imported, until it is to be replaced', async () => {
    const collectionId = await imported('One', 'Two')
    await change(collectionId, 'One', 'https://mine', world.colleague)
    const two = await idOf(collectionId, 'Two')
    await remove(`/requests/${two}`)
    for (const more of ['New 0', 'New 1']) {
      // The other one makes it an import that commits something.
      assert.equal(changesOf(await send(file('One', 'Two', more), { collectionId })).slice(0, 2), [
        'conflict One: it was changed here since the last import',
        'conflict Two: it was deleted here'
      ])
    }
    await send(file('One', 'Two'), { collectionId, overwrite: true })
    const now = await named(collectionId)
    assert.equal([now.get('One')?.url, now.get('Two')?.id], [URL, two])
  })

  test('what somebody has changed since, and the file has no more, is deleted by no later import', async () => {
    const collectionId = await imported('One', 'Two')
    await change(collectionId, 'Two', 'https://mine')
    const next = (...names: readonly string[]) => file('One', ...names)
    assert.equal(changesOf(await send(next('New 0'), { collectionId })), [
      'create New 0',
      'gone Two: the file has it no more'
    ])
    for (const names of [
      ['New 0', 'New 1'],
      ['New 0', 'New 1', 'New 2']
    ])
      assert.equal(changesOf(await send(next(...names), { collectionId, prune: true })), [
        `create ${names.at(-1)}`,
        'gone Two: it was changed here since the last import'
      ])
    assert.equal(await requestsOf(collectionId), ['One', 'Two https://mine', 'New 0', 'New 1', 'New 2'])
  })

  test('what somebody has made here stays, where a later file brings something of its place and name', async () => {
    const collectionId = await imported('One')
    const { post, get } = world.by(world.owner)
    const mine = { name: 'README.md', content: 'mine' }
    const { id } = fields(succeeded(await post(`/collections/${collectionId}/documents`, mine)).body)
    await send(file('One', 'New'), { collectionId })
    const described = JSON.parse(file('One', 'New'))
    described.info.description = 'theirs'
    assert.equal(changesOf(await send(JSON.stringify(described), { collectionId })), [
      'conflict README.md: it is here in another form, and no import of this source has made it'
    ])
    holds(succeeded(await get(`/documents/${id}`)).body, mine)
  })

  test('what was moved to another collection stays there, also where all is to be replaced, and is told', async () => {
    const collectionId = await imported('One', 'Two')
    const other = await imported('Three')
    const { id, ...content } = fields((await named(collectionId)).get('One'))
    succeeded(await world.by(world.owner).put(`/requests/${id}`, { ...content, collectionId: other, folderId: null }))
    const stays = ['conflict One: it was taken to another collection']
    assert.equal(changesOf(await send(file('One', 'Two'), { collectionId, overwrite: true })), stays)
    const again = () => keyed('moved', { content: file('One', 'Two', 'New'), collectionId })
    const first = await again()
    assert.equal(changesOf(fields(succeeded(first).body)), [...stays, 'create New'])
    await remove(`/requests/${id}`)
    await repeats(first, again)
    // Whoever may see this collection and not the other one would see what it was there.
    assert.equal(changesOf(await send(file('One', 'Two', 'New'), { collectionId, overwrite: true })), stays)
    assert.equal(await requestsOf(collectionId), ['Two', 'New'])
  })

  test('a folder that was deleted takes what is new in it with it', async () => {
    const collectionId = await imported('One')
    await remove(`/folders/${await idOf(collectionId, 'Users')}`)
    const content = file('One', 'Two')
    assert.equal(countsOf(await send(content, { collectionId })), [0, 0, 0, 0, 3, 0])
    assert.equal(await requestsOf(collectionId), [])
    assert.equal(countsOf(await send(content, { collectionId, overwrite: true })), [3, 0, 0, 0, 0, 0])
  })

  test('what an import does not bring back with a folder comes back as deleted things do', async () => {
    const collectionId = await imported('One')
    const id = await idOf(collectionId, 'Users')
    const mine = await world.request(collectionId, id)
    const undelete = () => world.by(world.owner).post('/undelete', { kind: 'folder', id })
    await remove(`/folders/${id}`)
    await send(file('One'), { collectionId, overwrite: true })
    holds(succeeded(await undelete()).body, { restored: { request: 1 } })
    holds((await world.by(world.owner).get(`/requests/${mine}`)).body, { folderId: id })
    await remove(`/requests/${mine}`)
    await remove(`/folders/${id}`)
    await send(file('One'), { collectionId, overwrite: true })
    await world.refused(409, undelete, 'Folder is not deleted.')
  })

  test('a folder out of which the file has taken everything goes with it', async () => {
    const collectionId = await imported('One')
    const next = JSON.stringify({ ...JSON.parse(EMPTY), item: [saved('One')] })
    assert.equal(countsOf(await send(next, { collectionId, prune: true })).slice(0, 3), [0, 2, 1])
    assert.equal([...(await named(collectionId)).keys()], ['One'])
  })

  test('what was put into another order here, or is of an account that is gone, counts as unchanged', async () => {
    const author = await world.user({ collectionAccess: ['*'] })
    const collectionId = text(fields((await send(file('One', 'Two'), {}, author)).collection), 'id')
    const folderId = await idOf(collectionId, 'Users')
    const ids = [await idOf(collectionId, 'Two'), await idOf(collectionId, 'One')]
    const { put } = world.by(world.owner)
    succeeded(await put(`/collections/${collectionId}/requests/reorder`, { folderId, orderedRequestIds: ids }))
    succeeded(await world.by(world.admin).delete(`/admin/users/${author.id}`))
    const next = file(['One', 'https://next'], 'Two').replace('baseUrl', 'base')
    assert.equal(changesOf(await send(next, { collectionId })), ['update Orders', 'update One'])
    assert.equal(await requestsOf(collectionId), ['Two', 'One https://next'])
  })

  test('what only got another order, and the file has no more, is deleted where that is wanted', async () => {
    const collectionId = await imported('One', 'Two')
    const folderId = await idOf(collectionId, 'Users')
    const orderedRequestIds = [await idOf(collectionId, 'Two'), await idOf(collectionId, 'One')]
    const { put } = world.by(world.owner)
    succeeded(await put(`/collections/${collectionId}/requests/reorder`, { folderId, orderedRequestIds }))
    assert.equal(changesOf(await send(file('One'), { collectionId, prune: true })), ['delete Two'])
  })

  test('what very many others were put in order with, in another folder, counts as moved', async () => {
    const names = Array.from({ length: 201 }, (_, i) => `R${i}`)
    const collectionId = await imported(...names)
    const orderedRequestIds = [...(await named(collectionId)).values()]
      .filter(({ method }) => method !== undefined)
      .map((one) => text(one, 'id'))
    const body = { folderId: null, orderedRequestIds }
    succeeded(await world.by(world.owner).put(`/collections/${collectionId}/requests/reorder`, body))
    const report = await send(file(...names.slice(0, -1)), { collectionId, prune: true })
    assert.equal(countsOf(report), [0, 0, 0, 1, 200, 1])
    assert.ok(changesOf(report).includes('gone R200: it was changed here since the last import'))
  })

  test('a folder goes only where nothing of anybody stays in it, and a request only by who made it', async () => {
    const collectionId = await imported('One')
    const theirs = await world.request(collectionId, await idOf(collectionId, 'Users'), world.colleague)
    const foreign = await send(EMPTY, { collectionId, prune: true }, world.colleague)
    assert.ok(changesOf(foreign).includes('gone One: only who made it may delete it'))
    const report = await send(EMPTY, { collectionId, prune: true })
    assert.ok(changesOf(report).includes('gone Users: something is in it that stays'))
    assert.equal(eachOf(await listed(world, `/collections/${collectionId}/requests`), 'id'), [theirs])
  })

  test('a folder stays where the one that the file has it in was put into it here', async () => {
    const folderOf = (name: string, ...item: readonly object[]) => ({ id: name, name, item })
    const holding = (...item: readonly object[]) => JSON.stringify({ ...JSON.parse(EMPTY), item })
    const first = await send(holding(folderOf('A'), folderOf('B')))
    const collectionId = text(fields(first.collection), 'id')
    const [a, b] = [await idOf(collectionId, 'A'), await idOf(collectionId, 'B')]
    succeeded(await world.by(world.owner).put(`/folders/${a}/move`, { parentFolderId: b }))
    for (const overwrite of [false, true]) {
      const report = await send(holding(folderOf('A', folderOf('B'))), {
        collectionId,
        ...(overwrite && { overwrite })
      })
      if (overwrite) assert.equal(changesOf(report), ['update A', 'update B'])
      else assert.ok(changesOf(report).includes('conflict B: its folder was put into it here'))
      const above = new Map([...(await named(collectionId)).values()].map((one) => [one.id, one.parentFolderId]))
      assert.equal([above.get(a), above.get(b)], overwrite ? [null, a] : [b, null])
    }
  })

  test('into a collection that somebody has made, variables are added and nothing of theirs is lost', async () => {
    const collectionId = await world.collection('Mine')
    const mine = { key: 'baseUrl', value: 'https://mine', defaultValue: '', share: true, enabled: true }
    const content = { ...collectionContent, name: 'Mine', variables: [mine] }
    succeeded(await world.by(world.owner).put(`/collections/${collectionId}`, content))
    const variable = [{ key: 'baseUrl' }, { key: 'token', value: 't' }]
    await send(JSON.stringify({ ...JSON.parse(file('One')), variable }), { collectionId })
    const variables = [mine, { key: 'token', value: 't', defaultValue: '', share: true, enabled: true }]
    const { body } = await world.by(world.owner).get(`/collections/${collectionId}`)
    holds(body, { name: 'Mine', preRequestScript: collectionContent.preRequestScript, variables })
  })

  test('all that a token has imported is taken back, and what it has changed is as before', async () => {
    const ours = await imported('One')
    const { ledger } = world.hub.hub
    const from = { position: world.position() }
    const made = await send(file('One'), {}, world.colleague)
    await send(file(['One', 'https://other'], 'Two'), { collectionId: ours }, world.colleague)
    const plan = await planUndo(ledger, { filter: { tokenId: world.colleague.tokenId }, from })
    assert.equal(await carryOutUndo(ledger, plan, from.position, 'undo'), [])
    assert.equal(await requestsOf(ours), ['One'])
    const { id } = fields(made.collection)
    assert.is((await world.by(world.owner).get(`/collections/${id}/tree`)).status, 404)
  })

  test('under a key a file becomes one collection, and every repeat gets the first answer, whatever has become of it', async () => {
    const key = randomUUID()
    const send = () => keyed(key, { content: file('One') })
    const first = succeeded(await send())
    for (const reply of await Promise.all([1, 2].map(send))) assert.equal(reply.body, first.body)
    const { collection, position } = fields(first.body)
    const id = text(collection, 'id')
    const [told] = await world.hub.hub.ledger.storage.readHeaders(Number(position) - 1, 1)
    assert.is(told?.type, 'SourceImported')
    await remove(`/requests/${await idOf(id, 'One')}`)
    await repeats(first, send)
    await remove(`/collections/${id}`)
    await repeats(first, send)
    await world.refused(422, () => keyed(key, { content: file('Two') }), /^This Idempotency-Key was used/)
  })

  test('an import that has nothing to do has no event, and its repeat has not either, when there would be something', async () => {
    const collectionId = await imported('One')
    const key = randomUUID()
    const send = () => keyed(key, { content: file('One'), collectionId })
    const first = succeeded(await send())
    holds(first.body, { position: null })
    await remove(`/requests/${await idOf(collectionId, 'One')}`)
    await repeats(first, send)
  })

  test('a preview leaves its key free, as it leaves everything', async () => {
    const key = randomUUID()
    const content = file('One')
    const before = world.position()
    holds(succeeded(await keyed(key, { content }, '?preview=true')).body, { preview: true })
    assert.is(world.position(), before)
    holds(succeeded(await keyed(key, { content: file('Two') })).body, { preview: false })
    holds(succeeded(await keyed(key, { content }, '?preview=true')).body, { preview: true })
  })

  test('a repeat is 410 once what its import has changed is erased', async () => {
    const collectionId = await imported('One')
    const request = await idOf(collectionId, 'One')
    const key = randomUUID()
    const send = () => keyed(key, { content: file(['One', 'https://next']), collectionId })
    const first = succeeded(await send())
    await remove(`/requests/${request}`)
    await repeats(first, send)
    const { ledger } = world.hub.hub
    await carryOutErasure(ledger, await planDeleted(ledger, 'request', request))
    await world.refused(410, send, /^This was done already under this Idempotency-Key/)
  })

  test.run()
}

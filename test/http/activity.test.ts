import * as assert from 'uvu/assert'
import { type Fields, fields, records, text } from './client.js'
import { requestContent } from './content.js'
import { drivers } from './drivers.js'
import { aPostmanFile } from './endpoints/formats.js'
import { hubSuite } from './hub-suite.js'
import { succeeded, type World } from './world.js'

for (const driver of drivers) {
  let world: World
  const test = hubSuite('what happened in a collection', driver, (made) => {
    world = made
  })

  const page = async (id: string, query = '') =>
    succeeded(await world.by(world.owner).get(`/collections/${id}/activity${query}`))
  const activity = async (id: string) => records(await page(id), 'events')
  const told = (events: readonly Fields[]) => events.map(({ type, kind, name }) => `${type} ${kind} ${name}`)
  const actors = (events: readonly Fields[]) => events.map(({ actor }) => fields(actor).name)

  test('changes, moves, reorders, deletions and what comes back, with who', async () => {
    const { owner, colleague } = world
    const { put, post } = world.by(colleague)
    const id = await world.collection('Orders')
    const folder = await world.folder(id, null, 'Refunds')
    const request = await world.request(id)
    const body = { ...requestContent, collectionId: id, folderId: null, name: 'Refund' }
    succeeded(await put(`/requests/${request}`, body))
    succeeded(await put(`/requests/${request}/move`, { folderId: folder, index: 0 }))
    const other = await world.document(id)
    const third = await world.document(id)
    succeeded(await put(`/collections/${id}/documents/reorder`, { folderId: null, orderedDocumentIds: [third, other] }))
    succeeded(await world.by(colleague).delete(`/folders/${folder}`))
    succeeded(await post('/undelete', { kind: 'folder', id: folder }))
    const events = await activity(id)
    assert.equal(told(events), [
      'RequestRestored request Refund',
      'FolderRestored folder Refunds',
      'FolderDeleted folder Refunds',
      'ItemsReordered collection Orders',
      ...Array(2).fill('DocumentCreated document Guide.md'),
      'RequestMoved request Refund',
      'RequestUpdated request Refund',
      'RequestCreated request Refund',
      'FolderCreated folder Refunds',
      'CollectionCreated collection Orders'
    ])
    assert.equal(actors(events), [
      ...Array(4).fill(colleague.name),
      ...Array(2).fill(owner.name),
      ...Array(2).fill(colleague.name),
      ...Array(3).fill(owner.name)
    ])
    assert.is(events[0]?.commandId, events[1]?.commandId)
    assert.is.not(events[1]?.commandId, events[2]?.commandId)
  })

  test('page by page it is the same, and a position tells the collection as it was', async () => {
    const id = await world.collection()
    for (let i = 0; i < 6; i++) await world.request(id)
    const whole = await activity(id)
    const found: Fields[] = []
    for (let query = '?limit=3'; query !== ''; ) {
      const reply = await page(id, query)
      found.push(...records(reply, 'events'))
      const { next } = fields(reply.body)
      query = next === null ? '' : `?limit=3&before=${next}`
    }
    assert.equal(found, whole)
    const tree = await world.by(world.owner).get(`/collections/${id}/tree?at=${whole[2]?.position}`)
    assert.is(records(succeeded(tree), 'requests').length, 4)
  })

  test('what moves to another collection is in both, and what becomes of it there is in that one alone', async () => {
    const { put } = world.by(world.owner)
    const [from, to] = [await world.collection('From'), await world.collection('To')]
    const request = await world.request(from)
    const body = (name: string) => ({ ...requestContent, collectionId: to, folderId: null, name })
    succeeded(await put(`/requests/${request}`, body('Moved')))
    succeeded(await put(`/requests/${request}`, body('Hidden')))
    assert.equal(told(await activity(from)), [
      'RequestUpdated request Moved',
      'RequestCreated request Moved',
      'CollectionCreated collection From'
    ])
    assert.equal(told(await activity(to)), [
      'RequestUpdated request Hidden',
      'RequestUpdated request Hidden',
      'CollectionCreated collection To'
    ])
  })

  test('an import is told behind what it did, and not in other collections', async () => {
    const { post } = world.by(world.owner)
    const report = succeeded(await post('/collections/import', { content: aPostmanFile('Imported') }))
    await post('/collections/import', { content: aPostmanFile('Another') })
    const id = text(fields(report.body).collection, 'id')
    const events = await activity(id)
    assert.equal(told(events), [
      'SourceImported collection Imported',
      'RequestCreated request Get user',
      'CollectionCreated collection Imported'
    ])
    assert.is(new Set(events.map(({ commandId }) => commandId)).size, 1)
    for (const limit of [1, 2]) {
      const first = records(await page(id, `?limit=${limit}`), 'events')
      assert.equal(told(first), told(events).slice(0, limit))
    }
  })

  test('who is gone has no name', async () => {
    const ada = await world.user({ collectionAccess: ['*'] })
    const id = await world.collection('Left behind', ada)
    succeeded(await world.by(world.admin).delete(`/admin/users/${ada.id}`))
    assert.equal(
      (await activity(id)).map(({ actor }) => actor),
      [{ id: ada.id, name: null }]
    )
  })

  test.run()
}

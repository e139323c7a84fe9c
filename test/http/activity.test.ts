import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { text } from './client.js'
import { requestContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { aPostmanFile } from './endpoints/files.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'

type Activity = Schemas['Activity']['events'][number]

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('what happened in a collection', driver)

  const page = async (id: string, query: { readonly limit?: number; readonly before?: number } = {}) =>
    (await world.client(world.owner).request('GET', '/collections/{id}/activity', { path: { id }, query })).body
  const activity = async (id: string) => (await page(id)).events
  const told = (events: readonly Activity[]) => events.map(({ type, kind, name }) => `${type} ${kind} ${name}`)
  const actors = (events: readonly Activity[]) => events.map(({ actor }) => actor.name)
  const replaced = (as: Account, id: string, body: Schemas['UpdateRequestBody']) =>
    world.client(as).request('PUT', '/requests/{id}', { path: { id }, body })

  test('changes, moves, reorders, deletions and what comes back, with who', async () => {
    const { owner, colleague } = world
    const { request: send } = world.client(colleague)
    const id = await world.collection('Orders')
    const folder = await world.folder(id, null, 'Refunds')
    const request = await world.request(id)
    const body = { ...requestContent, collectionId: id, folderId: null, name: 'Refund' }
    await replaced(colleague, request, body)
    await send('PUT', '/requests/{id}/move', { path: { id: request }, body: { folderId: folder, index: 0 } })
    const other = await world.document(id)
    const third = await world.document(id)
    const order = { folderId: null, orderedDocumentIds: [third, other] }
    await send('PUT', '/collections/{collectionId}/documents/reorder', { path: { collectionId: id }, body: order })
    await send('DELETE', '/folders/{id}', { path: { id: folder } })
    await send('POST', '/undelete', { body: { kind: 'folder', id: folder } })
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

  test('what moves to another collection is in both, and what becomes of it there is in that one alone, its name too', async () => {
    const [from, to] = [await world.collection('From'), await world.collection('To')]
    const request = await world.request(from)
    const body = (name: string) => ({ ...requestContent, collectionId: to, folderId: null, name })
    await replaced(world.owner, request, body('Moved'))
    await replaced(world.owner, request, body('Hidden'))
    assert.equal(told(await activity(from)), [
      'RequestUpdated request null',
      'RequestCreated request null',
      'CollectionCreated collection From'
    ])
    assert.equal(told(await activity(to)), [
      'RequestUpdated request Hidden',
      'RequestUpdated request Hidden',
      'CollectionCreated collection To'
    ])
  })

  test('an import is told behind what it did, and not in other collections', async () => {
    const imported = async (name: string) =>
      (
        await world
          .client(world.owner)
          .request('POST', '/collections/import', { body: { content: aPostmanFile(name) } })
      ).body
    const { collection } = await imported('Imported')
    await imported('Another')
    const id = text(collection, 'id')
    const events = await activity(id)
    assert.equal(told(events), [
      'SourceImported collection Imported',
      'RequestCreated request Get user',
      'CollectionCreated collection Imported'
    ])
    assert.is(new Set(events.map(({ commandId }) => commandId)).size, 1)
    for (const limit of [1, 2]) {
      assert.equal(told((await page(id, { limit })).events), told(events).slice(0, limit))
    }
  })

  test('who is gone has no name', async () => {
    const ada = await world.user({ collectionAccess: ['*'] })
    const id = await world.collection('Left behind', ada)
    await world.client(world.admin).request('DELETE', '/admin/users/{id}', { path: { id: ada.id } })
    const [made] = await activity(id)
    assert.equal(made?.actor, { id: ada.id, name: null })
  })

  test.run()
}

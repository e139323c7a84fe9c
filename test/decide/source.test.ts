import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { systemEditor } from '../../commands/people/user/system.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import { emitDocument } from '../../commands/records/document/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { emitFolder } from '../../commands/records/folder/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import type { SourceChange, SourceCommand } from '../../commands/records/source/decide.js'
import type { EnvironmentChange } from '../../commands/records/source/environments.js'
import { emitSource } from '../../commands/records/source/events.js'
import { suite } from '../support/suite.js'
import { atFirst, by, CHANGED, given, NOW } from './given.js'
import { collection, content, document, folder, prose, request } from './made.js'
import { ada, bob, ops, someone } from './people.js'

const test = suite('deciding on an import')

const settings = (name: string) => ({
  ...{ name, variables: [], headers: [], auth: noAuth, marker: null },
  ...{ preRequestScript: '', postRequestScript: '' }
})
const data = {
  ...{ collectionId: 'c', name: 'c', format: 'postman', counts: { created: 1, updated: 0, deleted: 0 } },
  ...{ notes: 0, folders: [], requests: [], documents: [], kept: [], environments: [] }
}
const imported = emitSource('s', 'SourceImported', data)
const command = (changes: readonly SourceChange[], more: Partial<SourceCommand> = {}): SourceCommand => ({
  type: 'ImportSource',
  ...{ id: 'c', collection: null, changes, environments: [], asOf: 100, source: { id: 's', data } },
  ...more
})
const place = { collectionId: 'c', folderId: null, sortOrder: 1024 }
const aRequest = { kind: 'request', parentId: null, sortOrder: 1024, content: content('R') } as const
const aFolder = { kind: 'folder', parentId: null, sortOrder: 1024, content: { name: 'F', marker: null } } as const
const aDocument = { kind: 'document', parentId: 'f', sortOrder: 1024, content: prose('D') } as const

test('a new collection comes with all that the file has, and the event of the import behind it', () =>
  atFirst
    .when(
      command(
        [
          { what: 'create', id: 'f', ...aFolder },
          { what: 'create', id: 'd', ...aDocument },
          { what: 'create', id: 'r', ...aRequest }
        ],
        { collection: { content: settings('C'), revision: null } }
      )
    )
    .then(
      emitCollection('c', 'CollectionCreated', settings('C')),
      emitFolder('f', 'FolderCreated', {
        collectionId: 'c',
        parentFolderId: null,
        sortOrder: 1024,
        name: 'F',
        marker: null
      }),
      emitDocument('d', 'DocumentCreated', { collectionId: 'c', folderId: 'f', sortOrder: 1024, content: prose('D') }),
      emitRequest('r', 'RequestCreated', { ...place, content: content('R') }),
      imported
    ))

test('what is there is changed and moved, and what is to go goes last', () =>
  given(collection('c'), folder('f', 'c'), request('r', 'c'), document('d', 'c'))
    .when(
      command([
        { what: 'update', id: 'f', revision: 2, ...aFolder },
        { what: 'update', id: 'r', revision: 3, ...aRequest, parentId: 'f' },
        { what: 'delete', kind: 'document', id: 'd', name: 'd', revision: 4 }
      ])
    )
    .then(
      emitFolder('f', 'FolderUpdated', { collectionId: 'c', name: 'F', marker: null }),
      emitFolder('f', 'FolderMoved', { collectionId: 'c', parentFolderId: null, sortOrder: 1024 }),
      emitRequest('r', 'RequestUpdated', { ...place, folderId: 'f', content: content('R') }),
      emitDocument('d', 'DocumentDeleted', { name: 'd', collectionId: 'c' }),
      imported
    ))

const empty = given(collection('c'))

test('what was deleted comes back under its id', () => {
  const origin = { createdAt: NOW, updatedAt: NOW, createdBy: ada.userId, updatedBy: ada.userId }
  const restored = { ...place, content: content('R'), origin, deletionPositions: [7] }
  return empty
    .when(command([{ what: 'bring back', id: 'r', follows: 2, deletionPositions: [7], ...aRequest }]))
    .then({ ...emitRequest('r', 'RequestRestored', restored), follows: 2 }, imported)
})

const environment = (parentUuid: string | null = null) => ({ name: 'E', variables: [], marker: null, parentUuid })
const there = (id: string, above: string | null = null) => emitEnvironment(id, 'EnvironmentCreated', environment(above))
const alone = { id: 's', source: { id: 's', data: { ...data, collectionId: null } } }
const brings = (...environments: readonly EnvironmentChange[]) => command([], { ...alone, environments })

test('environments alone are made and changed without a collection, each behind the one that it adds to', () =>
  given(there('e3'))
    .when(
      brings(
        { what: 'create', id: 'e1', content: environment() },
        { what: 'create', id: 'e2', content: environment('e1') },
        { what: 'update', id: 'e3', revision: 1, content: environment('e1') }
      )
    )
    .then(
      there('e1'),
      there('e2', 'e1'),
      emitEnvironment('e3', 'EnvironmentUpdated', environment('e1')),
      emitSource('s', 'SourceImported', alone.source.data)
    ))

test('an environment is made by who may make some, and changed by who may change it', async () => {
  const one = given(there('e1'))
  const by = someone({ environmentAccess: ['e1'] })
  await one.when(brings({ what: 'create', id: 'e2', content: environment() }), { by }).refused('Forbidden', 403)
  const named = { ...environment(), name: 'F' }
  const change = brings({ what: 'update', id: 'e1', revision: 1, content: named })
  await one.when(change, { by: someone({ environmentAccess: ['e2'] }) }).refused('Forbidden', 403)
  await one.when(change, { by: ops }).refused('Forbidden', 403)
  const below = given(there('e1'), there('e2'))
  const moved = brings({ what: 'update', id: 'e1', revision: 1, content: environment('e2') })
  await below.when(moved, { by }).refused('Unknown environment id: e2.', 400)
  await one.when(change, { by: { ...by, viewed: ['e1'] } }).refused('You may look at this and not change it.', 403)
  await one
    .when(change, { by })
    .then(emitEnvironment('e1', 'EnvironmentUpdated', named), emitSource('s', 'SourceImported', alone.source.data))
})

for (const [what, change] of [
  ['is there already', { what: 'create', id: 'e1', content: environment() }],
  ['is gone', { what: 'update', id: 'e3', revision: 1, content: environment() }],
  ['has changed since', { what: 'update', id: 'e2', revision: 1, content: environment() }],
  ['adds to one that is gone', { what: 'create', id: 'e3', content: environment('e4') }],
  ['would add to what adds to it', { what: 'update', id: 'e1', revision: 1, content: environment('e2') }]
] as const) {
  test(`all of it is refused where an environment ${what}`, () =>
    given(there('e1'), there('e2', 'e1')).when(brings(change)).refused(CHANGED, 412))
}

test('all of it is refused where an environment that is to be made has been made and deleted meanwhile', () =>
  given(there('e1'), emitEnvironment('e1', 'EnvironmentDeleted', { name: 'E' }))
    .when({ ...brings({ what: 'create', id: 'e1', content: environment() }), asOf: 0 })
    .refused(CHANGED, 412))

test('all of it is refused where an environment would add to another of the file that adds to it through one beside', () =>
  given(there('x'), there('p', 'x'), there('y', 'p'))
    .when(
      brings(
        { what: 'update', id: 'y', revision: 3, content: { ...environment('p'), name: 'Y' } },
        { what: 'update', id: 'x', revision: 1, content: environment('y') }
      )
    )
    .refused(CHANGED, 412))

test('environments and folders in a long line below each other take no more steps for each than few do', async () => {
  const line = Array.from({ length: 400 }, (_, i) => `e${i}`)
  const environments = line.map((id, i) => ({
    ...({ what: 'create', id } as const),
    content: environment(line[i - 1] ?? null)
  }))
  const last = [{ what: 'update', id: 'f', revision: 2, ...aFolder, parentId: line.at(-1) ?? null } as const]
  const folders = line.map((id, i) => ({ what: 'create', id, ...aFolder, parentId: line[i - 1] ?? null }) as const)
  const there = given(collection('c'), folder('f', 'c'))
  assert.ok((await stepsOf(atFirst.when(brings(...environments)).events(() => {}))) < 400 * 100)
  assert.ok((await stepsOf(there.when(command([...folders, ...last])).events(() => {}))) < 400 * 100)
})

/** How many steps something takes that waits for nothing else. */
async function stepsOf(work: Promise<unknown>): Promise<number> {
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  let steps = 0
  while (!isDone) {
    await null
    steps++
  }
  await work
  return steps
}

test('an environment is taken from below one that then adds to it', () =>
  given(there('x'), there('y', 'x'))
    .when(
      brings(
        { what: 'update', id: 'y', revision: 2, content: environment() },
        { what: 'update', id: 'x', revision: 1, content: environment('y') }
      )
    )
    .then(
      emitEnvironment('y', 'EnvironmentUpdated', environment()),
      emitEnvironment('x', 'EnvironmentUpdated', environment('y')),
      emitSource('s', 'SourceImported', alone.source.data)
    ))

test('without a change nothing happens', () => empty.when(command([])).nothing())

test('a new collection takes access to all', () =>
  atFirst
    .when(command([], { collection: { content: settings('C'), revision: null } }), {
      by: { ...ada, collectionAccess: ['c'] }
    })
    .refused('Forbidden', 403))

test('a collection that the caller may not see takes nothing', () =>
  empty
    .when(command([{ what: 'create', id: 'r', ...aRequest }]), { by: { ...ada, collectionAccess: ['d'] } })
    .refused('Forbidden', 403))

test('an administrator does not import', () =>
  empty.when(command([{ what: 'create', id: 'r', ...aRequest }]), { by: ops }).refused('Forbidden', 403))

test('nobody deletes by an import what somebody else has made', () =>
  given(collection('c'), by(bob, request('r', 'c')))
    .when(command([{ what: 'delete', kind: 'request', id: 'r', name: 'r', revision: 2 }]))
    .refused('Forbidden', 403))

for (const [what, change] of [
  ['has changed since', { what: 'update', id: 'r', revision: 1, ...aRequest }],
  ['is not there any more', { what: 'update', id: 'x', revision: 2, ...aRequest }],
  ['has come since', { what: 'create', id: 'r', ...aRequest }],
  ['is in another collection', { what: 'update', id: 'other', revision: 4, ...aRequest }],
  ['goes into a folder of another collection', { what: 'create', id: 'new', ...aRequest, parentId: 'elsewhere' }]
] as const) {
  test(`all of it is refused where something ${what}`, () =>
    given(collection('c'), request('r', 'c'), collection('e'), request('other', 'e'), folder('elsewhere', 'e'))
      .when(command([{ what: 'create', id: 'fine', ...aRequest }, change]))
      .refused(CHANGED, 412))
}

test('all of it is refused where a folder would go into one that has been put into it since', () =>
  given(collection('c'), folder('f', 'c'), folder('g', 'c', 1024, 'f'))
    .when(command([{ what: 'update', id: 'f', revision: 2, ...aFolder, parentId: 'g' }]))
    .refused(CHANGED, 412))

for (const [kind, inside] of [
  ['request', request('r', 'c', 1024, 'f')],
  ['document', document('r', 'c', 1024, 'f')],
  ['folder', folder('r', 'c', 1024, 'f')]
] as const) {
  test(`all of it is refused where a ${kind} has been put into a folder that goes, and not where it goes before`, async () => {
    const held = given(collection('c'), folder('f', 'c'), inside)
    const goes = { what: 'delete', kind: 'folder', id: 'f', name: 'f', revision: 2 } as const
    await held.when(command([goes])).refused(CHANGED, 412)
    const before = { what: 'delete', kind, id: 'r', name: 'r', revision: 3 } as const
    await held.when(command([before, goes])).events((events) => assert.is(events.length, 3))
  })
}

test('a folder goes out of which the import takes what is in it', () =>
  given(collection('c'), folder('f', 'c'), request('r', 'c', 1024, 'f'))
    .when(
      command([
        { what: 'update', id: 'r', revision: 3, ...aRequest },
        { what: 'delete', kind: 'folder', id: 'f', name: 'f', revision: 2 }
      ])
    )
    .events((events) => assert.is(events.length, 3)))

test('folders change places, the inner one with the outer', () =>
  given(collection('c'), folder('f', 'c'), folder('g', 'c', 1024, 'f'))
    .when(
      command([
        { what: 'update', id: 'g', revision: 3, ...aFolder },
        { what: 'update', id: 'f', revision: 2, ...aFolder, parentId: 'g' }
      ])
    )
    .events((events) => assert.is(events.length, 5)))

test('all of it is refused where something has left the collection since, and not where that was known', async () => {
  const past = given(
    ...[collection('c'), request('r', 'c')],
    emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' })
  )
  const brings = (asOf: number) => command([{ what: 'create', id: 'fine', ...aRequest }], { asOf })
  await past.when(brings(2)).refused(CHANGED, 412)
  await past.when(brings(3)).events((events) => assert.is(events.length, 2))
})

test('an import on the host deletes what anybody has made', () =>
  given(collection('c'), request('r', 'c'))
    .when(command([{ what: 'delete', kind: 'request', id: 'r', name: 'r', revision: 2 }]), { by: systemEditor })
    .events((events) => assert.is(events[0]?.type, 'RequestDeleted')))

test('a collection that is there is not made again', () =>
  empty.when(command([], { collection: { content: settings('C'), revision: null } })).refused(CHANGED, 412))

test.run()

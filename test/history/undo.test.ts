import * as assert from 'uvu/assert'
import { environmentsTable } from '../../commands/records/environment/table.js'
import { foldersTable } from '../../commands/records/folder/table.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { tables } from '../../projections/index.js'
import { errors, HubError } from '../../src/errors.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { carryOutUndo, planUndo } from '../../src/records/history/undo.js'
import { memoryDatabase } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { newUser } from '../race/world.js'
import { suite } from '../support/suite.js'
import { counting, newLedger } from './log.js'

const test = suite('taking back how folders were moved')
let ledger: Ledger
let vandal: CommandOrigin
let other: CommandOrigin

test.before(async () => {
  ledger = await newLedger(await (await memoryDatabase()).open(tables))
  const agents = ['vandal', 'other'].map((name) => newUser(name, name, `token of ${name}`))
  for (const { command } of agents) await ledger.run(command, systemOrigin)
  const [first, second] = agents
  assert.ok(first && second)
  vandal = first.agent
  other = second.agent
})

/** A folder in another, in a new collection. */
async function nested(collectionId: string): Promise<readonly [outer: string, inner: string]> {
  const [outer, inner] = [`${collectionId}-outer`, `${collectionId}-inner`]
  await ledger.run({ type: 'CreateCollection', id: collectionId, name: collectionId }, other)
  await ledger.run({ type: 'CreateFolder', id: outer, collectionId, parentFolderId: null, name: outer }, other)
  await ledger.run({ type: 'CreateFolder', id: inner, collectionId, parentFolderId: outer, name: inner }, other)
  return [outer, inner]
}
const move = (id: string, parentFolderId: string | null, by: CommandOrigin) =>
  ledger.run({ type: 'MoveFolder', id, parentFolderId }, by)
const containerOf = async (id: string) => (await ledger.readModel.get(foldersTable, id))?.container
const undone = async (requestId: string) => {
  const plan = await planUndo(ledger, { filter: { tokenId: 'token of vandal' } })
  return carryOutUndo(ledger, plan, 1, requestId)
}

test('a folder stays where its former parent lies in it by now, and is named', async () => {
  const [outer, inner] = await nested('built-on')
  await move(inner, null, vandal)
  await move(outer, inner, other)
  const reason = 'Cannot move a folder under itself or a descendant.'
  assert.equal(await undone('first'), [{ kind: 'folder', id: inner, name: inner, reason }])
  assert.equal([await containerOf(outer), await containerOf(inner)], [inner, 'built-on'])
})

const below = (id: string, parentUuid: string | null, by: CommandOrigin) =>
  ledger.run({ type: 'UpdateEnvironment', id, content: { name: id, variables: [], parentUuid } }, by)
const parentOf = async (id: string) => (await ledger.readModel.get(environmentsTable, id))?.parentUuid

/** An environment below another. */
async function layered(name: string): Promise<readonly [base: string, layer: string]> {
  const [base, layer] = [`${name}-base`, `${name}-layer`]
  await ledger.run({ type: 'CreateEnvironment', id: base, name: base }, other)
  await ledger.run({ type: 'CreateEnvironment', id: layer, name: layer, parentUuid: base }, other)
  return [base, layer]
}

test('an environment stays where its former parent is below it by now, and is named', async () => {
  const [base, layer] = await layered('built-on')
  await below(layer, null, vandal)
  await below(base, layer, other)
  const reason = 'An environment cannot be its own parent, directly or through others.'
  assert.equal(
    (await undone('layers')).filter(({ kind }) => kind === 'environment'),
    [{ kind: 'environment', id: layer, name: layer, reason }]
  )
  assert.equal([await parentOf(base), await parentOf(layer)], [layer, null])
})

test('two environments that one token has exchanged are as they were, whichever of them comes first', async () => {
  const [base, layer] = await layered('exchanged')
  await below(layer, null, vandal)
  await below(base, layer, vandal)
  assert.equal(
    (await undone('exchange')).filter(({ id }) => id.startsWith('exchanged')),
    []
  )
  assert.equal([await parentOf(base), await parentOf(layer)], [null, base])
})

test('environments are back below the one that a token has deleted, unless somebody has changed them since', async () => {
  const [base, layer] = await layered('deleted')
  const deed = { ...vandal, requestId: 'deleted-base' }
  for (const id of ['deleted-too', 'deleted-renamed', 'deleted-elsewhere'])
    await ledger.run({ type: 'CreateEnvironment', id, name: id, parentUuid: base }, other)
  await below('deleted-elsewhere', layer, other)
  await ledger.run({ type: 'DeleteEnvironment', id: base }, deed)
  await ledger.run({ type: 'DeleteEnvironment', id: 'deleted-too' }, deed)
  const content = { name: 'Renamed', variables: [] }
  await ledger.run({ type: 'UpdateEnvironment', id: 'deleted-renamed', content }, other)
  const plan = await planUndo(ledger, { filter: { requestId: 'deleted-base' } })
  const names = [plan.returning, plan.reverting, plan.kept].map((some) => some.map(({ name }) => name))
  assert.equal(names, [[base, 'deleted-too'], [layer], ['Renamed']])
  assert.equal(await carryOutUndo(ledger, plan, 1, 'deleted-undone'), [])
  const parents = await Promise.all([layer, 'deleted-too', 'deleted-renamed', 'deleted-elsewhere'].map(parentOf))
  assert.equal(parents, [base, base, null, layer])
})

test('two folders that one token has turned inside out are as they were, whichever of them comes first', async () => {
  const [outer, inner] = await nested('turned')
  await move(inner, null, vandal)
  await move(outer, inner, vandal)
  assert.equal(
    (await undone('second')).filter(({ id }) => id.startsWith('turned')),
    []
  )
  assert.equal([await containerOf(outer), await containerOf(inner)], ['turned', outer])
})

test('two folders that were in each other one after the other do not come back in each other', async () => {
  const [outer, inner] = await nested('round')
  await move(inner, null, vandal)
  await move(outer, inner, other)
  await ledger.run({ type: 'DeleteFolder', id: inner }, vandal)
  await undone('round')
  assert.equal([await containerOf(inner), await containerOf(outer)], ['round', inner])
})

test('a folder that a token has taken to another collection is back where it was, with what was in it', async () => {
  const [outer, inner] = await nested('taken-from')
  await ledger.run({ type: 'CreateCollection', id: 'taken-to', name: 'taken-to' }, other)
  const item = { id: 'taken', collectionId: 'taken-from', folderId: inner }
  await ledger.run({ type: 'CreateRequest', ...item, content: content('taken') }, other)
  const from = { folder: { id: outer }, inner: new Map([[inner, 'taken-inner']]) }
  const to = { id: 'taken-outer', collectionId: 'taken-to', parentFolderId: null }
  await ledger.run({ type: 'TransferFolder', ...from, ...to }, vandal)
  assert.equal([await requestIn('taken'), await containerOf(outer)], ['taken-inner', undefined])
  assert.equal(
    (await undone('third')).filter(({ id }) => id.startsWith('taken')),
    []
  )
  assert.equal(
    [await requestIn('taken'), await containerOf(inner), await containerOf(outer)],
    [inner, outer, 'taken-from']
  )
  assert.is(await containerOf('taken-outer'), undefined)
})

/** A collection with some requests that somebody else has made. */
async function listed(collectionId: string, ...ids: readonly string[]): Promise<void> {
  await ledger.run({ type: 'CreateCollection', id: collectionId, name: collectionId }, other)
  for (const id of ids)
    await ledger.run({ type: 'CreateRequest', id, collectionId, folderId: null, content: content(id) }, other)
}
const reorder = (collectionId: string, ...orderedIds: readonly string[]) =>
  ledger.run({ type: 'ReorderRequests', collectionId, folderId: null, orderedIds }, other)
const save = (id: string, collectionId: string, name: string) =>
  ledger.run(
    { type: 'UpdateRequest', id, collectionId, folderId: null, content: content(name) },
    { ...vandal, requestId: collectionId }
  )

test('what is reordered elsewhere later costs an undo nothing', async () => {
  await listed('here', 'here-1')
  await listed('elsewhere', 'one', 'two', 'three')
  await save('here-1', 'here', 'Changed')
  const bytesRead = async () => {
    const { storage, reading } = counting(ledger.storage)
    await planUndo({ ...ledger, storage }, { filter: { requestId: 'here' } })
    return reading.bytes
  }
  const before = await bytesRead()
  for (let i = 0; i < 10; i++)
    await reorder('elsewhere', ...(i % 2 ? ['one', 'two', 'three'] : ['three', 'two', 'one']))
  assert.is(await bytesRead(), before)
})

test('what others have reordered counts in each collection that a record was in', async () => {
  await listed('first', 'wanderer', 'resting')
  await listed('last')
  await save('wanderer', 'first', 'Changed')
  await reorder('first', 'resting', 'wanderer')
  await save('wanderer', 'last', 'Moved')
  const plan = await planUndo(ledger, { filter: { tokenId: 'token of vandal' } })
  const kept = plan.kept.filter(({ id }) => id === 'wanderer')
  assert.equal(
    kept.map(({ reason }) => reason),
    ['somebody has changed it since']
  )
})

test('what cannot come back keeps nothing else from coming back that was deleted', async () => {
  const folders = []
  for (const collectionId of ['lasting', 'gone-since']) folders.push(...(await nested(collectionId)))
  const deleting = { ...vandal, requestId: 'deleting' }
  for (const id of ['lasting-outer', 'gone-since-outer']) await ledger.run({ type: 'DeleteFolder', id }, deleting)
  await ledger.run({ type: 'DeleteCollectionAsAdmin', id: 'gone-since' }, systemOrigin)
  const plan = await planUndo(ledger, { filter: { requestId: 'deleting' } })
  const kept = await carryOutUndo(ledger, plan, 1, 'fourth')
  assert.equal(kept.map(({ id }) => id).toSorted(), ['gone-since-inner', 'gone-since-outer'])
  assert.equal(await Promise.all(folders.map(containerOf)), ['lasting', 'lasting-outer', undefined, undefined])
})

test('an undo that was cut off goes on with what is left, and takes what it has put back for nobody’s change', async () => {
  await listed('resumed', 'deleted', 'changed', 'left')
  const deed = { ...vandal, requestId: 'resumed' }
  await ledger.run({ type: 'DeleteRequestAsAdmin', id: 'deleted' }, { ...systemOrigin, requestId: 'resumed' })
  await save('changed', 'resumed', 'Changed')
  await save('left', 'resumed', 'Changed')
  const made = { collectionId: 'resumed', folderId: null, content: content('made') }
  await ledger.run({ type: 'CreateRequest', id: 'made', ...made }, deed)
  await ledger.run({ type: 'CreateRequest', id: 'made-too', ...made }, deed)
  const query = { filter: { requestId: 'resumed' } }
  let commands = 0
  const run: Ledger['run'] = (...given) =>
    ++commands > 4 ? Promise.reject(new Error('cut off')) : ledger.run(...given)
  const cut = { ...ledger, run }
  const message = await carryOutUndo(cut, await planUndo(ledger, query), 1, 'half').catch(String)
  assert.is(message, 'Error: cut off')
  const rest = await planUndo(ledger, query)
  const ids = [rest.returning, rest.reverting, rest.removing, rest.kept].map((some) => some.map(({ id }) => id))
  assert.equal(ids, [[], [], ['made'], []])
  assert.equal(await carryOutUndo(ledger, rest, 1, 'rest'), [])
  await save('changed', 'resumed', 'Again')
  const [again] = (await planUndo(ledger, query)).reverting
  assert.is(again?.id, 'changed')
})

test('an undo ends where the hub takes no more of it, and does not say of what is left that it stays', async () => {
  await listed('refused', 'not-taken-back')
  await save('not-taken-back', 'refused', 'Changed')
  const plan = await planUndo(ledger, { filter: { requestId: 'refused' } })
  for (const refusal of [errors.tooMuchToWrite(), errors.unauthorized(), errors.forbidden()]) {
    const busy = { ...ledger, run: () => Promise.reject(refusal) }
    assert.is(await carryOutUndo(busy, plan, 1, 'busy').catch((error: unknown) => error), refusal)
  }
})

const requestIn = async (id: string) => (await ledger.readModel.get(requestsTable, id))?.container
const folderBy = (by: CommandOrigin, collectionId: string, id: string, parentFolderId: string | null = null) =>
  ledger.run({ type: 'CreateFolder', id, collectionId, parentFolderId, name: id }, by)

test('what others have put into a folder that a token made keeps it, also where the token has changed that since', async () => {
  await listed('held', 'in-held')
  const deed = { ...vandal, requestId: 'held' }
  await folderBy(deed, 'held', 'holding')
  await ledger.run({ type: 'MoveRequest', id: 'in-held', folderId: 'holding', index: 0 }, other)
  const item = { id: 'in-held', collectionId: 'held', folderId: 'holding' }
  await ledger.run({ type: 'UpdateRequest', ...item, content: content('Changed') }, deed)
  const plan = await planUndo(ledger, { filter: { requestId: 'held' } })
  assert.equal([plan.kept.map(({ id }) => id), plan.removing], [['holding'], []])
  assert.equal(await carryOutUndo(ledger, plan, 1, 'held-undone'), [])
  assert.is(await requestIn('in-held'), 'holding')
})

test('what others have put into a folder keeps the folders around it too', async () => {
  await listed('deep')
  const deed = { ...vandal, requestId: 'deep' }
  await folderBy(deed, 'deep', 'deep-outer')
  await folderBy(deed, 'deep', 'deep-inner', 'deep-outer')
  await ledger.run(
    { type: 'CreateRequest', id: 'deepest', collectionId: 'deep', folderId: 'deep-inner', content: content('deepest') },
    other
  )
  const plan = await planUndo(ledger, { filter: { requestId: 'deep' } })
  assert.equal([plan.kept.map(({ id }) => id).toSorted(), plan.removing], [['deep-inner', 'deep-outer'], []])
  assert.equal(await carryOutUndo(ledger, plan, 1, 'deep-undone'), [])
  assert.is(await requestIn('deepest'), 'deep-inner')
})

test('what others have put below an environment that a token made keeps it', async () => {
  const deed = { ...vandal, requestId: 'base' }
  for (const id of ['base', 'spare-base']) await ledger.run({ type: 'CreateEnvironment', id, name: id }, deed)
  for (const [id, by] of [['theirs', other] as const, ['own', deed] as const])
    await ledger.run({ type: 'CreateEnvironment', id, name: id, parentUuid: id === 'own' ? 'spare-base' : 'base' }, by)
  const plan = await planUndo(ledger, { filter: { requestId: 'base' } })
  assert.equal(
    [plan.kept.map(({ id }) => id), plan.removing.map(({ id }) => id).toSorted()],
    [['base'], ['own', 'spare-base']]
  )
  assert.equal(await carryOutUndo(ledger, plan, 1, 'base-undone'), [])
  assert.is(await parentOf('theirs'), 'base')
})

test('a folder stays where somebody puts something into it while it is undone', async () => {
  await listed('late')
  const deed = { ...vandal, requestId: 'late' }
  await folderBy(deed, 'late', 'late-folder')
  const plan = await planUndo(ledger, { filter: { requestId: 'late' } })
  await ledger.run(
    { type: 'CreateRequest', id: 'late-one', collectionId: 'late', folderId: 'late-folder', content: content('late') },
    other
  )
  assert.equal(
    (await carryOutUndo(ledger, plan, 1, 'late-undone')).map(({ id }) => id),
    ['late-folder']
  )
  assert.is(await requestIn('late-one'), 'late-folder')
})

test('what is more than one undo may take back is refused before anything is changed', async () => {
  const query = { filter: { tokenId: 'token of vandal' } }
  for (const most of [
    { events: 1, records: 100 },
    { events: 100, records: 1 }
  ]) {
    const { position } = await ledger.storage.head()
    const refusal = await planUndo(ledger, query, most).catch((error: unknown) => error)
    assert.is(refusal instanceof HubError ? refusal.status : null, 413)
    assert.is((await ledger.storage.head()).position, position)
  }
})

test.run()

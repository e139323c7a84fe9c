import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { membersTable } from '../../commands/people/group/table.js'
import { noAccess } from '../../commands/people/user/events.js'
import { usersTable } from '../../commands/people/user/table.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import type { ListOptions, TableSpec, Value } from '../../src/storage/storage.js'
import { fields, records, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { directorySuite } from './setting.js'

const { test, directory } = directorySuite('groups that a directory keeps')

test('a group with a member whom there is not is not made, and not changed in any part', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: 'whole' })).body, 'id')
  const [there, nobody] = [{ value: user }, { value: '00000000-0000-4000-8000-000000000000' }]
  const before = directory.world.position()
  assert.is((await directory.post('/Groups', { displayName: 'Whole', members: [there, nobody] })).status, 404)
  assert.is(directory.world.position(), before)
  const made = succeeded(await directory.post('/Groups', { displayName: 'Whole', members: [there] })).body
  const path = `/Groups/${text(made, 'id')}`
  const after = directory.world.position()
  assert.is((await directory.put(path, { displayName: 'Other', members: [nobody] })).status, 404)
  const operations = [
    { op: 'replace', path: 'displayName', value: 'Other' },
    { op: 'add', path: 'members', value: [nobody] }
  ]
  assert.is((await directory.patch(path, { Operations: operations })).status, 404)
  assert.is(directory.world.position(), after)
  const { displayName, members } = fields(succeeded(await directory.get(path)).body)
  assert.equal([displayName, members], ['Whole', [{ value: user, display: 'whole' }]])
})

test('who is deleted is out of every group: to take them out holds up nobody else', async () => {
  const made = async (userName: string) => text(succeeded(await directory.post('/Users', { userName })).body, 'id')
  const [gone, leaves] = [await made('gone'), await made('leaves')]
  const members = [{ value: gone }, { value: leaves }]
  const path = `/Groups/${text(succeeded(await directory.post('/Groups', { displayName: 'Left', members })).body, 'id')}`
  assert.is((await directory.delete(`/Users/${gone}`)).status, 204)
  const remove = { op: 'remove', path: 'members', value: members }
  succeeded(await directory.patch(path, { Operations: [remove] }))
  assert.is(fields(succeeded(await directory.get(path)).body).members, undefined)
})

test('a directory may name more members than it may change at once, and is told of them in parts', async () => {
  const users = Array.from({ length: 1200 }, (_, i) => ({ id: randomUUID(), name: `Member ${i}` }))
  const { ledger } = directory.world.hub.hub
  const account = { ...noAccess, role: 'user' } as const
  await Promise.all(
    users.map(({ id, name }) =>
      ledger.run(
        { type: 'CreateUser', id, account: { ...account, name }, token: issueToken({}, 0).token },
        systemOrigin
      )
    )
  )
  const all = users.map(({ id }) => ({ value: id }))
  const made = succeeded(await directory.post('/Groups', { displayName: 'Everybody', members: all.slice(0, 1000) }))
  const path = `/Groups/${text(made.body, 'id')}`
  const count = async () => (fields(succeeded(await directory.get(path)).body).members as unknown[]).length
  succeeded(await directory.put(path, { displayName: 'Everybody', members: all }))
  assert.is(await count(), 1200)
  succeeded(await directory.patch(path, { Operations: [{ op: 'replace', path: 'members', value: all.slice(1) }] }))
  assert.is(await count(), 1199)
  assert.is((await directory.put(path, { displayName: 'Everybody', members: [] })).status, 400)
  const most = await mostRowsAtOnce(async () => {
    for (const asked of ['/Users', '/Users?filter=active%20eq%20false', '/Groups', path])
      succeeded(await directory.get(asked))
    const { world } = directory
    const group = text(made.body, 'id')
    const listed = succeeded(await world.by(world.admin).get(`/admin/groups/${group}/members`))
    assert.is(records(listed, 'members').length, 1199)
  })
  // However fast a machine is: so many rows are none that hold up others for long.
  assert.ok(most <= 1001, `${most} rows are read at once`)
})

test('who is in groups is looked up for those that are told alone, unless a filter asks who is in them', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: 'looked-up' })).body, 'id')
  const members = [{ value: user }]
  const made = async (displayName: string) =>
    text(succeeded(await directory.post('/Groups', { displayName, members })).body, 'id')
  const [found] = [await made('Looked up'), await made('Passed over')]
  const asking = async (filter: string) => {
    const { readModel } = directory.world.hub.hub.ledger
    const { list } = readModel
    const groups: unknown[] = []
    Object.assign(readModel, {
      list(table: TableSpec, index: string, key: readonly Value[], options?: ListOptions) {
        if (table.name === membersTable.name) groups.push(key[0])
        return list.call(readModel, table, index, key, options)
      }
    })
    const path = `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`
    const reply = succeeded(await directory.get(path))
    Object.assign(readModel, { list })
    assert.equal(
      records(reply, 'Resources').map(({ id, members }) => [id, members]),
      [[found, undefined]]
    )
    return groups
  }
  assert.equal(await asking('displayName sw "Looked"'), [found])
  assert.ok((await asking(`members[value eq "${user}"] and displayName sw "Looked"`)).length > 1)
})

test('members that a directory adds and takes out are looked up together, not one after the other', async () => {
  const made = async (_: unknown, i: number) => {
    const reply = await directory.post('/Users', { userName: `together-${i}` })
    return { value: text(succeeded(reply).body, 'id') }
  }
  const members = await Promise.all(Array.from({ length: 30 }, made))
  const path = `/Groups/${text(succeeded(await directory.post('/Groups', { displayName: 'Together' })).body, 'id')}`
  const { readModel } = directory.world.hub.hub.ledger
  const { get } = readModel
  const asked: string[] = []
  Object.assign(readModel, {
    get(table: TableSpec, id: string) {
      if (table.name === usersTable.name) asked.push(id)
      return get.call(readModel, table, id)
    }
  })
  try {
    for (const op of ['add', 'remove'])
      succeeded(await directory.patch(path, { Operations: [{ op, path: 'members', value: members }] }))
  } finally {
    Object.assign(readModel, { get })
  }
  assert.equal(
    members.filter(({ value }) => asked.includes(value)),
    []
  )
})

/** The most rows that one question to the read tables is answered with meanwhile. */
async function mostRowsAtOnce(work: () => Promise<void>): Promise<number> {
  const { readModel } = directory.world.hub.hub.ledger
  const { list, getAll } = readModel
  let most = 0
  const counted = async <T>(rows: Promise<readonly T[]>) => {
    most = Math.max(most, (await rows).length)
    return rows
  }
  Object.assign(readModel, {
    list: (...asked: Parameters<typeof list>) => counted(list.apply(readModel, asked)),
    getAll: (...asked: Parameters<typeof getAll>) => counted(getAll.apply(readModel, asked))
  })
  try {
    await work()
  } finally {
    Object.assign(readModel, { list, getAll })
  }
  return most
}

test.run()

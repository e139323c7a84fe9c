import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Command } from '../../commands/index.js'
import { type CommandOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { sha256 } from '../../src/log/chain.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { settleUser } from '../race/world.js'
import { suite } from '../support/suite.js'
import { changeIn, type Receiver, startReceiver, subjects } from './receiver.js'
import { type Delivering, startDelivering, until } from './support.js'

const test = suite('who is told of what by webhooks')
let hub: Delivering
let receiver: Receiver
let ada: CommandOrigin

test.before.each(async () => {
  hub = await startDelivering()
  receiver = await startReceiver()
  ada = await settleUser(hub.ledger, 'ada')
})
const run = (command: Command, by: CommandOrigin = systemOrigin) => hub.ledger.run(command, by)

/** An account with access to these collections, which acts with its token. */
async function person(...collectionAccess: string[]): Promise<CommandOrigin & { readonly id: string }> {
  const [id, tokenId] = [randomUUID(), randomUUID()]
  const account = anAccount(id, { collectionAccess, environmentAccess: [], snippetAccess: [] })
  await run({ type: 'CreateUser', id, account, token: { tokenId, prefix: 'hbk_test', hash: sha256(tokenId) } })
  return { id, tokenId, address: null, requestId: null }
}

async function folderIn(collectionId: string): Promise<string> {
  const id = randomUUID()
  await run({ type: 'CreateFolder', id, collectionId, parentFolderId: null, name: 'Folder' }, ada)
  return id
}

test('a user is never told of what they may not see', async () => {
  const [seen, unseen] = [await hub.change(ada), await hub.change(ada)]
  const sue = await person(seen)
  await hub.subscribe({ url: receiver.url, collectionId: seen }, sue)
  await folderIn(unseen)
  const folder = await folderIn(seen)
  await run({ type: 'UpdateUser', id: sue.id, changes: { name: 'Susan' } })
  await folderIn(unseen)
  const last = await folderIn(seen)
  await until(() => subjects(receiver).includes(last))
  assert.equal(subjects(receiver), [folder, last])
  assert.ok(receiver.received.every((one) => changeIn(one).collectionId === seen))
})

const losses: readonly [what: string, take: (id: string) => Command][] = [
  ['loses the collection', (id) => ({ type: 'UpdateUser', id, changes: { collectionAccess: [] } })],
  ['is deleted', (id) => ({ type: 'DeleteUser', id })]
]

for (const [what, take] of losses) {
  test(`an owner who ${what} is told nothing of what comes before or after, and the webhook is switched off`, async () => {
    const collectionId = await hub.change(ada)
    const sue = await person(collectionId)
    receiver.answers = () => ({ status: 500 })
    const row = await hub.subscribe({ url: receiver.url, collectionId }, sue)
    await folderIn(collectionId)
    await until(async () => (await hub.report(row)).failing)
    await run(take(sue.id))
    const attempts = receiver.received.length
    hub.pass(3_600_000)
    await folderIn(collectionId)
    await until(async () => !(await hub.row(row.id)).isEnabled)
    assert.is((await hub.row(row.id)).disabledReason, 'access')
    assert.is(receiver.received.length, attempts)
  })
}

test('an administrator who becomes a user is told nothing more of everything', async () => {
  const [id, tokenId] = [randomUUID(), randomUUID()]
  const token = { tokenId, prefix: 'hbk_test', hash: sha256(tokenId) }
  await run({ type: 'CreateUser', id, account: anAdmin('Ops'), token })
  const row = await hub.subscribe(
    { url: receiver.url, kinds: ['collection'] },
    {
      ...systemOrigin,
      tokenId
    }
  )
  const first = await hub.change(ada)
  await until(() => subjects(receiver).includes(first))
  await run({ type: 'UpdateUser', id, changes: { role: 'user', collectionAccess: ['*'] } })
  await hub.change(ada)
  await until(async () => !(await hub.row(row.id)).isEnabled)
  assert.equal(subjects(receiver), [first])
})

test('a revoked token ends no webhook: it is the account that is told', async () => {
  const collectionId = await hub.change(ada)
  const sue = await person(collectionId)
  await hub.subscribe({ url: receiver.url, collectionId }, sue)
  await run({ type: 'RevokeToken', id: sue.tokenId ?? '' })
  const folder = await folderIn(collectionId)
  await until(() => subjects(receiver).includes(folder))
})

test.run()

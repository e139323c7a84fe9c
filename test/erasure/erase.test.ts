import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { tokensTable } from '../../commands/people/token/table.js'
import { noAccess } from '../../commands/people/user/events.js'
import { kinds } from '../../commands/records/kinds.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { commentsTable } from '../../commands/talk/comment/table.js'
import { devicesTable } from '../../commands/talk/device/table.js'
import { mlsCommitsTable, mlsWelcomesTable } from '../../commands/talk/mls/table.js'
import { threadSubscriptionsTable } from '../../commands/talk/notification/table.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { verify } from '../../projections/verify.js'
import { deletionOf } from '../../queries/tombstones.js'
import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import { type CommandOrigin, editorOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { diffOf, historyOf } from '../../src/records/history/history.js'
import { undelete } from '../../src/records/history/undelete.js'
import { carryOutUndo, planUndo } from '../../src/records/history/undo.js'
import { type LogSource, verifyChain } from '../../src/trust/audit/verify.js'
import { importLog } from '../../src/trust/backup/import.js'
import { carryOut, planAccount, planDeleted } from '../../src/trust/erasure/erase.js'
import { finishErasures } from '../../src/trust/erasure/finish.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { eraseValue } from '../../src/trust/erasure/value.js'
import { memoryDatabase, type TestDatabase, usualDatabaseDrivers } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { newUser, settleUser } from '../race/world.js'
import { eventsOf } from '../support/append.js'
import { suite } from '../support/suite.js'

const SECRET = 'sesame-opens-the-mountain'
const NAME = 'Scheherazade'

for (const { name, needs, open } of usualDatabaseDrivers) {
  const test = suite(`erasure on ${name}`, { needs })
  let database: TestDatabase
  let ledger: OpenLedger
  let agent: CommandOrigin

  test.before(async () => {
    database = await open()
    const storage = await database.open(tables)
    await migrate(storage)
    ledger = await openLedger(storage, () => null)
    agent = { ...(await settleUser(ledger, NAME)), address: '203.0.113.9' }
  })

  /** The chain holds, and a replay gives what is live. */
  const holds = async () => {
    assert.is((await verifyChain(ledger.storage)).bad, null)
    const { equal, tables: reports } = await verify(ledger.storage, ledger.readEvents, () => createHash('sha256'))
    assert.ok(equal, JSON.stringify(reports.filter(({ differences }) => differences.length > 0)))
  }
  const isInLog = async (text: string) => {
    const events = await ledger.storage.readLog(0, 10_000)
    return events.some(({ who, payload }) => who.text?.includes(text) || payload.text?.includes(text))
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: unknown) => (error instanceof Error ? error.message : String(error))
    )

  test('a deletion that was undone stays undone where what came back last with it is erased', async () => {
    await ledger.run({ type: 'CreateCollection', id: 'attic', name: 'Attic' }, agent)
    await ledger.run(
      { type: 'CreateFolder', id: 'box', collectionId: 'attic', parentFolderId: null, name: 'Box' },
      agent
    )
    const lamp = { id: 'lamp', collectionId: 'attic', folderId: 'box', content: content('Lamp') }
    await ledger.run({ type: 'CreateRequest', ...lamp }, agent)
    await ledger.run({ type: 'DeleteFolder', id: 'box' }, agent)
    await undelete(ledger, systemOrigin, 'folder', 'box')
    await ledger.run({ type: 'DeleteRequest', id: 'lamp' }, agent)
    await carryOut(ledger, await planDeleted(ledger, 'request', 'lamp'))
    await holds()
    assert.is(await deletionOf(ledger.readModel, 'folder', 'box'), null)
  })

  test('a deleted collection: every payload is gone, the chain holds, a replay runs, nothing comes back', async () => {
    await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Treasures' }, agent)
    await ledger.run({ type: 'CreateFolder', id: 'f', collectionId: 'c', parentFolderId: null, name: 'Cave' }, agent)
    const request = { ...content('Door'), body: SECRET }
    await ledger.run({ type: 'CreateRequest', id: 'r', collectionId: 'c', folderId: 'f', content: request }, agent)
    await ledger.run({ type: 'CreateRequest', id: 'gone', collectionId: 'c', folderId: null, content: request }, agent)
    const sent = { body: SECRET }
    for (const [id, target] of Object.entries({ m1: 'r', m2: 'gone' }))
      await ledger.run({ type: 'WriteComment', id, target: { kind: 'request', id: target }, sent }, agent)
    await ledger.run({ type: 'WriteComment', id: 'm3', target: { kind: 'collection', id: 'c' }, sent }, agent)
    await ledger.run({ type: 'EditComment', id: 'm3', sent: { body: 'harmless' } }, agent)
    await ledger.run({ type: 'RetractComment', id: 'm1' }, agent)
    await ledger.run({ type: 'SubscribeToThread', id: 't', rootId: 'm3' }, agent)
    await ledger.run({ type: 'DeleteRequest', id: 'gone' }, agent)
    const ofComment = { kind: 'comment', id: 'm3', positions: [1] }
    const early = ledger.run({ type: 'ErasePayloads', id: randomUUID(), data: ofComment }, systemOrigin)
    assert.is(await refusal(early), 'Only what is deleted can be erased. Delete it first.')
    assert.is(await refusal(planDeleted(ledger, 'collection', 'c')), 'Collection not found')
    await ledger.run({ type: 'DeleteCollection', id: 'c' }, agent)
    const plan = await planDeleted(ledger, 'collection', 'c')
    await carryOut(ledger, plan)
    assert.not.ok(await isInLog(SECRET))
    assert.not.ok(await isInLog('Treasures'))
    await holds()
    for (const id of ['m1', 'm2', 'm3']) assert.is(await ledger.readModel.get(commentsTable, id), null)
    assert.is(await ledger.readModel.get(threadSubscriptionsTable, 't'), null)
    assert.is(await refusal(undelete(ledger, systemOrigin, 'collection', 'c')), 'Collection not found')
    assert.is(await refusal(undelete(ledger, systemOrigin, 'request', 'gone')), 'Request not found')
    assert.ok((await historyOf(ledger, 'request', 'r', { limit: 9 })).versions.every(({ erased }) => erased))
  })

  test('what went with a deleted folder and was brought back without it stays whole', async () => {
    const other = await settleUser(ledger, 'Zubaida')
    await ledger.run({ type: 'CreateCollection', id: 'well', name: 'Well' }, agent)
    await ledger.run(
      { type: 'CreateFolder', id: 'pit', collectionId: 'well', parentFolderId: null, name: 'Pit' },
      other
    )
    const inPit = { collectionId: 'well', folderId: 'pit', content: content('Bucket') }
    await ledger.run({ type: 'CreateRequest', id: 'bucket', ...inPit }, agent)
    await ledger.run({ type: 'DeleteFolder', id: 'pit' }, other)
    const undo = await planUndo(ledger, { filter: { tokenId: other.tokenId ?? '' } })
    assert.equal(await carryOutUndo(ledger, undo, 1, 'undo'), [])
    await carryOut(ledger, await planDeleted(ledger, 'folder', 'pit'))
    await holds()
    const { versions } = await historyOf(ledger, 'request', 'bucket', { limit: 9 })
    assert.not.ok(versions.some(({ erased }) => erased))
  })

  test('what went with a deleted folder, was brought back without it and deleted once more goes with its own deletion', async () => {
    const other = await settleUser(ledger, 'Parizade')
    await ledger.run({ type: 'CreateCollection', id: 'spring', name: 'Spring' }, agent)
    const pit = { collectionId: 'spring', parentFolderId: null, name: 'Pit' }
    await ledger.run({ type: 'CreateFolder', id: 'basin', ...pit }, other)
    const inPit = { collectionId: 'spring', folderId: 'basin', content: content('Jar') }
    await ledger.run({ type: 'CreateRequest', id: 'jar', ...inPit }, agent)
    await ledger.run({ type: 'DeleteFolder', id: 'basin' }, other)
    const undo = await planUndo(ledger, { filter: { tokenId: other.tokenId ?? '' } })
    await carryOutUndo(ledger, undo, 1, 'undone')
    await ledger.run({ type: 'DeleteRequestAsAdmin', id: 'jar' }, systemOrigin)
    await carryOut(ledger, await planDeleted(ledger, 'folder', 'basin'))
    assert.equal(await undelete(ledger, systemOrigin, 'request', 'jar'), { request: 1 })
    await holds()
  })

  test('what devices have sent for a discussion goes with what is discussed, also what a group has begun anew without, and devices go with their account', async () => {
    const owner = await settleUser(ledger, 'Dunyazad')
    const { userId } = (await ledger.readModel.get(tokensTable, owner.tokenId ?? '')) ?? { userId: '' }
    const deviceId = randomUUID()
    const device = {
      ...{ deviceId, label: SECRET, publicKey: SECRET, keyFormat: 'identity-v1' as const, fingerprint: 'ab' }
    }
    await ledger.run({ type: 'EnrollDevice', id: 'd', device }, owner)
    await ledger.run({ type: 'CreateCollection', id: 'cave', name: 'Cave' }, owner)
    const sent = { mlsGroupId: 'thread:collection:cave', ciphertext: SECRET }
    await ledger.run({ type: 'PostMlsCommit', id: 'k', ...sent, epoch: 0, senderDeviceId: deviceId }, owner)
    const welcome = { ...sent, recipientDeviceId: deviceId, ratchetTree: SECRET }
    await ledger.run({ type: 'PostMlsWelcome', id: 'w', ...welcome }, owner)
    const payload = { ...sent, epoch: 0, senderDeviceId: deviceId, keyFormat: 'mls-v1' }
    const target = { kind: 'collection' as const, id: 'cave' }
    const comment = { id: 'm4', target, sent: { encryptedPayload: payload }, isEncrypted: true }
    await ledger.run({ type: 'WriteComment', ...comment }, owner)
    await ledger.run({ type: 'RestartMlsGroup', id: 'n', mlsGroupId: sent.mlsGroupId }, owner)
    for (const kind of ['mlscommit', 'mlswelcome']) {
      const data = { kind, id: kind === 'mlscommit' ? 'k' : 'w', positions: [1] }
      const early = ledger.run({ type: 'ErasePayloads', id: randomUUID(), data }, systemOrigin)
      assert.is(await refusal(early), 'Only what is deleted can be erased. Delete it first.')
    }
    await ledger.run({ type: 'DeleteCollection', id: 'cave' }, owner)
    await carryOut(ledger, await planDeleted(ledger, 'collection', 'cave'))
    await holds()
    assert.is(await ledger.readModel.get(mlsCommitsTable, 'k'), null)
    assert.is(await ledger.readModel.get(mlsWelcomesTable, 'w'), null)
    assert.ok(await isInLog(SECRET))
    await ledger.run({ type: 'DeleteUser', id: userId }, systemOrigin)
    assert.is(await ledger.readModel.get(devicesTable, 'd'), null)
    await carryOut(ledger, await planAccount(ledger, userId))
    assert.not.ok(await isInLog(SECRET))
    await holds()
  })

  test('one value of one version: the secret is gone, the other fields and the later versions stay', async () => {
    const environment = (value: string) => ({
      name: 'Desert',
      variables: [{ key: 'word', value, defaultValue: '', share: true, enabled: true }]
    })
    await ledger.run({ type: 'CreateEnvironment', id: 'e', name: 'Desert' }, agent)
    await ledger.run({ type: 'UpdateEnvironment', id: 'e', content: environment(SECRET) }, agent)
    const path = '/variables/0/value'
    const inUse = 'The environment has this value now. Change it first, then erase it.'
    assert.is(await refusal(eraseValue(ledger, 'environment', 'e', 2, path)), inUse)
    assert.is(await refusal(eraseValue(ledger, 'environment', 'e', 1, '/name')), inUse)
    await ledger.run({ type: 'UpdateEnvironment', id: 'e', content: environment('harmless') }, agent)
    assert.equal(await eraseValue(ledger, 'environment', 'e', 2, path), [])
    assert.not.ok(await isInLog(SECRET))
    const { changes } = await diffOf(ledger, 'environment', 'e', { from: 2, to: 3 })
    assert.equal(
      changes.find(({ path: one }) => one === path),
      { path, from: '', to: 'harmless' }
    )
    await holds()
  })

  test('the name under which a request went to another collection: it is gone from what tells of that too', async () => {
    for (const id of ['from', 'to']) await ledger.run({ type: 'CreateCollection', id, name: id }, agent)
    const at = { folderId: null, content: content('Plain') }
    await ledger.run({ type: 'CreateRequest', id: 'wandering', collectionId: 'from', ...at }, agent)
    const update = { type: 'UpdateRequest', id: 'wandering', collectionId: 'to', folderId: null } as const
    await ledger.run({ ...update, content: content(SECRET) }, agent)
    await ledger.run({ ...update, content: content('Plain') }, agent)
    assert.equal(await eraseValue(ledger, 'request', 'wandering', 2, '/name'), [])
    assert.not.ok(await isInLog(SECRET))
    await holds()
  })

  test('of a deletion that was undone the name can go, and not the ids of what went with it', async () => {
    await ledger.run({ type: 'CreateCollection', id: 'gone', name: 'Gone' }, agent)
    const at = { collectionId: 'gone', folderId: null, content: content('Plain') }
    await ledger.run({ type: 'CreateRequest', id: 'with', ...at }, agent)
    await ledger.run({ type: 'DeleteCollection', id: 'gone' }, agent)
    await undelete(ledger, agent, 'collection', 'gone')
    await ledger.run({ type: 'DeleteCollection', id: 'gone' }, agent)
    const refused = 'Version 2 has no text at /requests/0: name a version that set it, as hub diff prints it.'
    assert.is(await refusal(eraseValue(ledger, 'collection', 'gone', 2, '/requests/0')), refused)
    assert.equal(await eraseValue(ledger, 'collection', 'gone', 2, '/name'), [1, 3])
    await holds()
  })

  test('a deleted account: its name and addresses are nowhere, and what it did still verifies', async () => {
    const { actorId } = (await eventsOf(ledger.storage, 'environment-e'))[0] ?? { actorId: '' }
    assert.is(await refusal(planAccount(ledger, actorId)), 'Only what is deleted can be erased. Delete it first.')
    await ledger.run({ type: 'DeleteUser', id: actorId }, systemOrigin)
    const operator = { user: NAME.toLowerCase(), host: 'rack-7', command: 'hub restore' }
    const content = { name: 'By hand', code: '', scope: 'any' as const }
    await ledger.run({ type: 'CreateSnippet', id: 'by-hand', content }, { ...editorOrigin, operator })
    assert.ok(await isInLog('rack-7'))
    // Somebody else who has taken that id for a name is somebody else.
    const other = { ...(await settleUser(ledger, actorId)), address: '203.0.113.77' }
    await ledger.run({ type: 'CreateEnvironment', id: 'theirs', name: 'Theirs' }, other)
    const { state } = ledger.storage
    await state.put(`notices-${actorId}`, '{}', null)
    await carryOut(ledger, await planAccount(ledger, actorId))
    assert.is(await state.get(`notices-${actorId}`), null)
    assert.ok(await isInLog('203.0.113.77'))
    assert.not.ok(await isInLog(NAME))
    assert.not.ok(await isInLog('rack-7'))
    assert.not.ok(await isInLog('203.0.113.9'))
    await holds()
  })

  test('what somebody signed in with goes, and the address at which they did or redeemed an invitation, though the hub let them in', async () => {
    const issued = (id: string) => ({ tokenId: id, prefix: 'hbk_abc', hash: id })
    const comes = (name: string, address: string) =>
      ledger.run(
        {
          ...{ type: 'SignIn', session: null, replaces: null, tokenName: 'Firefox', rules: [] },
          subject: { provider: 'company', issuer: 'https://id.example.com', subject: name, name, key: name },
          token: { ...issued(`session-${name}`), expiresAt: '2099-01-01T00:00:00.000Z' },
          newIds: { identity: `identity-${name}`, user: `user-${name}` },
          account: { ...noAccess, name, role: 'user' }
        },
        { ...systemOrigin, address }
      )
    await comes('morgiana', '203.0.113.21')
    const invitation = { invitationId: 'i', prefix: 'hbi_abc', hash: 'i', expiresAt: '2099-01-01T00:00:00.000Z' }
    const boss = newUser('Boss', 'boss')
    await ledger.run(boss.command, systemOrigin)
    await ledger.run({ type: 'UpdateUser', id: 'boss', changes: { role: 'admin' } }, systemOrigin)
    const inviting = { ...boss.agent, address: '203.0.113.24' }
    await ledger.run({ type: 'CreateInvitation', userId: 'user-morgiana', invitation }, inviting)
    await comes('cassim', '203.0.113.22')
    const redeem = { type: 'RedeemInvitation', hash: 'i', token: issued('redeemed'), tokenName: undefined } as const
    await ledger.run(redeem, { ...systemOrigin, address: '203.0.113.23' })
    const { state } = ledger.storage
    for (const name of ['morgiana', 'cassim']) await state.put(`sign-in-session-${name}`, '{}', null)
    await ledger.run({ type: 'DeleteUser', id: 'user-morgiana' }, systemOrigin)
    await carryOut(ledger, await planAccount(ledger, 'user-morgiana'))
    assert.is(await state.get('sign-in-session-morgiana'), null)
    assert.ok(await state.get('sign-in-session-cassim'))
    for (const address of ['203.0.113.21', '203.0.113.23']) assert.not.ok(await isInLog(address), address)
    for (const address of ['203.0.113.22', '203.0.113.24']) assert.ok(await isInLog(address), address)
    const invited = await eventsOf(ledger.storage, 'invitation-i')
    assert.ok(invited.length > 0 && invited.every(({ payload }) => payload.text !== null))
    await holds()
  })

  test('what somebody brings back while the expired is erased stays, and the rest goes all the same', async () => {
    const who = await settleUser(ledger, 'Aladdin')
    for (const id of ['back', 'gone']) {
      await ledger.run({ type: 'CreateSnippet', id, content: { name: id, code: `${SECRET}-${id}`, scope: 'any' } }, who)
      await ledger.run({ type: 'DeleteSnippet', id }, who)
    }
    const run: OpenLedger['run'] = async (command, origin) => {
      if (command.type === 'ErasePayloads' && command.id === 'back')
        await undelete(ledger, systemOrigin, 'snippet', 'back')
      return ledger.run(command, origin)
    }
    await eraseExpired({ ...ledger, run }, 1, Date.now() + 86_400_000 + 1000)
    assert.ok(await isInLog(`${SECRET}-back`))
    assert.not.ok(await isInLog(`${SECRET}-gone`))
    await ledger.run({ type: 'DeleteSnippet', id: 'back' }, who)
    await carryOut(ledger, await planDeleted(ledger, 'snippet', 'back'))
  })

  test('what comes back alone while the folder that it went with is erased keeps its past, and the folder stays', async () => {
    const who = await settleUser(ledger, 'Sinbad')
    await ledger.run({ type: 'CreateCollection', id: 'sea', name: 'Sea' }, who)
    await ledger.run({ type: 'CreateFolder', id: 'ship', collectionId: 'sea', parentFolderId: null, name: 'Ship' }, who)
    const request = { ...content('Sail'), body: `${SECRET}-sail` }
    await ledger.run(
      { type: 'CreateRequest', id: 'sail', collectionId: 'sea', folderId: 'ship', content: request },
      who
    )
    const row = await ledger.readModel.get(requestsTable, 'sail')
    assert.ok(row)
    await ledger.run({ type: 'DeleteFolder', id: 'ship' }, who)
    const plan = await planDeleted(ledger, 'folder', 'ship')
    const records = [kinds.request.restorable(row, { follows: row.version, deletionPositions: [] })]
    await ledger.run({ type: 'RestoreRecords', records }, systemOrigin)
    assert.is(await refusal(carryOut(ledger, plan)), 'Only what is deleted can be erased. Delete it first.')
    const [created] = await eventsOf(ledger.storage, 'request-sail')
    assert.ok(created?.payload.text?.includes(`${SECRET}-sail`))
    await carryOut(ledger, await planDeleted(ledger, 'folder', 'ship'))
    await ledger.run({ type: 'DeleteCollection', id: 'sea' }, who)
    await carryOut(ledger, await planDeleted(ledger, 'collection', 'sea'))
    assert.not.ok(await isInLog(SECRET))
  })

  test('what has expired: names and addresses of everybody, and what was deleted', async () => {
    const other = { ...(await settleUser(ledger, 'Dunyazad')), address: '203.0.113.10' }
    await ledger.run({ type: 'CreateSnippet', id: 's', content: { name: 'Tale', code: SECRET, scope: 'any' } }, other)
    await ledger.run({ type: 'DeleteSnippet', id: 's' }, other)
    const tomorrow = Date.now() + 86_400_000 + 1000
    await eraseExpired(ledger, 2, tomorrow)
    assert.ok(await isInLog('203.0.113.10'))
    await eraseExpired(ledger, 1, tomorrow)
    assert.not.ok(await isInLog('203.0.113.10'))
    assert.not.ok(await isInLog(SECRET))
    assert.equal(await eraseExpired(ledger, 1, tomorrow - 2000), { names: 0, payloads: 0 })
    await holds()
  })

  test('what was told to be erased and not carried out, since the process was killed, is erased by the next run', async () => {
    const writer = await settleUser(ledger, 'Dinarzad')
    const killed = () => Promise.reject(new Error('killed'))
    const dying: OpenLedger = { ...ledger, storage: { ...ledger.storage, erase: killed } }
    await ledger.run({ type: 'CreateEnvironment', id: 'v', name: 'Cut off' }, writer)
    await ledger.run({ type: 'UpdateEnvironment', id: 'v', content: { name: 'Shore', variables: [] } }, writer)
    await ledger.run({ type: 'CreateCollection', id: 'k', name: 'Cut short' }, writer)
    const target = { kind: 'collection' as const, id: 'k' }
    await ledger.run({ type: 'WriteComment', id: 'cut', target, sent: { body: SECRET } }, writer)
    assert.is(await refusal(eraseValue(dying, 'environment', 'v', 1, '/name')), 'killed')
    assert.ok(await isInLog('Cut off'))
    await ledger.run({ type: 'DeleteCollection', id: 'k' }, writer)
    assert.is(await refusal(carryOut(dying, await planDeleted(ledger, 'collection', 'k'))), 'killed')
    assert.is(await refusal(planDeleted(ledger, 'collection', 'k')), 'Collection not found')
    assert.ok(await isInLog(SECRET))
    // Of a log that was put back it may be noted that more was carried out than it has.
    const noted = await ledger.storage.state.get('erasures-carried-out')
    await ledger.storage.state.put('erasures-carried-out', '999999', noted?.mark ?? null)
    await finishErasures(ledger)
    for (const text of ['Cut off', 'Cut short', SECRET]) assert.not.ok(await isInLog(text), text)
    await holds()
    assert.equal(await finishErasures(ledger), { names: 0, payloads: 0 })
  })

  test('two values of one version that are erased at the same moment are both gone', async () => {
    const writer = await settleUser(ledger, 'Dinarzade')
    const variables = ['Morgiana', 'Cassim'].map((value, i) => ({
      key: `v${i}`,
      value,
      defaultValue: '',
      share: true,
      enabled: true
    }))
    await ledger.run({ type: 'CreateEnvironment', id: 'two', name: 'Two' }, writer)
    await ledger.run({ type: 'UpdateEnvironment', id: 'two', content: { name: 'Two', variables } }, writer)
    await ledger.run({ type: 'UpdateEnvironment', id: 'two', content: { name: 'Two', variables: [] } }, writer)
    await Promise.all([0, 1].map((i) => eraseValue(ledger, 'environment', 'two', 2, `/variables/${i}/value`)))
    for (const text of ['Morgiana', 'Cassim']) assert.not.ok(await isInLog(text), text)
    await holds()
  })

  test('an erasure that was announced and not carried out, and one that happens during the walk, are no fault', async () => {
    await ledger.run({ type: 'CreateSnippet', id: 'x', content: { name: 'X', code: 'x', scope: 'any' } }, editorOrigin)
    await ledger.run({ type: 'DeleteSnippet', id: 'x' }, editorOrigin)
    const { payloads } = await planDeleted(ledger, 'snippet', 'x')
    const positions = [...payloads]
    const announce = () =>
      ledger.run(
        { type: 'ErasePayloads', id: randomUUID(), data: { kind: 'snippet', id: 'x', positions } },
        systemOrigin
      )
    const { storage } = ledger
    let isErased = false
    const source: LogSource = {
      ...storage,
      async readLog(after, limit) {
        // After the walk has asked where the log ends, and before it gets there.
        if (!isErased) await carryOut(ledger, { kind: 'snippet', id: 'x', payloads, names: [] })
        isErased = true
        return storage.readLog(after, limit)
      }
    }
    await announce()
    await holds()
    assert.is((await verifyChain(source)).bad, null)
    await holds()
  })

  test('a log is imported with its erasures', async () => {
    const { storage } = ledger
    const { position } = await storage.head()
    const target = await (await memoryDatabase()).open(tables)
    await migrate(target)
    const events = await storage.readLog(0, position)
    assert.is((await importLog(target, events, NO_KEYS)).position, position)
    assert.is((await verifyChain(target)).bad, null)
  })

  test('an erasure that no event tells of is found by the verification', async () => {
    const [, , event] = await eventsOf(ledger.storage, 'environment-e')
    if (!event) throw new Error('There is no third version.')
    await ledger.storage.erase([{ event, part: 'payload', text: null }])
    const { bad } = await verifyChain(ledger.storage)
    assert.is(bad?.position, event.position)
    assert.match(bad?.reason ?? '', /no event of the log tells by whom/)
  })

  test.run()
}

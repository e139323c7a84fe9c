import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { runPayloadsTable } from '../../commands/records/runResult/table.js'
import { tombstonesTable } from '../../commands/records/undelete/table.js'
import { emitImported } from '../../commands/takeover/events.js'
import { commentsTable } from '../../commands/talk/comment/table.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { verify } from '../../projections/verify.js'
import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import { type CommandOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { streamAt } from '../../src/records/history/priorOutcome.js'
import type { Storage } from '../../src/storage/storage.js'
import { verifyChain } from '../../src/trust/audit/verify.js'
import { importLog } from '../../src/trust/backup/import.js'
import { commentsOn } from '../../src/trust/erasure/comments.js'
import { carryOut } from '../../src/trust/erasure/erase.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { planRunResult } from '../../src/trust/erasure/runResults.js'
import { memoryDatabase, usualDatabaseDrivers } from '../contract/databases.js'
import { settleUser } from '../race/world.js'
import { appendEvents, eventsOf, projected } from '../support/append.js'
import { suite } from '../support/suite.js'
import { turnsOfOthers } from '../support/turns.js'

const DAY_MS = 86_400_000
const NOTE = 'run-results-erased'
const secretOf = (id: string) => `Bearer of-${id}.`

for (const { name, needs, open } of usualDatabaseDrivers) {
  const test = suite(`erasure of run results on ${name}`, { needs })
  let ledger: OpenLedger
  let who: CommandOrigin
  let now = Date.now()

  test.before(async () => {
    const storage = await (await open()).open(tables)
    await migrate(storage)
    ledger = await openLedger(
      storage,
      () => null,
      undefined,
      () => now
    )
    who = await settleUser(ledger, 'Marjana')
  })

  const payloadOf = (id: string) => ({
    harborclientExport: 'request-run-results',
    results: [{ status: 'passed', headers: { authorization: secretOf(id) } }]
  })
  const share = (id: string) =>
    ledger.run({ type: 'ShareRunResult', id, label: undefined, payload: payloadOf(id) }, who)
  const comment = (id: string, on: string) =>
    ledger.run({ type: 'WriteComment', id, target: { kind: 'runResult', id: on }, sent: { body: secretOf(id) } }, who)
  const remove = (id: string) => ledger.run({ type: 'DeleteRunResult', id }, who)
  const gone = async (...ids: readonly string[]) => {
    for (const id of ids) {
      await share(id)
      await remove(id)
    }
  }
  /** The ids of those whose secrets are in the log. */
  const said = async (...ids: readonly string[]) => {
    const events = await ledger.storage.readLog(0, 10_000)
    return ids.filter((id) => events.some(({ payload }) => payload.text?.includes(secretOf(id))))
  }
  /** How often the log tells that something of this kind was erased. */
  const toldOf = async (kind: string, id: string) =>
    (await eventsOf(ledger.storage, `erasure-${id}`)).filter(({ payload }) => payload.text?.includes(`"${kind}"`))
      .length
  const holds = async () => {
    assert.is((await verifyChain(ledger.storage)).bad, null)
    const { equal, tables: reports } = await verify(ledger.storage, ledger.readEvents, () => createHash('sha256'))
    assert.ok(equal, JSON.stringify(reports.filter(({ differences }) => differences.length > 0)))
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: unknown) => (error instanceof Error ? error.message : String(error))
    )
  const withStorage = (changed: Partial<Storage>): OpenLedger => ({
    ...ledger,
    storage: { ...ledger.storage, ...changed }
  })
  /** The retention of a day, on a day when nothing has happened yet. */
  const expire = (erasing = ledger, signal?: AbortSignal) => {
    now += 2 * DAY_MS
    return eraseExpired(erasing, 1, now, signal)
  }

  test('one that is deleted goes with what was said about it, and nothing of it comes back', async () => {
    const { position } = await share('a')
    await comment('m', 'a')
    await share('other')
    await comment('n', 'other')
    assert.is(await refusal(planRunResult(ledger, 'a')), 'Only what is deleted can be erased. Delete it first.')
    assert.is(await refusal(planRunResult(ledger, 'none')), 'Run result not found')
    await remove('a')
    assert.equal(await ledger.readModel.list(tombstonesTable, 'bySubject', ['a']), [])
    assert.equal(await said('a', 'm'), ['a', 'm'])
    const erased = await carryOut(ledger, await planRunResult(ledger, 'a'))
    assert.equal(erased, { names: 0, payloads: 2 })
    assert.equal(await said('a', 'm', 'other', 'n'), ['other', 'n'])
    assert.is(await ledger.readModel.get(commentsTable, 'm'), null)
    assert.ok(await ledger.readModel.get(commentsTable, 'n'))
    assert.is(await toldOf('runresult', 'a'), 1)
    await holds()
    assert.is(await refusal(planRunResult(ledger, 'a')), 'Run result not found')
    assert.is(await (await streamAt(ledger.storage, 'runresult-a', position)).get(runPayloadsTable, 'a'), null)
  })

  test('one that was deleted long enough ago expires with its comments, once, and no other does', async () => {
    await share('old')
    await comment('on-old', 'old')
    await remove('old')
    await share('kept')
    now += 2 * DAY_MS
    await gone('young')
    assert.is((await eraseExpired(ledger, 1, now)).payloads, 2)
    assert.equal(await said('old', 'on-old', 'kept', 'young'), ['kept', 'young'])
    await holds()
    assert.is((await expire()).payloads, 1)
    assert.equal(await said('kept', 'young'), ['kept'])
    assert.is((await expire()).payloads, 0)
    for (const id of ['old', 'young']) assert.is(await toldOf('runresult', id), 1)
  })

  test('one that an older hub had expires as well', async () => {
    const run = { kind: 'request-run-results', label: 'Old', collectionName: null, requestName: null } as const
    const summary = { passed: 1, failed: 0, skipped: 0 }
    const shared = { ...run, summary, payload: payloadOf('imported'), createdAt: new Date(now).toISOString() }
    const happening = {
      events: [emitImported('imported', 'RunResultImported', { ...shared, createdBy: null })],
      ...{ cause: { actorId: 'x', actorName: 'x', tokenId: null, address: null, requestId: null }, commandId: 'i', now }
    }
    await appendEvents(ledger.storage, happening, { ops: projected })
    await ledger.run({ type: 'DeleteRunResultAsAdmin', id: 'imported' }, systemOrigin)
    await expire()
    assert.equal(await said('imported'), [])
  })

  test('deletions that a run has gone through are not looked at by later ones', async () => {
    await gone('seen')
    await expire()
    await gone('fresh')
    const looked: string[] = []
    const watched = withStorage({
      lastOf: (streams, ...rest) => {
        looked.push(...streams)
        return ledger.storage.lastOf(streams, ...rest)
      }
    })
    await expire(watched)
    assert.equal(looked, ['runresult-fresh'])
    await expire(watched)
    assert.equal(looked, ['runresult-fresh'])
  })

  test('what a run that broke off has left is erased by the next, and told once', async () => {
    await gone('cut')
    const killed = () => Promise.reject(new Error('killed'))
    const erase: Storage['erase'] = (erasures) =>
      erasures.some(({ part }) => part === 'payload') ? killed() : ledger.storage.erase(erasures)
    assert.is(await refusal(expire(withStorage({ erase }))), 'killed')
    assert.equal(await said('cut'), ['cut'])
    assert.is(await toldOf('runresult', 'cut'), 1)
    await gone('late')
    const state = { ...ledger.storage.state, put: killed }
    assert.is(await refusal(expire(withStorage({ state }))), 'killed')
    await expire()
    assert.equal(await said('cut', 'late'), [])
    for (const id of ['cut', 'late']) assert.is(await toldOf('runresult', id), 1)
    await holds()
  })

  test('where it breaks off behind the comments, these and the run result go all the same', async () => {
    await share('b')
    await comment('on-b', 'b')
    await remove('b')
    let told: Promise<unknown> = Promise.resolve()
    const run: OpenLedger['run'] = async (command, ...rest) => {
      if (command.type === 'ErasePayloads' && command.data.kind === 'runresult') {
        await told
        throw new Error('killed')
      }
      const done = ledger.run(command, ...rest)
      told = done
      return done
    }
    assert.is(await refusal(expire({ ...ledger, run })), 'killed')
    assert.equal(await said('b', 'on-b'), ['b', 'on-b'])
    assert.is(await toldOf('comment', 'on-b'), 1)
    await expire()
    assert.equal(await said('b', 'on-b'), [])
    assert.is(await toldOf('comment', 'on-b'), 1)
    await holds()
  })

  test('a run that is told to stop rejects with the reason, and the next goes on', async () => {
    await gone('c')
    const ending = new AbortController()
    const stopping = withStorage({
      lastOf: (...asked) => {
        ending.abort(new Error('stopping'))
        return ledger.storage.lastOf(...asked)
      }
    })
    assert.is(await refusal(expire(stopping, ending.signal)), 'stopping')
    await expire()
    assert.equal(await said('c'), [])
  })

  test('a log that was put back is gone through from its beginning', async () => {
    await gone('d')
    const noted = await ledger.storage.state.get(NOTE)
    await ledger.storage.state.put(NOTE, '999999', noted?.mark ?? null)
    await expire()
    assert.equal(await said('d'), [])
  })

  test('a log is imported with these erasures', async () => {
    const { position } = await ledger.storage.head()
    const target = await (await memoryDatabase()).open(tables)
    await migrate(target)
    const events = await ledger.storage.readLog(0, position)
    assert.is((await importLog(target, events, NO_KEYS)).position, position)
    assert.is((await verifyChain(target)).bad, null)
  })

  test('others have their turn while what is about very many of them is looked for', async () => {
    const streams = Array.from({ length: 3000 }, (_, at) => `runresult-${at}`)
    assert.ok((await turnsOfOthers(() => commentsOn(ledger, streams))) > 3)
  })

  test.run()
}

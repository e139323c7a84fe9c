import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { sent } from '../../commands/content.js'
import type { Caller } from '../../commands/context.js'
import { systemCaller, systemEditor } from '../../commands/people/user/system.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import { HubError } from '../../src/errors.js'
import { SearchIndexer } from '../../src/followers/search/indexer.js'
import { type SearchQuestion, search } from '../../src/followers/search/search.js'
import { areaTag } from '../../src/followers/search/terms.js'
import { searchIndex } from '../../src/followers/search/thread.js'
import { editorOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { rebuild } from '../../src/ledger/rebuild.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { undelete } from '../../src/records/history/undelete.js'
import { importLog } from '../../src/trust/backup/import.js'
import { carryOut, planDeleted } from '../../src/trust/erasure/erase.js'
import { type TestDatabase, usualDatabaseDrivers } from '../contract/databases.js'
import { content, prose } from '../decide/made.js'
import { newLedger } from '../history/log.js'
import { suite } from '../support/suite.js'

/** The streams of all records that an index has, at most nine of them, as far as it is. */
async function everything(indexer: Pick<SearchIndexer, 'find'>): Promise<readonly string[]> {
  const wanted = { text: areaTag('').slice(0, 1), isPrefix: true }
  return (await indexer.find({ tiers: [{ wanted, none: [] }], from: { tier: 0 }, limit: 9 })).map(({ id }) => id)
}

for (const { name, needs, open } of usualDatabaseDrivers) {
  const test = suite(`search on ${name}`, { needs })
  let database: TestDatabase
  let ledger: OpenLedger
  let logs = 0

  test.before(async () => {
    database = await open()
  })
  test.before.each(async () => {
    ledger = await newLedger(await database.open(tables, `log${++logs}_`))
  })
  test.after.each(() => database.disconnect())

  /** On a busy machine an index may need longer than a search waits. */
  const ask = async (question: SearchQuestion | string, caller: Caller = systemEditor) => {
    for (;;) {
      const page = await search(ledger, async () => caller, typeof question === 'string' ? { q: question } : question)
      if (page.isComplete) return page
    }
  }
  const found = async (question: SearchQuestion | string, caller?: Caller) =>
    (await ask(question, caller)).results.map(({ id }) => id)
  const run = (command: Parameters<OpenLedger['run']>[0]) => ledger.run(command, editorOrigin)
  const collection = (id: string, called = id) => run({ type: 'CreateCollection', id, name: called })
  const request = (id: string, collectionId: string, changes: Parameters<typeof content>[1] = {}, called = id) =>
    run({ type: 'CreateRequest', id, collectionId, folderId: null, content: content(called, changes) })
  const document = (id: string, collectionId: string, text: string, called = id) =>
    run({ type: 'CreateDocument', id, collectionId, folderId: null, content: prose(called, { content: text }) })
  const reader = (collectionAccess: readonly string[], others: Partial<Caller> = {}): Caller => ({
    ...systemEditor,
    ...{ collectionAccess, environmentAccess: [], snippetAccess: [] },
    ...others
  })

  test('names come first, exact ones before those that begin so, then addresses, then everything else', async () => {
    await collection('c')
    await request('in-body', 'c', { body: '{"refund": true}' }, 'One')
    await request('exact', 'c', {}, 'Refund')
    await request('in-url', 'c', { url: 'https://api.example.com/refund/1' }, 'Two')
    await request('beginning', 'c', {}, 'Refund of a part')
    await request('longer', 'c', {}, 'Refunds')
    await request('inside', 'c', {}, 'List refunds')
    await request('newest', 'c', {}, 'Get refund')
    const ranked = ['exact', 'longer', 'beginning', 'newest', 'inside', 'in-url', 'in-body']
    assert.equal(await found('refund'), ranked)
    assert.equal(await found('REFÜND'), ranked)
    assert.equal(await found('refund "'), ['exact', 'beginning', 'newest', 'in-url', 'in-body'])
    assert.equal(await found('refund api'), ['in-url'])
    // All of them are called with GET.
    assert.equal(await found('get refund'), ['newest', 'inside', 'longer', 'beginning', 'in-url', 'exact', 'in-body'])
    assert.equal(await found('refund missing'), [])
  })

  test('everything is found by its pages, each once, however they are cut', async () => {
    await collection('c')
    for (let i = 0; i < 4; i++) await request(`n${i}`, 'c', {}, `Pay ${i}`)
    for (let i = 0; i < 4; i++) await document(`d${i}`, 'c', 'to pay')
    const all = await found('pay')
    assert.equal(all, ['n3', 'n2', 'n1', 'n0', 'd3', 'd2', 'd1', 'd0'])
    for (const limit of [1, 3, 4, 8]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await ask({ q: 'pay', limit, cursor })
        assert.ok(page.results.length <= limit)
        seen.push(...page.results.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      assert.equal(seen, all)
    }
  })

  test('what each kind of record says is found, and neither authorization nor values that may be secrets', async () => {
    const secret = 'sesame'
    const value = { key: 'hostkey', value: secret, defaultValue: secret, share: true, enabled: true }
    const header = { key: 'X-Header', value: secret, enabled: true }
    const auth = sent.auth.parse({
      type: 'basic',
      basic: { username: secret, password: secret },
      bearer: { token: secret }
    })
    await collection('c')
    const scripts = { preRequestScript: 'beforescript', postRequestScript: 'afterscript' }
    const whole = { name: 'Col', variables: [value], headers: [header], auth, ...scripts }
    await run({ type: 'UpdateCollection', id: 'c', content: whole })
    await run({ type: 'CreateFolder', id: 'f', collectionId: 'c', parentFolderId: null, name: 'Drawer' })
    await run({ type: 'CreateEnvironment', id: 'e', name: 'Staging' })
    await run({ type: 'UpdateEnvironment', id: 'e', content: { name: 'Staging', variables: [value] } })
    await run({ type: 'CreateSnippet', id: 's', content: { name: 'Sign', code: 'signIt()', scope: 'any' } })
    const sending = { url: `https://${secret}:${secret}@host.example/`, method: 'PATCH' as const, auth }
    await request('r', 'c', {
      ...sending,
      ...scripts,
      headers: [header],
      params: [header],
      comment: 'remark',
      body: 'inner'
    })
    await document('d', 'c', 'A long story')
    for (const [word, ids] of [
      ['hostkey', ['e', 'c']],
      ['header', ['r', 'c']],
      ['beforescript', ['r', 'c']],
      ['afterscript', ['r', 'c']],
      ['drawer', ['f']],
      ['signit', ['s']],
      ['patch host.example', ['r']],
      ['remark inner', ['r']],
      ['story', ['d']],
      [secret, []]
    ] as const)
      assert.equal(await found(word), ids, word)
    assert.not.ok(JSON.stringify(await ask('host')).includes(secret), 'a place that was found shows one')
  })

  test('nobody finds what is not theirs, and access is that of the moment', async () => {
    for (const id of ['mine', 'other']) {
      await collection(id, `Shared ${id}`)
      await request(`in-${id}`, id, { body: 'shared' })
    }
    for (const id of ['e1', 'e2']) await run({ type: 'CreateEnvironment', id, name: `Shared ${id}` })
    await run({ type: 'CreateSnippet', id: 's1', content: { name: 'Shared', code: '', scope: 'any' } })
    assert.equal(await found('shared', reader(['mine'])), ['mine', 'in-mine'])
    assert.equal(await found('shared', reader([], { environmentAccess: ['e1'] })), ['e1'])
    assert.equal(await found('shared', reader(['*'])), ['other', 'mine', 'in-other', 'in-mine'])
    assert.equal(await found('shared', reader([], { snippetAccess: ['*'], environmentAccess: ['e2', 'e9'] })), [
      's1',
      'e2'
    ])
    const page = await ask({ q: 'shared', limit: 2 }, reader(['mine']))
    assert.equal([page.results.length, page.nextCursor], [2, null], 'no page counts what is not seen')
    const none = await ask('shared', reader([]))
    assert.equal([none.results, none.nextCursor], [[], null])
    const many = reader(['mine', ...Array.from({ length: 300 }, (_, i) => `none${i}`)])
    assert.equal(await found('shared', many), ['mine', 'in-mine'])
    await run({
      type: 'UpdateRequest',
      id: 'in-mine',
      collectionId: 'other',
      folderId: null,
      content: content('moved', { body: 'shared' })
    })
    assert.equal(await found('shared', reader(['mine'])), ['mine'])
    assert.equal(await found('shared', systemCaller), await found('shared', systemEditor))
    const refusal = async (question: SearchQuestion, caller: Caller) => {
      const thrown = await ask(question, caller).catch((error: unknown) => error)
      return thrown instanceof HubError ? thrown.status : null
    }
    assert.is(await refusal({ q: 'shared', collectionId: 'other' }, reader(['mine'])), 403)
    assert.is(await refusal({ q: 'shared', cursor: '9-x' }, reader(['mine'])), 400)
  })

  test('access that is taken away while a search waits for the index counts, and so does the end of a token', async () => {
    await collection('mine', 'Shared')
    await found('shared')
    let caller: Caller | null = reader(['mine'])
    const losing = (then: Caller | null) => ({
      async caughtUp() {
        const state = await ledger.indexer.caughtUp()
        caller = then
        return state
      },
      find: (query: Parameters<SearchIndexer['find']>[0]) => ledger.indexer.find(query)
    })
    const asked = (then: Caller | null) =>
      search({ readModel: ledger.readModel, indexer: losing(then) }, async () => caller, { q: 'shared' })
    assert.equal((await asked(reader([]))).results, [])
    const refused = await asked(null).catch((error: unknown) => error)
    assert.is(refused instanceof HubError && refused.status, 401)
  })

  test('a cursor of another question is refused, and that of the same one in another order of kinds is not', async () => {
    await collection('c')
    await collection('other')
    for (let i = 0; i < 3; i++) await request(`r${i}`, 'c', {}, `Bound ${i}`)
    const question: SearchQuestion = { q: 'bound', kinds: ['request', 'document'], collectionId: 'c', limit: 1 }
    const cursor = (await ask(question)).nextCursor ?? ''
    assert.is((await ask({ ...question, kinds: ['document', 'request'], limit: 2, cursor })).results.length, 2)
    const { kinds: _, ...ofAll } = question
    for (const other of [ofAll, { ...question, q: 'boun' }, { ...question, collectionId: 'other' }]) {
      const thrown = await ask({ ...other, cursor }).catch((error: unknown) => error)
      assert.match(String(thrown), /cursor is none of this list/)
    }
  })

  test('what is changed, deleted and brought back is found as it is now', async () => {
    await collection('c', 'Case')
    await run({ type: 'CreateFolder', id: 'f', collectionId: 'c', parentFolderId: null, name: 'Case' })
    await request('r', 'c', {}, 'Case one')
    await document('d', 'c', 'case two')
    await run({ type: 'MoveDocument', id: 'd', folderId: 'f', index: 0 })
    assert.equal([...(await found('case'))].sort(), ['c', 'd', 'f', 'r'])
    await run({ type: 'UpdateRequest', id: 'r', collectionId: 'c', folderId: null, content: content('Other') })
    assert.equal(await found('case'), ['f', 'c', 'd', 'r'], 'what is in the collection by its name')
    await run({ type: 'DeleteFolder', id: 'f' })
    assert.equal(await found('case'), ['c', 'r'])
    await undelete(ledger, systemOrigin, 'folder', 'f')
    assert.equal([...(await found('case'))].sort(), ['c', 'd', 'f', 'r'])
    await run({ type: 'DeleteCollection', id: 'c' })
    assert.equal([await found('case'), await found('other'), await everything(ledger.indexer)], [[], [], []])
    await undelete(ledger, systemOrigin, 'collection', 'c')
    assert.equal([[...(await found('case'))].sort(), await found('other')], [['c', 'd', 'f', 'r'], ['r']])
  })

  test('what is erased is gone from the index, however far behind that was', async () => {
    await collection('c', 'Treasure')
    await request('r', 'c', { body: 'sesame' })
    await collection('kept', 'Treasure')
    assert.equal(await found('sesame'), ['r'])
    await run({ type: 'DeleteCollection', id: 'c' })
    await carryOut(ledger, await planDeleted(ledger, 'collection', 'c'))
    assert.equal(await everything(ledger.indexer), ['collection-kept'], 'before anybody has searched')
    assert.equal([await found('treasure'), await found('sesame')], [['kept'], []])
  })

  test('a deletion that says nothing any more takes out what it has taken, told by the erasure alone', async () => {
    await collection('c')
    await run({ type: 'CreateFolder', id: 'f', collectionId: 'c', parentFolderId: null, name: 'f' })
    await request('r', 'c', { body: 'sesame' })
    await run({ type: 'MoveRequest', id: 'r', folderId: 'f', index: 0 })
    assert.equal(await found('sesame'), ['r'])
    const behind = new SearchIndexer(ledger.storage, ledger.readModel, searchIndex(null))
    await behind.bringForward()
    assert.equal((await everything(behind)).length, 3)
    await run({ type: 'DeleteFolder', id: 'f' })
    await carryOut(ledger, await planDeleted(ledger, 'folder', 'f'))
    await behind.bringForward()
    assert.equal(await everything(behind), ['collection-c'])
    await behind.close()
  })

  test('other read tables and a wish make it anew, in the same order', async () => {
    await collection('c')
    for (let i = 0; i < 5; i++) await request(`r${i}`, 'c', {}, `Pay ${4 - i}`)
    await run({ type: 'UpdateRequest', id: 'r1', collectionId: 'c', folderId: null, content: content('Pay first') })
    const order = ['r1', 'r4', 'r3', 'r2', 'r0']
    assert.equal(await found('pay'), order)
    await rebuild(ledger.storage)
    await ledger.readModel.current()
    assert.equal(await found('pay'), order)
    await ledger.indexer.restart()
    assert.equal(await found('pay'), order)
  })

  test('an index is made of a log of more events than one step looks at', async () => {
    const ids = Array.from({ length: 600 }, (_, i) => `c${i}`)
    await Promise.all(ids.map((id) => collection(id, id)))
    await ledger.indexer.restart()
    for (const id of ['c0', 'c300', 'c599']) assert.equal(await found(id), [id])
  })

  test('a log that is imported is found, in the same order, and so is what is written after it', async () => {
    await collection('c')
    for (let i = 0; i < 3; i++) await request(`r${i}`, 'c', {}, `Pay ${3 - i}`)
    await run({ type: 'DeleteRequest', id: 'r1' })
    const order = await found('pay')
    const other = await database.open(tables, `log${++logs}_`)
    await migrate(other)
    await importLog(other, await ledger.storage.readLog(0, 100), NO_KEYS)
    ledger = await openLedger(other, () => null)
    assert.equal(await found('pay'), order)
    await request('new', 'c', {}, 'To pay')
    assert.equal(await found('pay'), [...order, 'new'])
  })

  test('each process brings its own forward, and none leaves a gap', async () => {
    const other = await openLedger(await database.open(tables, `log${logs}_`), () => null)
    await collection('c')
    const ids = Array.from({ length: 30 }, (_, i) => `r${i}`)
    for (const id of ids) {
      await request(id, 'c', {}, `Pay ${id}`)
      await Promise.all([
        ledger.indexer.bringForward(),
        other.readModel.current().then(() => other.indexer.bringForward())
      ])
    }
    const all = await search(other, async () => systemEditor, { q: 'pay', limit: 100 })
    assert.equal([...all.results.map(({ id }) => id)].reverse(), ids)
  })

  test('nonsense finds nothing or something, and never fails', async () => {
    await collection('c', `AND OR NOT NEAR * " ' \\ : ( ) & | ! < > + - ~ @`)
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .array(fc.constantFrom('AND', 'NOT', 'NEAR(', '*', '"', "'", '\\', ':*', '&', '!', 'n:', '--', 'or'), {
          maxLength: 8
        })
        .map((parts) => parts.join(' '))
    )
    await fc.assert(
      fc.asyncProperty(texts, async (q) => assert.ok((await ask(q)).isComplete)),
      { numRuns: 100 }
    )
    assert.equal(await found('and OR "not near'), ['c'])
  })

  test('a text is searched to its bound, and a large one does not stop the others', async () => {
    await collection('c')
    await document('large', 'c', `first ${'x '.repeat(40_000)} last`)
    await document('varied', 'c', Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' '))
    await document('small', 'c', 'first')
    assert.equal(await found('first'), ['small', 'large'])
    assert.equal([await found('last'), await found('"w100"')], [[], ['varied']])
  })

  test.run()
}

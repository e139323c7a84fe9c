import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { CommandOrigin } from '../../src/ledger/ledger.js'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { type Home, migratedHome } from './support.js'

const test = suite('hub history')
let home: Home
let agent: CommandOrigin

const run = { harborclientExport: 'request-run-results', results: [{ status: 'passed', token: 'sesame' }] }
const created = z.object({ token: z.looseObject({ id: z.string() }) })
const snippet = (name: string) => ({ name, code: 'x()', scope: 'any' as const })

test.before(async () => {
  home = await migratedHome()
  const access = ['--collection-access', '*', '--snippet-access', '*']
  const { token } = created.parse(await home.json('user', 'create', '--name', 'Ada', '--role', 'user', ...access))
  agent = { tokenId: token.id, address: null, requestId: null }
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'CreateSnippet', id: 's', content: snippet('One') }, agent)
    await ledger.run({ type: 'UpdateSnippet', id: 's', content: snippet('Two') }, agent)
    await ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, agent)
  })
})

const said = async (...args: readonly string[]) => generic(await home.done(...args))
const refused = async (text: string, ...args: readonly string[]) =>
  assert.equal(await home.here(...args), { code: 1, stdout: '', stderr: `${text}\n` })

test('versions are listed, shown as they were, compared and restored', async () => {
  assert.match(await said('history', 'snippet', 's'), /^1 {2}TIME {2}position 3 {2}Ada {2}SnippetCreated: id, name/)
  assert.match(await said('at', 'snippet', 's', '3'), /"name": "One"/)
  assert.match(await said('diff', 'snippet', 's'), /^- \/name: "One"\n\+ \/name: "Two"\n/)
  assert.is(await said('restore', 'snippet', 's', '--version', '1'), 'Restored snippet s to version 1.\n')
  assert.match(
    await said('history', 'snippet', 's'),
    /\n3 {2}TIME {2}position 6 {2}system {2}SnippetUpdated \(of position 3\): name/
  )
  await refused(
    'There is no such version: this record has versions 1 to 3.',
    ...['restore', 'snippet', 's', '--version', '9']
  )
  await refused(
    'Snippet not found: no snippet has the id or the name "none such".',
    ...['history', 'snippet', 'none such']
  )
  await refused(
    'Unknown kind "user". Kinds are collection, environment, snippet, liveServer, livePage, folder, request, document.',
    ...['history', 'user', 's']
  )
})

test('what is deleted is listed, still has its history, and comes back', async () => {
  assert.is(await said('deleted'), 'Nothing is deleted.\n')
  await home.withLedger(async (ledger) => void (await ledger.run({ type: 'DeleteCollection', id: 'zoo' }, agent)))
  assert.is(await said('deleted'), 'TIME  collection zoo  Zoo\n')
  assert.match(await said('history', 'collection', 'zoo'), /CollectionDeleted: deleted\n$/)
  assert.is(await said('undelete', 'collection', 'zoo'), 'Brought back 1 collection.\n')
  assert.is(await said('deleted'), 'Nothing is deleted.\n')
  await refused('Collection is not deleted.', 'undelete', 'collection', 'zoo')
})

test('what a token did is taken back: first only said, then done, and what others went on with stays', async () => {
  const other = created.parse(
    await home.json('user', 'create', '--name', 'Bob', '--role', 'user', '--snippet-access', '*')
  )
  const bob = { tokenId: other.token.id, address: null, requestId: null }
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'UpdateSnippet', id: 's', content: snippet('Defaced') }, bob)
    await ledger.run({ type: 'CreateSnippet', id: 'junk', content: snippet('Junk') }, bob)
    await ledger.run({ type: 'CreateSnippet', id: 'kept', content: snippet('Kept') }, bob)
    await ledger.run({ type: 'UpdateSnippet', id: 'kept', content: snippet('By Ada') }, agent)
  })
  const undo = ['undo', '--token', bob.tokenId]
  assert.is(
    await said(...undo),
    `would be reverted  snippet s "One"
would be removed   snippet junk "Junk"
would stay         snippet kept "By Ada": somebody has changed it since
Would take back 2 records, and leave 1 as is. Add --yes to do it.
`
  )
  const done = await home.here(...undo, '--yes')
  const way =
    /^To take it back: hub (undo --request undo-\S+ --yes)\n(?:.*\n)+Took back 2 records, and left 1 as is\.\n$/
  const [, back = ''] = way.exec(done.stdout) ?? []
  const now = () => said('at', 'snippet', 's', new Date().toISOString())
  assert.match(await now(), /"name": "One"/)
  const again = generic((await home.here(...back.split(' '))).stdout)
  assert.match(
    again,
    /\nback {6}snippet junk "Junk"\nreverted {2}snippet s "Defaced"\nTook back 2 records, and left 0 as is/
  )
  assert.match(await now(), /"name": "Defaced"/)
  await refused('No event of the log has the request id nothing.', 'undo', '--request', 'nothing')
  await refused('Token nobody has done nothing.', 'undo', '--token', 'nobody')
})

test('an undo that breaks off says how what it did by then is taken back', async () => {
  const made = await home.json('user', 'create', '--name', 'Eve', '--role', 'user', '--snippet-access', '*')
  const eve = { tokenId: created.parse(made).token.id, address: null, requestId: null }
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'UpdateSnippet', id: 's', content: snippet('By Eve') }, eve)
    await ledger.run({ type: 'CreateSnippet', id: 'eves', content: snippet('Of Eve') }, eve)
  })
  const database = new Database(join(home.path, 'data/hub.sqlite'))
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON hub_log WHEN NEW.type = 'SnippetDeleted'
    BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  const undo = ['undo', '--token', eve.tokenId, '--yes']
  const { code, stderr } = await home.here(...undo)
  database.exec('DROP TRIGGER broken')
  database.close()
  const way = /^It broke off: run it again to go on\. To take back what was done: hub (undo --request undo-\S+ --yes)\n/
  const [, back = ''] = way.exec(stderr) ?? []
  assert.equal([code, back.length > 0], [1, true], stderr)
  assert.match(
    (await home.here(...undo)).stdout,
    /\nremoved {3}snippet eves "Of Eve"\nTook back 1 record, and left 0 as is/
  )
  const again = await home.here(...back.split(' '))
  assert.match(again.stdout, /\nreverted {2}snippet s "By Eve"\nTook back 1 record,/)
})

test('an undo that is killed has said before its first change how it is taken back', async () => {
  const made = await home.json('user', 'create', '--name', 'Kim', '--role', 'user', '--snippet-access', '*')
  const kim = { tokenId: created.parse(made).token.id, address: null, requestId: null }
  await home.withLedger(
    async (ledger) => void (await ledger.run({ type: 'CreateSnippet', id: 'kims', content: snippet('Of Kim') }, kim))
  )
  const database = new Database(join(home.path, 'data/hub.sqlite'))
  database.exec('BEGIN IMMEDIATE')
  const undo = ['undo', '--token', kim.tokenId, '--yes']
  const running = await home.start(undo, 'To take it back: hub undo --request undo-')
  await running.stop('SIGKILL')
  database.exec('ROLLBACK')
  database.close()
  assert.match(
    (await home.here(...undo)).stdout,
    /\nremoved {3}snippet kims "Of Kim"\nTook back 1 record, and left 0 as is/
  )
  assert.is((await home.here(...undo)).stdout, 'Took back 0 records, and left 0 as is.\n')
})

test('what is deleted is erased for ever once that is meant', async () => {
  await refused('Only what is deleted can be erased. Delete it first.', 'erase', 'deleted', 'collection', 'zoo')
  await home.withLedger(async (ledger) => void (await ledger.run({ type: 'DeleteCollection', id: 'zoo' }, agent)))
  assert.match(
    await said('erase', 'deleted', 'collection', 'zoo'),
    /^Would erase \d+ payloads .* Add --yes to do it\.\n$/
  )
  assert.match(await said('deleted'), /collection zoo/)
  assert.match(await said('erase', 'deleted', 'collection', 'zoo', '--yes'), /^Erased \d+ payloads/)
  assert.not.match(await said('deleted'), /collection zoo/)
  await refused('Collection not found', 'undelete', 'collection', 'zoo')
  assert.match(await said('audit', 'verify'), /^The chain holds/)
  await refused(
    'Erase /code of version 1 of the snippet s for ever? Nobody can be asked here, so nothing was done. Add --yes to do it.',
    ...['erase', 'value', 'snippet', 's', '--version', '1', '--path', '/code']
  )
  await refused('Nothing expires: set audit.retentionDays, or give --days.', 'erase', 'expired')
  for (const days of ['1', '999999999999999'])
    assert.match(
      await said('erase', 'expired', '--days', days, '--yes'),
      /^Erased 0 names and addresses and 0 payloads/
    )
})

test('a deleted run result is erased by its id, and is no deleted record', async () => {
  const share = (id: string) => ({ type: 'ShareRunResult', id, label: 'Nightly', payload: run }) as const
  await home.withLedger(async (ledger) => void (await ledger.run(share('nightly'), agent)))
  await refused('Only what is deleted can be erased. Delete it first.', 'erase', 'deleted', 'run-result', 'nightly')
  await refused('Run result not found', 'erase', 'deleted', 'runresult', 'Nightly')
  await home.withLedger(async (ledger) => void (await ledger.run({ type: 'DeleteRunResult', id: 'nightly' }, agent)))
  assert.not.match(await said('deleted'), /nightly/i)
  const kinds = 'collection, environment, snippet, liveServer, livePage, folder, request, document'
  await refused(`Unknown kind "run-result". Kinds are ${kinds}.`, 'undelete', 'run-result', 'nightly')
  await refused(`Unknown kind "run". Kinds are ${kinds}, runresult.`, 'erase', 'deleted', 'run', 'nightly')
  const data = join(home.path, 'data')
  const files = () => readdirSync(data).filter((name) => readFileSync(join(data, name)).includes('sesame'))
  const meant = ['erase', 'deleted', 'runResult', 'nightly']
  assert.is(await said(...meant), 'Would erase 1 payload and 0 names and addresses, for ever. Add --yes to do it.\n')
  assert.ok(files().length > 0)
  const erased = { kind: 'runresult', id: 'nightly', payloads: 1, names: 0, erased: true }
  assert.equal(await home.json(...meant, '--yes'), erased)
  assert.equal(files(), [])
  assert.match(
    await said('audit', 'list', '--kind', 'runresult', '--id', 'nightly'),
    /PayloadsErased {2}runresult night/
  )
  assert.match(await said('audit', 'verify'), /^The chain holds/)
  await said('projections', 'verify')
  await refused('Run result not found', ...meant, '--yes')
})

test.run()

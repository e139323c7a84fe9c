import { Readable } from 'node:stream'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { CommandOrigin } from '../../src/ledger/ledger.js'
import { content } from '../decide/made.js'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { type Home, migratedHome } from './support.js'

const test = suite('names on the command line')
const people = suite('people who are gone, or are to go')
let home: Home

const created = z.object({ user: z.looseObject({ id: z.string() }), token: z.looseObject({ id: z.string() }) })
const access = ['--collection-access', '*', '--environment-access', '*']

/** A hub with a user, who has made collections with requests. */
async function setUp() {
  home = await migratedHome()
  const { token } = created.parse(await home.json('user', 'create', '--name', 'Ada', '--role', 'user', ...access))
  const ada: CommandOrigin = { tokenId: token.id, address: '203.0.113.9', requestId: null }
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'CreateCollection', id: 'c1', name: 'Payments' }, ada)
    await ledger.run({ type: 'CreateCollection', id: 'c2', name: 'PAYMENTS' }, ada)
    await ledger.run({ type: 'CreateCollection', id: 'c3', name: 'Shipping' }, ada)
    await ledger.run({ type: 'CreateFolder', id: 'f1', collectionId: 'c1', name: 'Refunds', parentFolderId: null }, ada)
    for (const [id, collectionId, folderId, name] of [
      ['r1', 'c1', null, 'Health'],
      ['r2', 'c1', 'f1', 'Create refund'],
      ['r3', 'c3', null, 'health']
    ] as const) {
      const made = content(name, { url: `https://api.example.com/${id}` })
      await ledger.run({ type: 'CreateRequest', id, collectionId, folderId, content: made }, ada)
    }
  })
}

test.before(setUp)
people.before.each(setUp)

const said = async (...args: readonly string[]) => generic(await home.done(...args))
const refused = async (text: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await home.here(...args)
  assert.equal([code, stdout, generic(stderr)], [1, '', `${text}\n`])
}
/** Runs a command in front of somebody who gives an answer. */
async function answered(answer: string, ...args: readonly string[]) {
  const stdin = Object.assign(Readable.from([answer]), { isTTY: true })
  return home.asked(stdin, ...args)
}

test('a name stands for an id: exactly, else without regard to case; several are listed to choose from', async () => {
  assert.match(await said('history', 'collection', 'Payments'), /CollectionCreated/)
  assert.match(await said('history', 'collection', 'shipping'), /CollectionCreated/)
  await refused(
    'Several collections go by "payments". Give the id of one:\n  c2  PAYMENTS  made TIME\n  c1  Payments  made TIME',
    ...['history', 'collection', 'payments']
  )
  await refused(
    'Several requests go by "HEALTH". Give the id of one:\n  r1  Health  in Payments\n  r3  health  in Shipping',
    ...['request', 'show', 'HEALTH']
  )
  await refused(
    'Collection not found: no collection has the id or the name "Shiping".\nDid you mean "Shipping"?',
    ...['collection', 'show', 'Shiping']
  )
  await refused('No user found with id Adda.\nDid you mean "Ada"?', 'user', 'show', 'Adda')
})

test('the audit refuses what the log does not know, with what there is', async () => {
  const { stderr } = await home.here('audit', 'list', '--type', 'CollectionDelted')
  assert.match(
    stderr,
    /^Unknown type "CollectionDelted"\. Types are .*CollectionCreated, .*\nDid you mean "CollectionDeleted"\?\n$/
  )
  await refused(
    'No token has or had the id or the name "x y".\nSee: hub user token list',
    ...['audit', 'list', '--token', 'x y']
  )
  assert.match(
    await said('audit', 'list', '--kind', 'Collection', '--id', 'shipping'),
    /CollectionCreated {2}collection c3/
  )
  assert.match(await said('audit', 'stats', '--type', 'collectioncreated'), /^3 events\n/)
  const empty = await home.here('audit', 'list', '--to', '2020-01-31')
  assert.is(
    empty.stdout,
    'Nothing was found from the beginning of the log to 2020-01-31T23:59:59.999Z (no event of the log is there).\n'
  )
  assert.is(empty.stderr, 'Looking from the beginning of the log to 2020-01-31T23:59:59.999Z.\n')
})

test('what there is can be looked through: find, request list and show, collection show', async () => {
  // On a busy machine it says that it waits for the index, once; behind it nothing is left to wait for.
  await home.here('find', 'refund')
  assert.is(
    await said('find', 'refund'),
    'folder  f1  Refunds  in Payments\nrequest  r2  Create refund  in Payments / Refunds\n'
  )
  assert.is(
    await said('find', 'EXAMPLE.COM/r3'),
    'request  r3  health  in Shipping  (url: https://api.example.com/r3)\n'
  )
  assert.is(await said('find', 'xyz', '--kind', 'user'), 'Nothing was found with "xyz", among users.\n')
  assert.match(await said('find', 'ada'), /^user {2}\S+ {2}Ada\n$/)
  assert.is(
    await said('find', 'health', '--kind', 'request'),
    'request  r3  health  in Shipping\nrequest  r1  Health  in Payments\n'
  )
  const some = await home.here('find', 'a', '--limit', '2')
  assert.is(some.stdout.trimEnd().split('\n').length, 2)
  assert.is(some.stderr, 'There are more than 2. See: hub find --help, --limit.\n')
  assert.is(
    await said('request', 'list', 'Payments'),
    'r1  GET  Health  https://api.example.com/r1\nr2  GET  Refunds / Create refund  https://api.example.com/r2\n'
  )
  assert.match(
    await said('collection', 'show', 'Payments'),
    / {2}folders: 1\n {2}requests: 2\n.* {2}in it:\n {4}folder f1 {2}Refunds\n {6}request r2 {2}Create refund\n {4}request r1 {2}Health\n$/s
  )
  assert.match(await said('request', 'show', 'create refund'), /^collection: Payments \(c1\)\nfolder: Refunds\n\{\n/)
})

test('a terminal gets a table, cut to its width; a pipe gets plain lines', async () => {
  const wide = await home.wide(100, 'request', 'list', 'Payments')
  assert.is(
    wide,
    'id  method  folder   name           url\n' +
      'r1  GET     -        Health         https://api.example.com/r1\n' +
      'r2  GET     Refunds  Create refund  https://api.example.com/r2\n'
  )
  const narrow = await home.wide(60, 'request', 'list', 'Payments')
  assert.ok(
    narrow.split('\n').every((line) => line.length <= 60),
    narrow
  )
  assert.match(narrow, /r2 {2}GET {5}Refunds {2}Create refund {2}https:\/\/api\S*…\n/)
})

test('tokens that nobody has used for a time are listed', async () => {
  const { code, stdout, stderr } = await home.here('user', 'token', 'list', '--user', 'ada', '--unused', '1d')
  assert.equal([code, stdout, generic(stderr)], [0, 'No API tokens found.\n', 'Neither made nor used since TIME.\n'])
  const now = await home.here('user', 'token', 'list', '--unused', '0m', '--json')
  assert.match(now.stdout, /"name": "Ada"/)
})

test('a script deletes accounts and revokes tokens without --yes', async () => {
  await said('user', 'create', '--name', 'Gone', '--role', 'user')
  await said('user', 'token', 'create', 'Gone', '--name', 'gone-laptop')
  assert.is(await said('user', 'token', 'revoke', 'gone-laptop'), 'Revoked API token ID.\n')
  assert.is(await said('user', 'delete', 'Gone'), 'Deleted user "Gone" (ID).\n')
})

test('a record that is deleted is found by its name where that makes sense', async () => {
  await home.withLedger((ledger) =>
    ledger.run({ type: 'DeleteCollectionAsAdmin', id: 'c3' }, { tokenId: null, address: null, requestId: null })
  )
  assert.match(await said('history', 'collection', 'Shipping'), /deleted\n$/)
  await refused('The collection c3 is deleted. See: hub deleted', 'collection', 'show', 'c3')
  assert.is(await said('undelete', 'collection', 'shipping'), 'Brought back 1 collection, 1 request.\n')
})

test('access is given by names of records', async () => {
  await said('user', 'update', 'ada', '--collection-access', 'Shipping', '--collection-access', 'c1')
  assert.match(await said('user', 'show', 'ADA'), /collection access: c3, c1\n/)
  await refused('Unknown collection id: Shiping.', 'user', 'update', 'ada', '--collection-access', 'Shiping')
})

test.run()

people('tokens go by their names and by how they begin, invitations by whom they are for', async () => {
  await said('user', 'token', 'create', 'ada', '--name', 'laptop')
  assert.is(await said('user', 'token', 'revoke', 'LAPTOP', '--yes'), 'Revoked API token ID.\n')
  await refused('No active API token found with id laptop.', 'user', 'token', 'revoke', 'laptop', '--yes')
  await said('user', 'invite', 'create', '--user', 'ada')
  assert.is(await said('user', 'invite', 'revoke', 'ada'), 'Revoked invitation ID.\n')
  assert.match(await said('undo', '--token', 'Ada'), /Would take back 7 records/)
})

people('people who are gone are found in the audit by a name that they had', async () => {
  await said('user', 'update', 'Ada', '--name', 'Ada Lovelace')
  assert.match(await said('audit', 'list', '--actor', 'ada', '--limit', '1'), / Ada from 203/)
  await said('user', 'delete', 'Ada Lovelace', '--yes')
  for (const name of ['ada', 'Ada Lovelace'])
    assert.match(await said('audit', 'list', '--actor', name, '--limit', '1'), / Ada from 203/)
  await refused(
    'No account has or had the id or the name "Ada Lovelase".\nDid you mean "Ada Lovelace"?',
    ...['audit', 'list', '--actor', 'Ada Lovelase']
  )
})

people('deleting an account asks on a terminal', async () => {
  const question = 'Delete user "Ada" with 1 token?'
  const no = await answered('n\n', 'user', 'delete', 'ada')
  assert.equal(no, { code: 1, stdout: '', stderr: `${question} [y/N] Nothing was done.\n` })
  const nothing = await answered('', 'user', 'delete', 'ada')
  assert.equal(nothing, no)
  assert.match(await said('user', 'show', 'ada'), /name: Ada\n/)
  const yes = await answered('yes\n', 'user', 'delete', 'ada')
  assert.equal([yes.code, generic(yes.stdout), yes.stderr], [0, 'Deleted user "Ada" (ID).\n', `${question} [y/N] `])
})

people('erasing a person says its steps first, then does all of them', async () => {
  await said('user', 'invite', 'create', '--user', 'ada')
  const preview = `Erasing "Ada" (ID):
  1. delete the account with 1 token and 1 invitation
  2. erase what the log says of the account and its tokens, in 2 events
  3. erase its name and address where it acted, in 7 events
  4. erase them where others searched the log for them, or commands were given under the name on the host, in 0 events
Would erase 2 payloads and 7 names and addresses, for ever.`
  assert.is(await said('erase', 'user', 'ada'), `${preview} Add --yes to do it.\n`)
  assert.match(await said('user', 'show', 'ada'), /name: Ada\n/)
  const no = await answered('\n', 'erase', 'user', 'ada')
  assert.equal([no.code, generic(no.stdout)], [1, `${preview}\n`])
  assert.match(
    await said('erase', 'user', 'ada', '--yes'),
    /^Deleted user "Ada" \(ID\)\.\nErased \d+ payloads and 7 names and addresses\.\n$/
  )
  await refused(
    'No account has or had the id or the name "ada".\nSee: hub user list',
    ...['audit', 'list', '--actor', 'ada']
  )
  assert.match(await said('audit', 'verify'), /^The chain holds/)
  assert.match(await said('projections', 'verify'), /^Replayed/)
})

people.run()

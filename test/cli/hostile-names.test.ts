import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { commands } from '../../cli/commands.js'
import { eachAccessList } from '../../commands/people/user/events.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { anAccount } from '../decide/people.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('names that a terminal would obey')
/** A colour, a second line, a bell, a title by its 8-bit introducer, a line separator and reversed writing. */
const EVIL = 'eve\u001b[31m\nid: root\r\u0007\u009b2J\u2028\u202etxt'
const SHOWN = 'eve\\x1B[31m\\x0Aid: root\\x0D\\x07\\x9B2J\\u{2028}\\u{202E}txt'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/

/** What each command is given here, in this order; a text says why it can tell no name. */
const runs: Readonly<Record<string, readonly (readonly string[])[] | string>> = {
  'user list': [[], ['--json']],
  doctor: [[], ['--json']],
  'user show': [['u'], ['u', '--json']],
  'user create': [['--name', EVIL, '--role', 'admin']],
  'user update': [['u', '--llm-access']],
  'user disable': [['u', '--yes']],
  'user enable': [['u']],
  'user sign-out': [['u', '--yes'], [EVIL]],
  'user grant': [['u', 'c', '--role', 'viewer']],
  'user sign-in list': [['u']],
  'user sign-in bind': [['u', '--provider', EVIL, '--subject', 's']],
  'user sign-in unbind': [[EVIL]],
  'llm budget list': [[], ['--json']],
  'llm budget create': [['--name', EVIL, '--limit', '5']],
  'llm budget update': [[EVIL, '--limit', '6']],
  'llm budget delete': [[EVIL, '--yes']],
  'group create': [['--name', EVIL]],
  'group list': [[], ['--json']],
  'group show': [[EVIL]],
  'group add': [[EVIL, 'u']],
  'group remove': [[EVIL, 'u']],
  'group update': [[EVIL, '--llm-access']],
  'group delete': [[EVIL, '--yes']],
  'user token list': [[], ['--json']],
  'user token create': [['u', '--name', EVIL]],
  'user token rotate': [[EVIL]],
  'user token revoke': [[EVIL, '--yes']],
  'user invite create': [['--name', `${EVIL}2`, '--role', 'admin']],
  'user invite list': [[], ['--json']],
  'user invite revoke': [[EVIL]],
  'collection list': [[], ['--json']],
  'collection show': [['c'], ['c', '--json'], [EVIL]],
  'collection access': [['c'], ['c', '--json'], [EVIL]],
  'collection export': [
    ['c', '--format', 'har', '--output', 'OUT.har'],
    ['c', '--format', 'har']
  ],
  'collection import': [['OUT.har', '--preview'], ['OUT.har', '--preview', '--json'], ['OUT.har'], [EVIL]],
  'request list': [[], ['c', '--json']],
  'request show': [[EVIL]],
  find: [['eve'], ['eve', '--json'], [EVIL]],
  'llm list': [[], ['--user', EVIL]],
  'llm usage': [[], ['--by', 'user']],
  history: [
    ['collection', 'c'],
    ['collection', 'c', '--json'],
    ['collection', EVIL]
  ],
  at: [
    ['collection', 'c', '5'],
    ['collection', 'c', EVIL]
  ],
  diff: [['collection', 'c']],
  restore: [['collection', 'c', '--version', '1']],
  deleted: [[], ['--json']],
  undelete: [['snippet', 's']],
  undo: [
    ['--token', 't'],
    ['--token', EVIL]
  ],
  'audit list': [[], ['--json'], ['--actor', EVIL], ['--type', EVIL]],
  'audit show': [['4'], ['4', '--json']],
  'audit stats': [[]],
  'audit export': [['--out', 'OUT']],
  'audit verify': [[], ['--checkpoint', EVIL]],
  'audit checkpoint': [[]],
  'audit seal': [[], ['--new-key-file', EVIL]],
  'backup create': [['OUT.backup']],
  'backup verify': [['OUT.backup'], [EVIL]],
  'backup restore': [[EVIL]],
  'backup follow': [['OUT.backups', '--once']],
  'log export': [['OUT.log']],
  'log accept-head': [['--yes'], ['--yes', '--json']],
  'log import': [[EVIL]],
  'erase user': [['u'], ['gone']],
  'erase deleted': [['snippet', 's']],
  'erase value': [['collection', 'c', '--version', '1', '--path', '/name']],
  'erase expired': [[]],
  'projections list': [[]],
  'projections rebuild': 'it tells numbers',
  'projections rollback': [[]],
  'projections verify': [[]],
  'config check': [[]],
  'config print': [[]],
  'config schema': [[]],
  migrate: [['--dry-run']],
  'images move': [[]],
  'throttle list': [[]],
  'throttle clear': [[EVIL]],
  'tenant create': [
    ['eve', '--name', EVIL],
    [EVIL, '--name', 'x']
  ],
  'tenant list': [[], ['--json']],
  'tenant rename': [['eve', '--name', `${EVIL}3`]],
  'tenant export': [['eve', 'OUT.tenant']],
  'tenant import': [
    ['eve2', 'OUT.tenant', '--name', EVIL],
    ['eve3', EVIL, '--name', 'x']
  ],
  'tenant move': [
    ['eve', '--database', 'hub'],
    ['eve', '--database', EVIL]
  ],
  'tenant delete': [['eve', '--yes'], [EVIL]],
  'webhook list': [[], ['--json', '--reveal']],
  'webhook create': [[`https://example.com/${EVIL}`, '--description', EVIL]],
  'webhook delete': [[EVIL, '--yes']],
  'webhook deliveries': [[EVIL], ['']],
  'webhook replay': [[EVIL, '--after', '0']],
  'webhook test': [[EVIL]],
  'webhook enable': [[EVIL]],
  'webhook rotate': [[EVIL]],
  completion: 'it tells commands',
  'user delete': [['u', '--yes']],
  start: 'it tells addresses and what the configuration says',
  'audit follow': 'it prints what audit list prints, and does not end'
}

/** How those end that do not succeed here: not for how they were called. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  'user create': /^User name is already in use\./,
  'user grant': /^The access list of this account holds it already/,
  'user sign-in bind': /^No provider has the id/,
  'user sign-in unbind': /^Sign-in not found/,
  'user token rotate': /^Several tokens go by/,
  'user token revoke': /^Several tokens go by/,
  'user invite revoke': /^No pending invitation found/,
  'collection import': /^(Import this\? Nobody can be asked|There is no file)/,
  'request show': /^Request not found/,
  'audit list': /^Unknown type/,
  'images move': /^The storage section names no bucket/,
  'throttle list': /^Failed authentications are counted in the memory/,
  'throttle clear': /^Failed authentications are counted in the memory/,
  history: /^Collection not found/,
  at: /^The moment must be a position/,
  undo: /^Several tokens go by/,
  'audit verify': /^File not found: /,
  'audit seal': /^The configuration has no audit\.sealKeyFile\./,
  'backup verify': /^File not found: /,
  'backup restore': /^File not found: /,
  'log import': /^File not found: /,
  'erase user': /^No account has or had/,
  'erase value': /^Erase \/name of version 1 of the collection c for ever\? Nobody/,
  'erase deleted': /^Only what is deleted can be erased\./,
  'erase expired': /^Nothing expires: /,
  'tenant create': /^Tenant id may only contain/,
  'tenant import': /^File not found: /,
  'tenant move': /^--database: there is no/,
  'tenant delete': /^No tenant found with id/,
  'webhook delete': /^Webhook not found/,
  'webhook deliveries': /^Webhook not found/,
  'webhook replay': /^Webhook not found/,
  'webhook test': /^Webhook not found/,
  'webhook enable': /^Webhook not found/,
  'webhook rotate': /^Webhook not found/,
  'projections rollback': /^The read tables were never switched\./
}

let home: Home
test.before(async () => {
  home = await newHome()
  home.configure()
  appendFileSync(join(home.path, 'server.yaml'), 'webhooks: {keyFile: webhook-key}\nmultitenancy: {enabled: true}\n')
  await home.here('migrate')
  const account = anAccount(EVIL, eachAccessList([]))
  const token = { tokenId: 't', prefix: 'hbk_evil', hash: 'e'.repeat(64) }
  const agent = { tokenId: 't', address: null, requestId: null }
  await home.withLedger(async (ledger) => {
    const access = { collectionAccess: ['*'], snippetAccess: ['*'] }
    await ledger.run({ type: 'CreateUser', id: 'u', account: { ...account, ...access }, token }, systemOrigin)
    await ledger.run({ type: 'CreateCollection', id: 'c', name: EVIL }, agent)
    await ledger.run({ type: 'CreateSnippet', id: 's', content: { name: EVIL, code: EVIL, scope: 'any' } }, agent)
    await ledger.run({ type: 'DeleteSnippet', id: 's' }, agent)
    const target = { url: 'https://example.com/', kinds: [], types: [], collectionId: 'c', description: EVIL }
    await ledger.run({ type: 'CreateWebhook', id: 'w', content: target }, agent)
  })
})

test('every command shows them escaped on one line, on stdout and stderr', async () => {
  const paths = commands.map(({ paths }) => (paths?.[0] ?? []).join(' '))
  assert.equal(Object.keys(runs).sort(), [...paths].sort(), 'every command stands in the table')
  let said = ''
  for (const [path, lines] of Object.entries(runs)) {
    for (const line of typeof lines === 'string' ? [] : lines) {
      const args = line.map((arg) => arg.replace(/^OUT/, join(home.path, 'out')))
      const { code, stdout, stderr } = await home.here('-v', ...path.split(' '), ...args)
      assert.ok(code === 0 || REFUSALS[path]?.test(stderr), `hub ${path} ${line.join(' ')}: ${stderr}`)
      for (const text of [stdout, stderr]) {
        assert.not.match(text, OBEYED, `hub ${path}`)
        assert.not.match(text, /^id: root/m, `hub ${path}`)
      }
      if (line.includes('--json')) assert.type(JSON.parse(stdout), 'object')
      else said += stdout
    }
  }
  // Listed, listed with its tokens and collections, in the audit, among what is deleted, when it is deleted.
  assert.ok(said.split(SHOWN).length > 8, said)
})

test('as JSON a name is what it was', async () => {
  const { users } = (await home.json('user', 'list')) as { users: readonly { name: string }[] }
  assert.ok(users.some(({ name }) => name.startsWith(EVIL)))
})

test('arguments that fit no command are shown escaped too', async () => {
  for (const args of [[`${EVIL}`], ['user', 'list', EVIL], ['user', 'list', `--${EVIL}`]]) {
    const { stdout, stderr } = await home.here(...args)
    assert.not.match(stdout + stderr, OBEYED)
  }
})

test.run()

import { Readable } from 'node:stream'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { aSession } from './sessions.js'
import { type Home, migratedHome } from './support.js'

const test = suite('token commands')
let home: Home
let userId: string

const created = z.object({ user: z.looseObject({ id: z.string() }) })
const issued = z.object({ token: z.looseObject({ id: z.string(), name: z.string() }), secret: z.string() })
const sessions = z.object({ tokens: z.array(z.object({ id: z.string(), isSession: z.boolean().optional() })) })
const DAY_MS = 86_400_000
const said = async (...args: readonly string[]) => generic(await home.done(...args))

test.before(async () => {
  home = await migratedHome()
  userId = created.parse(await home.json('user', 'create', '--name', 'Ada', '--role', 'user')).user.id
})

test('a token is made for --user or for the argument, and its secret is shown once', async () => {
  const text = `Created API token "laptop" (ID) for user "Ada".
Token prefix: PREFIX

Store this token now; it will not be shown again:
SECRET
`
  assert.is(await said('user', 'token', 'create', '--user', userId, '--name', 'laptop'), text)
  assert.is(await said('user', 'token', 'create', userId, '--name', 'laptop'), text)
})

test('a token for nobody, for two people or without a name is refused', async () => {
  const refused = async (code: number, text: string, ...args: readonly string[]) =>
    assert.equal(await home.here('user', 'token', 'create', ...args), { code, stdout: '', stderr: `${text}\n` })
  await Promise.all([
    refused(1, 'No user found with id nobody.', '--user', 'nobody', '--name', 'x'),
    refused(2, 'Two different user ids are given.', 'nobody', '--user', userId, '--name', 'x'),
    refused(2, 'Option --user is required.', '--name', 'x'),
    refused(2, 'Option --name is required.', userId)
  ])
})

test('the list has every token, the newest first, and what became of it', async () => {
  const { token } = issued.parse(await home.json('user', 'token', 'create', userId, '--name', 'phone'))
  assert.is(await said('user', 'token', 'revoke', token.id, '--yes'), 'Revoked API token ID.\n')
  for (const none of [token.id, 'nothing']) {
    const stderr = `No active API token found with id ${none}.\n`
    assert.equal(await home.here('user', 'token', 'revoke', none, '--yes'), { code: 1, stdout: '', stderr })
  }
  const list = await said('user', 'token', 'list', '--user', userId)
  const first = `- id: ID
  user id: ID
  name: phone
  prefix: PREFIX
  scopes: all
  agents: read
  created: TIME
  last used: -
  ends: -
  revoked: TIME
- id: ID
`
  assert.is(list.slice(0, first.length), first)
  const { tokens } = z
    .object({ tokens: z.array(z.looseObject({ name: z.string() })) })
    .parse(await home.json('user', 'token', 'list'))
  assert.equal(
    tokens.map(({ name }) => name),
    ['phone', 'laptop', 'laptop', 'Ada']
  )
  assert.not.match(list, /SECRET/)
  const stderr = 'No user found with id nobody.\n'
  assert.equal(await home.here('user', 'token', 'list', '--user', 'nobody'), { code: 1, stdout: '', stderr })
})

test('a token lets agents write where it is made so, and lists tell of it', async () => {
  const { id } = created.parse(await home.json('user', 'create', '--name', 'Eve', '--role', 'user')).user
  await home.json('user', 'token', 'create', id, '--name', 'editor', '--agent-writes')
  const { tokens } = z
    .object({ tokens: z.array(z.looseObject({ name: z.string(), agentWrites: z.boolean() })) })
    .parse(await home.json('user', 'token', 'list', '--user', id))
  assert.equal(
    tokens.map(({ name, agentWrites }) => [name, agentWrites]),
    [
      ['editor', true],
      ['Eve', false]
    ]
  )
  assert.match(await said('user', 'token', 'list', '--user', id), '  agents: read and write\n')
})

const listed = z.object({
  tokens: z.array(
    z.looseObject({ name: z.string(), expiresAt: z.string().nullable(), scopes: z.array(z.string()).nullable() })
  )
})

test('a token is limited to scopes and to a time, and lists tell which end soon', async () => {
  const { id } = created.parse(await home.json('user', 'create', '--name', 'Ida', '--role', 'user')).user
  const limits = ['--scope', 'read', '--scope', 'llm', '--expires-in', '10d']
  await home.json('user', 'token', 'create', id, '--name', 'report', ...limits)
  const ofIda = async (...args: readonly string[]) =>
    listed.parse(await home.json('user', 'token', 'list', '--user', id, ...args)).tokens
  const [report, first] = await ofIda()
  assert.equal(report?.scopes, ['read', 'llm'])
  assert.ok(Math.abs(Date.parse(report?.expiresAt ?? '') - Date.now() - 10 * DAY_MS) < 60_000)
  assert.equal([first?.scopes, first?.expiresAt], [null, null])
  const names = async (...args: readonly string[]) => (await ofIda(...args)).map(({ name }) => name)
  assert.equal([await names('--expiring', '14d'), await names('--expiring', '9d')], [['report'], []])
  const refused = async (text: string, ...args: readonly string[]) =>
    assert.equal(await home.here('user', 'token', ...args), { code: 1, stdout: '', stderr: `${text}\n` })
  await refused('--expiring must be a length of time such as 90d, 12h or 8w.', 'list', '--expiring', 'soon')
  await refused(
    '--expires-in must be a length of time such as 90d, 12h or 8w.',
    ...['create', id, '--name', 'x', '--expires-in', '2030']
  )
})

test('a token is issued in place of another one, which ends a while after', async () => {
  const { id } = created.parse(await home.json('user', 'create', '--name', 'Uma', '--role', 'user')).user
  await home.json('user', 'token', 'create', id, '--name', 'robot', '--scope', 'write', '--agent-writes')
  const stdout = await said('user', 'token', 'rotate', 'robot', '--keep', '2d')
  assert.match(stdout, /^Created API token "robot" \(ID\) for user "Uma"\.\n/)
  assert.match(stdout, /\nSECRET\n\nIt replaces PREFIX \(ID\), which ends at TIME\.\n$/)
  const { tokens } = listed.parse(await home.json('user', 'token', 'list', '--user', id))
  const [next, old] = tokens
  assert.equal([next?.name, next?.scopes, next?.agentWrites, next?.expiresAt], ['robot', ['write'], true, null])
  assert.ok(Math.abs(Date.parse(old?.expiresAt ?? '') - Date.now() - 2 * DAY_MS) < 60_000)
  const { code, stdout: doctor } = await home.here('doctor')
  assert.is(code, 0)
  assert.match(doctor, /^warning +tokens +.*The token "robot" \(hbk_\S+\) ends at \S+\.$/m)
})

test('a session of a browser ends by itself: it is neither told of nor rotated, and lists say what it is', async () => {
  const session = await home.withLedger((ledger) => aSession(ledger, 'Olga'))
  const tokens = async (...args: readonly string[]) =>
    sessions.parse(await home.json('user', 'token', 'list', '--user', 'Olga', ...args)).tokens
  assert.equal(await tokens(), [{ id: session, isSession: true }])
  assert.equal(await tokens('--expiring', '7d'), [])
  assert.not.match((await home.here('doctor')).stdout, /Firefox on Linux/)
  assert.equal(await home.here('user', 'token', 'rotate', session), {
    code: 1,
    stdout: '',
    stderr: 'This token is the session of a browser, which ends by itself: sign in again there.\n'
  })
})

test('an account is signed out of all its browsers, and with --all-tokens of everything', async () => {
  const sessions = [
    await home.withLedger((ledger) => aSession(ledger, 'Nora', 'Firefox')),
    await home.withLedger((ledger) => aSession(ledger, 'Nora', 'Chrome'))
  ]
  const { token } = issued.parse(await home.json('user', 'token', 'create', 'Nora', '--name', 'laptop'))
  const active = async () => {
    const { tokens } = listed.parse(await home.json('user', 'token', 'list', '--user', 'Nora'))
    return tokens.flatMap(({ name, revokedAt }) => (revokedAt === null ? [name] : []))
  }
  const nobody = await home.asked(Object.assign(Readable.from(['n\n']), { isTTY: true }), 'user', 'sign-out', 'nora')
  assert.equal([nobody.code, nobody.stderr], [1, 'End 2 sessions of user "Nora"? [y/N] Nothing was done.\n'])
  assert.is((await active()).length, 3)
  assert.is(await said('user', 'sign-out', 'nora'), 'Signed user "Nora" (ID) out: 2 sessions revoked.\n')
  assert.equal(await active(), [token.name])
  assert.is(await said('user', 'sign-out', 'nora'), 'Signed user "Nora" (ID) out: 0 sessions revoked.\n')
  sessions.push(await home.withLedger((ledger) => aSession(ledger, 'Nora')))
  const { revoked } = z
    .object({ revoked: z.number() })
    .parse(await home.json('user', 'sign-out', 'Nora', '--all-tokens'))
  assert.equal([revoked, await active(), sessions.length], [2, [], 3])
})

test.run()

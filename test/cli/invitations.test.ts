import * as assert from 'uvu/assert'
import { z } from 'zod'
import { issueInvitation } from '../../src/ledger/secrets.js'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('hub user invite')
let home: Home

const UUID = '[0-9a-f-]{36}'
const issued = z.object({ token: z.looseObject({ id: z.string() }) })
const listed = z.object({ invitations: z.array(z.object({ id: z.string(), userId: z.string(), status: z.string() })) })

test.before(async () => {
  home = await migratedHome()
})

test('create makes an account without a token and shows the secret once, with a link that holds it in the fragment', async () => {
  const options = [
    '--name',
    'ann',
    '--role',
    'user',
    '--collection-access',
    '*',
    '--base-url',
    'https://hub.example.com/'
  ]
  const { code, stdout } = await home.here('user', 'invite', 'create', ...options)
  assert.is(code, 0)
  assert.match(stdout, new RegExp(`^Created invited user "ann" \\(${UUID}\\) with role user\\.\n- id: `))
  assert.match(
    stdout,
    new RegExp(
      `\nCreated invitation \\(${UUID}\\) for user "ann" \\(${UUID}\\)\\.\nInvitation prefix: hbi_.{8}\nExpires: `
    )
  )
  const secret = /\nStore this invitation secret now; it will not be shown again:\n(hbi_\S{49})\n/.exec(stdout)?.[1]
  assert.ok(secret)
  const link = new URL(/^https:\S+$/m.exec(stdout)?.[0] ?? '')
  assert.is(link.hash, `#code=${secret}`)
  assert.is(link.origin + link.pathname, 'https://hub.example.com/join')
  assert.equal([...link.searchParams.keys()], ['url', 'name', 'role', 'exp', 'access'])
  assert.is(
    link.searchParams.get('access'),
    'Collections: all · Environments: none · Snippets: none · Live servers: none · Live pages: none · LLM: disabled'
  )
  assert.is((await home.here('user', 'token', 'list')).stdout, 'No API tokens found.\n')
})

test('user create --invite does the same', async () => {
  const { stdout } = await home.here('user', 'create', '--invite', '--name', 'ben', '--role', 'admin')
  assert.match(stdout, /^Created invited user "ben"/)
  assert.not.match(stdout, /hbk_/)
})

test('an account that is there can be invited again, and a pending invitation revoked once', async () => {
  const { invitations } = listed.parse(await home.json('user', 'invite', 'list'))
  const [newest] = invitations
  assert.ok(newest)
  const again = await home.here('user', 'invite', 'create', '--user', newest.userId, '--expires-in-hours', '1')
  assert.match(again.stdout, /^Created invitation/)
  assert.is((await home.here('user', 'invite', 'revoke', newest.id)).stdout, `Revoked invitation ${newest.id}.\n`)
  const nothing = `No pending invitation found with id ${newest.id}.\n`
  assert.equal(await home.here('user', 'invite', 'revoke', newest.id), { code: 1, stdout: '', stderr: nothing })
  const { stdout } = await home.here('user', 'invite', 'list')
  assert.match(stdout, new RegExp(`^${newest.id}  ben  hbi_.{8}  revoked\n  expires: `, 'm'))
})

test('an invitation that somebody has made for themselves is over with the token that it was made with', async () => {
  const made = issued.parse(await home.json('user', 'create', '--name', 'ada', '--role', 'user'))
  const origin = { tokenId: made.token.id, address: null, requestId: null }
  const { invitation } = issueInvitation(1)
  await home.withLedger((ledger) => ledger.run({ type: 'CreateOwnInvitation', invitation }, origin))
  await home.done('user', 'token', 'revoke', made.token.id)
  for (const named of [invitation.invitationId, 'ada'])
    assert.equal(await home.here('user', 'invite', 'revoke', named), {
      ...{ code: 1, stdout: '', stderr: `No pending invitation found with id ${named}.\n` }
    })
})

test('wrong values are refused in one line', async () => {
  for (const [options, message] of [
    [['--expires-in-hours', '0'], 'Value must be a positive integer.\n'],
    [['--base-url', 'ftp://hub'], '--base-url must be an http or https URL.\n']
  ] as const) {
    const { code, stderr } = await home.here('user', 'invite', 'create', '--name', 'x', '--role', 'user', ...options)
    assert.is(code, 1)
    assert.is(stderr, message)
    assert.is((await home.here('user', 'show', 'x')).code, 1, 'nobody was made whose secret is lost')
  }
})

test.run()

import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { type Home, migratedHome } from './support.js'

const test = suite('token commands')
let home: Home
let userId: string

const created = z.object({ user: z.looseObject({ id: z.string() }) })
const issued = z.object({ token: z.looseObject({ id: z.string(), name: z.string() }), secret: z.string() })
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
  agents: read
  created: TIME
  last used: -
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

test.run()

import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('the options of user commands')
let home: Home

test.before(async () => {
  home = await migratedHome()
})

const created = z.object({ user: z.looseObject({ id: z.string() }) })
const refused = async (args: readonly string[], text: string, code = / is required\.$/.test(text) ? 2 : 1) =>
  assert.equal(await home.here(...args), { code, stdout: '', stderr: `${text}\n` })

test('options that say nothing sensible are refused by name', async () => {
  const base = ['user', 'create', '--name', 'x', '--role', 'user']
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['user', 'create', '--role', 'user'], 'Option --name is required.'],
    [['user', 'create', '--name', 'x'], 'Option --role is required.'],
    [['user', 'create', '--name', ' ', '--role', 'user'], 'Name must not be empty.'],
    [
      ['user', 'create', '--name', 'x', '--role', 'root'],
      '--role must be one of: user, admin, accountAdmin, auditor. It is "root".'
    ],
    [[...base, '--snippet-access', ''], '--snippet-access: Access entries must not be empty.'],
    [
      [...base, '--collection-access', '*', '--collection-access', 'c1'],
      '--collection-access: Wildcard access "*" must be the only entry.'
    ],
    [[...base, '--llm-model', 'none', '--llm-model', 'm'], '--llm-model: "none" must be the only entry.'],
    [[...base, '--llm-monthly-tokens', '0'], 'Monthly token limit must be a positive integer.'],
    [[...base, '--llm-monthly-tokens', '1.5'], 'Monthly token limit must be a positive integer.'],
    [[...base, '--collection-access', 'c1'], 'Unknown collection id: c1.'],
    [
      ['user', 'create', '--name', 'SYSTEM', '--role', 'user'],
      'User name "SYSTEM" is reserved for the internal system account.'
    ]
  ]
  for (const [args, text] of cases) await refused(args, text)
  for (const option of [
    ['--expires-in-hours', '3'],
    ['--base-url', 'https://hub.example.com']
  ])
    await refused([...base, ...option], '--expires-in-hours and --base-url are of an invitation: add --invite.', 2)
})

test('administrators are given no access, neither when made nor later', async () => {
  const noAccess = 'Admin users cannot have collection, environment, or snippet access.'
  const noLlm = 'Admin users cannot have LLM access.'
  const admin = ['user', 'create', '--name', 'root', '--role', 'admin']
  await refused([...admin, '--environment-access', '*'], noAccess)
  await refused([...admin, '--llm-access'], noLlm)
  await refused([...admin, '--llm-monthly-tokens', '5'], noLlm)
  const { user } = created.parse(await home.json(...admin, '--collection-access', 'none'))
  await refused(['user', 'update', user.id, '--snippet-access', '*'], noAccess)
  await refused(['user', 'update', user.id, '--llm-model', 'm'], noLlm)
  await home.done('user', 'create', '--name', 'Auditor', '--role', 'auditor')
  const { code, stdout } = await home.here('user', 'update', user.id, '--role', 'user', '--llm-model', 'm')
  assert.equal([code, stdout], [0, `Updated user "root" (${user.id}).\n`])
})

test('a role is told as it is, and changed by its name alone', async () => {
  const { user } = created.parse(await home.json('user', 'create', '--name', 'Looks', '--role', 'auditor'))
  assert.equal([user.role, user.exactRole], ['auditor', undefined])
  const show = ['user', 'show', user.id]
  assert.match(await home.done(...show), /\n +role: auditor\n/)
  await home.done('user', 'update', user.id, '--role', 'user')
  assert.match(await home.done(...show), /\n +role: user\n/)
})

test.run()

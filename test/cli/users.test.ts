import * as assert from 'uvu/assert'
import { z } from 'zod'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { type Home, migratedHome, type Result } from './support.js'

const test = suite('user commands')
let home: Home

test.before(async () => {
  home = await migratedHome()
})

const created = z.object({
  user: z.looseObject({ id: z.string(), name: z.string() }),
  token: z.looseObject({ id: z.string(), userId: z.string() }),
  secret: z.string().startsWith('hbk_')
})
const create = async (...options: readonly string[]) => created.parse(await home.json('user', 'create', ...options))
const refused = (result: Result, text: string, code = 1) =>
  assert.equal(result, { code, stdout: '', stderr: `${text}\n` })
const said = ({ code, stdout, stderr }: Result) => {
  assert.equal([code, stderr], [0, ''])
  return generic(stdout)
}

const block = (usage: string) => `- id: ID
  name: Ada
  role: user
  avatar: AD, teal-600
  collection access: *
  environment access: -
  snippet access: *
  live server access: -
  live page access: -
  llm access: enabled
  llm models: gpt-6.1-sol, gpt-6-luna
  llm monthly tokens: 500
${usage}  created: TIME
  updated: TIME
`

test('creating a user shows the account and the token, and its secret once', async () => {
  const options = ['--collection-access', '*', '--snippet-access=*', '--llm-access', '--llm-model', 'gpt-6.1-sol']
  const more = ['--llm-model', 'gpt-6-luna', '--llm-monthly-tokens', '500', '--avatar-color', 'teal-600']
  const result = await home.here('user', 'create', '--name', ' Ada ', '--role', 'user', ...options, ...more)
  assert.is(
    said(result),
    `Created user "Ada" (ID) with role user.
${block('')}
Created API token "Ada" (ID) for user "Ada".
Token prefix: PREFIX

Store this token now; it will not be shown again:
SECRET
`
  )
  const id = /- id: (\S+)/.exec(result.stdout)?.[1] ?? ''
  const shown = await home.here('user', 'show', id)
  assert.is(said(shown), block('  llm tokens used (MONTH): 0\n'))
  const secret = result.stdout.trim().split('\n').at(-1) ?? ''
  assert.not.ok((await home.here('user', 'list')).stdout.includes(secret))
  const json = z
    .looseObject({ id: z.string(), llmModels: z.array(z.string()) })
    .parse(await home.json('user', 'show', id))
  assert.equal([json.id, json.llmModels], [id, ['gpt-6.1-sol', 'gpt-6-luna']])
})

test('an update changes what it names, replaces lists and empties them', async () => {
  const { user } = await create('--name', 'Bob', '--role', 'user', '--collection-access', '*', '--llm-access')
  const update = (...options: readonly string[]) => home.here('user', 'update', user.id, ...options)
  assert.is(said(await update('--name', 'Robert', '--llm-monthly-tokens', '7')), 'Updated user "Robert" (ID).\n')
  assert.is(
    said(await update('--collection-access', 'none', '--no-llm-access', '--llm-monthly-tokens', 'unlimited')),
    'Updated user "Robert" (ID).\n'
  )
  const { stdout } = await home.here('user', 'show', user.id)
  assert.match(
    stdout,
    /name: Robert\n.*collection access: -\n.*llm access: disabled\n.*llm monthly tokens: unlimited\n/s
  )
  assert.is(
    said(await update('--avatar-initials', 'qx', '--avatar-color', 'rose-600')),
    'Updated user "Robert" (ID).\n'
  )
  assert.match((await home.here('user', 'show', user.id)).stdout, /avatar: QX, rose-600\n/)
  refused(await update('--avatar-initials', 'a1'), 'Avatar initials must contain letters only.')
  refused(await update(), 'Nothing to change: give at least one option. See: hub user update --help', 2)
  await create('--name', 'Carol', '--role', 'user')
  refused(await update('--name', 'Carol'), 'User name "Carol" is already in use.')
})

test('lists of access that are narrow or empty stay so, whatever runs afterwards', async () => {
  const { user } = await create('--name', 'Nora', '--role', 'user', '--collection-access', '*')
  const listsOf = async () => {
    const shown = z.record(z.string(), z.unknown()).parse(await home.json('user', 'show', user.id))
    return Object.entries(shown).filter(([key]) => key.endsWith('Access'))
  }
  const before = await listsOf()
  const empty = ['environmentAccess', 'snippetAccess', 'liveServerAccess', 'livePageAccess']
  for (const list of empty) assert.equal(new Map(before).get(list), [], list)
  for (const command of [['migrate'], ['user', 'list'], ['user', 'update', user.id, '--name', 'Eleonora']])
    assert.is((await home.here(...command)).code, 0)
  assert.equal(await listsOf(), before)
})

test('the list is by name, without the system account, as text and as JSON', async () => {
  const { stdout } = await home.here('user', 'list')
  const names = [...stdout.matchAll(/^ {2}name: (.*)$/gm)].map(([, name]) => name)
  assert.equal(
    names,
    [...names].sort((a = '', b = '') => a.localeCompare(b))
  )
  assert.not.ok(names.includes('system'))
  const { users } = z
    .object({ users: z.array(z.looseObject({ name: z.string(), warnings: z.array(z.string()) })) })
    .parse(await home.json('user', 'list'))
  assert.equal(
    users.map(({ name }) => name),
    names
  )
})

test('an id that nobody has is told on stderr with exit code 1', async () => {
  const none = 'No user found with id nobody.'
  refused(await home.here('user', 'show', 'nobody'), none)
  refused(await home.here('user', 'show', 'nobody', '--json'), none)
  refused(await home.here('user', 'delete', 'nobody', '--yes'), none)
  refused(await home.here('user', 'update', 'nobody', '--name', 'x'), none)
})

test('the system account is out of reach', async () => {
  const text = 'The internal system account cannot be changed, deleted or given tokens.'
  refused(await home.here('user', 'update', SYSTEM_ID, '--name', 'x'), text)
  refused(await home.here('user', 'delete', SYSTEM_ID), text)
  refused(await home.here('user', 'token', 'create', '--user', SYSTEM_ID, '--name', 'x'), text)
})

test('deleting a user deletes its tokens', async () => {
  const { user } = await create('--name', 'Dora', '--role', 'user')
  assert.is(said(await home.here('user', 'delete', user.id, '--yes')), 'Deleted user "Dora" (ID).\n')
  const { tokens } = z
    .object({ tokens: z.array(z.looseObject({ userId: z.string() })) })
    .parse(await home.json('user', 'token', 'list'))
  assert.ok(tokens.length > 0)
  assert.not.ok(tokens.some(({ userId }) => userId === user.id))
})

test.run()

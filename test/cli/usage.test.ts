import * as assert from 'uvu/assert'
import { VERSION } from '../../src/version.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('the command line')
let home: Home

test.before(async () => {
  home = await newHome()
})
test.after(() => home?.remove())

const refused = async (args: readonly string[], stderr: string, run = home.here) =>
  assert.equal(await run(...args), { code: 1, stdout: '', stderr: `${stderr}\n` })

test('the version and the help are printed on stdout', async () => {
  const [version, help, nothing, ofCommand, ofGroup] = await Promise.all([
    home.hub('-V'),
    home.hub('--', '--help'),
    home.here(),
    home.here('user', 'create', '-h'),
    home.here('user', '--help')
  ])
  assert.equal(version, { code: 0, stdout: `${VERSION}\n`, stderr: '' })
  assert.match(help.stdout, /hub user create \[options\]\n.*-c,--config <path>/s)
  assert.equal(nothing, help)
  assert.equal(ofGroup, help)
  assert.match(ofCommand.stdout, /--llm-monthly-tokens <value> {4}LLM tokens/)
  for (const { code, stdout, stderr } of [help, ofCommand]) {
    assert.equal([code, stderr], [0, ''])
    assert.not.ok(stdout.includes('\x1b'), 'colours')
  }
})

test('arguments that fit no command are refused on stderr', () =>
  Promise.all([
    refused(['frobnicate'], 'Unknown command: hub frobnicate\nSee: hub --help', home.hub),
    refused(['user', 'token'], 'Incomplete command: hub user token <create|list|revoke>\nSee: hub --help'),
    refused(['user', 'list', '--nope'], 'Unknown option --nope.\nSee: hub user list --help'),
    refused(['user', 'show'], 'An argument is missing.\nSee: hub user show --help'),
    refused(['user', 'show', 'a', 'b'], 'Unexpected argument b.\nSee: hub user show --help'),
    refused(['user', 'create', '--name'], 'Option --name needs a value.\nSee: hub user create --help')
  ]))

test('a global option behind the command is refused with its place', () =>
  Promise.all([
    refused(['user', 'list', '-c', 'x'], 'Option -c goes before the command: hub -c <path> user list'),
    refused(['start', '--config=x'], 'Option --config goes before the command: hub --config <path> start'),
    refused(['user', '-v', 'list'], 'Option -v goes before the command: hub -v <command>'),
    refused(['-c'], 'Option -c needs a path.')
  ]))

test('the configuration is read from the current directory or where -c says', async () => {
  await refused(['migrate'], 'Config file not found: server.yaml', home.hub)
  await refused(['--', '--config=no/such.yaml', 'user', 'list'], 'Config file not found: no/such.yaml')
  const { code, stderr } = await home.here('-v', '-c', home.path, 'migrate')
  assert.is(code, 1)
  assert.match(stderr, new RegExp(`^Config file cannot be read: ${home.path} \\(EISDIR\\)\nConfigError: .*\n +at `))
})

test('a database that is not set up or not there is told in one line', async () => {
  home.configure()
  await refused(['user', 'list'], 'The database is not set up for this version. Run `hub migrate` first.')
  home.configure({ db: '{driver: postgres, host: 127.0.0.1, port: 1, user: hub, password: hush, database: hub}' })
  await refused(['user', 'list'], 'Postgres did not answer: connect ECONNREFUSED 127.0.0.1:1')
})

test('commands that serve nothing need no Redis, and migrating twice is harmless', async () => {
  home.configure({ redis: '{host: 127.0.0.1, port: 1}' })
  const done = { code: 0, stdout: 'Database migration completed successfully.\n', stderr: '' }
  assert.equal(await home.hub('migrate'), done)
  assert.equal(await home.here('migrate'), done)
  const [users, tokens, collections, json] = await Promise.all([
    home.hub('user', 'list'),
    home.here('user', 'token', 'list'),
    home.here('collection', 'list'),
    home.json('user', 'list')
  ])
  assert.is(users.stdout, 'No users found.\n')
  assert.is(tokens.stdout, 'No API tokens found.\n')
  assert.is(collections.stdout, 'No collections found.\n')
  assert.equal(json, { users: [] })
})

test.run()

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { makePrivate } from '../../src/lib/files.js'
import { VERSION } from '../../src/lib/version.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('the command line')
let home: Home

test.before(async () => {
  home = await newHome()
})

const refused = async (args: readonly string[], stderr: string, { run = home.here, code = 1 } = {}) =>
  assert.equal(await run(...args), { code, stdout: '', stderr: `${stderr}\n` })
const misused = (args: readonly string[], stderr: string) => refused(args, stderr, { code: 2 })

test('the version and the help are printed on stdout', async () => {
  const [version, help, nothing, asked, ofCommand] = await Promise.all([
    home.here('-V'),
    home.hub('--', '--help'),
    home.here(),
    home.here('help'),
    home.here('user', 'create', '-h')
  ])
  assert.equal(version, { code: 0, stdout: `${VERSION}\n`, stderr: '' })
  assert.match(help.stdout, /\n {2}user create +Create an account .*\n {2}-c, --config FILE {4}/s)
  assert.equal(nothing, help)
  assert.equal(asked, help)
  assert.match(ofCommand.stdout, /^Create an account .*\n\n {2}hub user create \[options\]\n/)
  assert.match(ofCommand.stdout, /--llm-monthly-tokens COUNT +LLM tokens/)
  assert.match(ofCommand.stdout, /\nExamples\n .*\n {4}hub user create --name alice/)
  for (const { code, stdout, stderr } of [help, ofCommand]) {
    assert.equal([code, stderr], [0, ''])
    assert.not.ok(stdout.includes('\x1b'), 'colours')
  }
})

test('a group of commands shows its own, however it is asked for', async () => {
  const [bare, behind, before, inner] = await Promise.all([
    home.here('audit'),
    home.here('audit', '--help'),
    home.here('help', 'audit'),
    home.here('user', 'token')
  ])
  assert.match(bare.stdout, /^ {2}hub audit <command>\n\n {2}audit diff +Print what differs/)
  assert.not.match(bare.stdout, /user create/)
  assert.equal([behind, before, bare.code], [bare, bare, 0])
  assert.equal(await home.here('-h', 'audit', 'show', '1'), await home.here('audit', 'show', '--help'))
  assert.match(inner.stdout, /\n {2}user token create .*\n {2}user token list .*\n {2}user token rotate /)
  assert.equal(await home.here('help', 'audit', 'show'), await home.here('audit', 'show', '--help'))
})

test('arguments that fit no command are refused on stderr with exit code 2, with what may be meant', () =>
  Promise.all([
    misused(['frobnicate'], 'Unknown command: hub frobnicate\nSee: hub --help'),
    misused(['usr', 'list'], 'Unknown command: hub usr list\nDid you mean hub user list?\nSee: hub --help'),
    misused(
      ['user', 'tokn', 'list'],
      'Unknown command: hub user tokn list\nDid you mean hub user token list?\nSee: hub user --help'
    ),
    misused(['help', 'usr'], 'Unknown command: hub usr\nDid you mean hub user?\nSee: hub --help'),
    misused(['user', 'list', '--nope'], 'Unknown option --nope.\nSee: hub user list --help'),
    misused(['user', 'list', '--jso'], 'Unknown option --jso.\nDid you mean --json?\nSee: hub user list --help'),
    misused(['user', 'show'], 'The argument <user> is missing.\nSee: hub user show --help'),
    misused(
      ['erase', 'value', '--path', '/x', 'collection'],
      'The argument <id-or-name> is missing.\nSee: hub erase value --help'
    ),
    misused(['user', 'show', 'a', 'b'], 'Unexpected argument b.\nSee: hub user show --help'),
    misused(['user', 'create', '--name'], 'Option --name needs a value.\nSee: hub user create --help'),
    misused(['audit', 'export'], 'Option --out FILE is required.\nSee: hub audit export --help'),
    misused(['restore', 'snippet', 's'], 'Option --version VERSION is required.\nSee: hub restore --help')
  ]))

/** What stands below it where there is no configuration. */
const ADVICE = 'Name yours with --config, or run `hub start --init` to write one and start with it.'

test('a global option stands before the command or behind it', async () => {
  await misused(['-c'], 'Option -c needs a path.')
  await misused(['user', 'list', '--config'], 'Option --config needs a path.')
  for (const args of [
    ['user', 'list', '-c', 'x'],
    ['start', '--config=x'],
    ['--config', 'x', 'user', 'list']
  ]) {
    const { code, stderr } = await home.here(...args)
    assert.is(code, 1)
    assert.match(stderr, /^Config file not found: x\n/)
  }
  const { stderr } = await home.here('user', '-v', 'list')
  assert.match(stderr, /^Config file not found: .*\nName yours .*\nConfigError: .*\n(?:.*\n)? +at /)
})

test('the configuration is read from the current directory or where -c says', async () => {
  await refused(['migrate'], `Config file not found: server.yaml\n${ADVICE}`, { run: home.hub })
  await refused(['--', '--config=no/such.yaml', 'user', 'list'], `Config file not found: no/such.yaml\n${ADVICE}`)
  await refused(['-c', '/dev/zero', 'migrate'], 'Config file cannot be read: /dev/zero is no file')
  const { code, stderr } = await home.here('-v', '-c', home.path, 'migrate')
  assert.is(code, 1)
  assert.match(stderr, new RegExp(`^Config file cannot be read: ${home.path} \\(EISDIR\\)\nConfigError: .*\n +at `))
})

test('a database that is not set up or not there is told in one line', async () => {
  home.configure()
  const path = join(home.path, 'data', 'typo.sqlite')
  home.configure({ db: `{driver: sqlite, path: ${path}}` })
  const advice = 'Run `hub migrate` first, or name another file as db.path.'
  await refused(['user', 'list'], `There is no database at ${path}. ${advice}`)
  for (const look of ['--status', '--dry-run']) assert.is((await home.here('migrate', look)).code, 0)
  assert.not.ok(existsSync(path))
  makePrivate(path)
  await refused(['user', 'list'], 'The database is not set up for this version. Run `hub migrate` first.')
  home.configure({ db: '{driver: postgres, host: 127.0.0.1, port: 1, user: hub, password: hush, database: hub}' })
  await refused(['user', 'list'], 'Postgres did not answer: connect ECONNREFUSED 127.0.0.1:1')
})

test('commands that serve nothing need no Redis, and migrating twice is harmless', async () => {
  home.configure({ redis: '{host: 127.0.0.1, port: 1}' })
  const done = { code: 0, stdout: 'Database migration completed successfully.\n', stderr: '' }
  for (let time = 0; time < 2; time++) assert.equal(await home.here('migrate'), done)
  assert.is(await home.json('migrate'), null, 'no older hub was taken over')
  const [users, tokens, collections, json] = await Promise.all([
    home.here('user', 'list'),
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

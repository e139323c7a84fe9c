import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { commands } from '../../cli/commands.js'
import { TERMINAL_YES_HELP, YES_HELP } from '../../cli/lib/command.js'
import { parseGlobals } from '../../cli/lib/globals.js'
import { HubCli } from '../../cli/pages.js'
import { findBinary } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('help and completion')
const { pages } = new HubCli(commands)
let home: Home

test.before(async () => {
  home = await newHome()
})

test('every command has a category, a description, examples, and names for its arguments and values', () => {
  for (const page of pages) {
    const name = `hub ${page.paths[0]?.join(' ')}`
    assert.ok(page.category !== '' && page.description !== '', `${name}: category and description`)
    assert.ok(page.examples.length > 0, `${name}: an example`)
    for (const { name: argument } of page.positionals)
      assert.match(argument, /^[a-z][a-z-]+$/, `${name}: Option.String({ name })`)
    for (const { names, value, description } of page.options) {
      assert.is.not(value, 'VALUE', `${name} ${names}: the description begins with what its value is called: <FILE> …`)
      assert.ok(description !== '', `${name} ${names}`)
    }
  }
})

/** The words of an example, without what its shell does with the output. */
function words(typed: string): readonly string[] {
  const [, inner] = /^source <\((.*)\)$/.exec(typed) ?? []
  const [command = ''] = (inner ?? typed).split(/ >>? /)
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

test('every example is a command of the hub', () => {
  const cli = new HubCli(commands)
  for (const { paths, examples } of pages) {
    for (const [what, typed] of examples) {
      const [hub, ...args] = words(typed)
      assert.is(hub, 'hub', typed)
      const { rest } = parseGlobals(args, {})
      const context = { configPath: '', configFrom: 'default' as const, noEnv: false, verbose: false, pages }
      const command = cli.process([...rest], context)
      const isOwn = paths.some((path) => path.join(' ') === command.path.join(' '))
      assert.ok(isOwn, `${typed} is an example of ${paths[0]?.join(' ')}`)
      assert.ok(what !== '')
    }
  }
})

test('the page of the command line names each command that destroys without being asked where nobody can be asked', () => {
  const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')
  const [, atOnce = '', asked = ''] = /Elsewhere (.*?) are done at once, and (.*?) `--yes`/.exec(page) ?? []
  const named = (text: string) => [...text.matchAll(/`([a-z -]+)`/g)].map(([, name = '']) => name)
  const withYes = (help: string) =>
    pages.flatMap(({ paths: [path = []], options }) =>
      options.some(({ description }) => description === help) ? [path.join(' ')] : []
    )
  assert.equal(named(atOnce).toSorted(), withYes(TERMINAL_YES_HELP).toSorted())
  for (const name of withYes(YES_HELP))
    assert.ok(
      named(asked).some((one) => `${name} `.startsWith(`${one} `)),
      name
    )
})

test('bash completes commands, options and kinds', async () => {
  const { stdout: script } = await home.here('completion', 'bash')
  const complete = async (...typed: readonly string[]) => {
    const line = typed.map((word) => `'${word}'`).join(' ')
    const run = `${script}\nCOMP_WORDS=(hub ${line}); COMP_CWORD=${typed.length}; _hub; echo "\${COMPREPLY[*]}"`
    return (await promisify(execFile)('bash', ['-c', run])).stdout.trim().split(' ')
  }
  assert.equal(await complete('us'), ['user'])
  assert.equal(await complete('user', 'to'), ['token'])
  assert.equal(await complete('user', 'token', ''), ['create', 'list', 'rotate', 'revoke'])
  assert.equal(await complete('-c', 'x.yaml', 'user', 'del'), ['delete'])
  assert.equal(await complete('history', 'env'), ['environment'])
  assert.equal(await complete('erase', 'deleted', 'run'), ['runresult'])
  assert.equal(await complete('history', 'run'), [''])
  assert.equal(await complete('user', 'delete', 'ada', '--y'), ['--yes'])
  assert.equal(await complete('frob'), [''])
})

const unbegun = 'zsh takes its script where nothing has begun to complete, as without a configuration of its own'
if ((await findBinary('zsh')) === null) test.skip(unbegun, 'zsh is not installed')
else
  test(unbegun, async () => {
    const { stdout: script } = await home.here('completion', 'zsh')
    const env = { ...process.env, HOME: home.path, ZDOTDIR: home.path }
    const { stdout } = await promisify(execFile)('zsh', ['-fc', `${script}\necho "\${_comps[hub]}"`], { env })
    assert.is(stdout, '_hub\n')
  })

test('zsh and fish get a script too, and other shells are refused', async () => {
  const [zsh, fish, other] = await Promise.all([
    home.here('completion', 'zsh'),
    home.here('completion', 'fish'),
    home.here('completion', 'bassh')
  ])
  assert.match(zsh.stdout, /^#compdef hub\n/)
  assert.match(fish.stdout, /\ncomplete -c hub -n '__hub_at user' -f -a 'list' -d 'List the accounts/)
  assert.is(other.stderr, 'The shell must be one of: bash, zsh, fish. It is "bassh".\nDid you mean "bash"?\n')
})

test.run()

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as assert from 'uvu/assert'
import { runCli } from '../../cli/run.js'
import { suite } from '../support/suite.js'
import { collector, type Home, newHome, type Result } from './support.js'

const test = suite('the environment of a command')
let home: Home

test.before(async () => {
  home = await newHome()
  home.configure({ port: 8787 })
  writeFileSync(file('other.yaml'), configuration(8888))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference that is interpolated looks like this
  writeFileSync(file('referring.yaml'), configuration('${HUB_SERVER_PORT}'))
})

const file = (name: string) => join(home.path, name)
const configuration = (port: number | string) =>
  `server: {host: 127.0.0.1, port: '${port}'}\ndb: {driver: sqlite, path: hub.sqlite}\nredis: {driver: memory}\n`

/** Runs a command with these variables in the environment, and without the -c that other tests give. */
async function withVariables(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Result> {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    const [stdout, stderr] = [collector(), collector()]
    const terminal = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, colors: false }
    const code = await runCli(args, terminal)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

const portIn = ({ stdout }: Result) => Number(/^ +port: (\d+)$/m.exec(stdout)?.[1])

test('HUB_CONFIG names the configuration file, and -c another one', async () => {
  const HUB_CONFIG = file('other.yaml')
  const named = await withVariables({ HUB_CONFIG }, 'config', 'print')
  assert.equal([named.code, named.stderr, portIn(named)], [0, '', 8888])
  const other = await withVariables({ HUB_CONFIG }, '-c', file('server.yaml'), 'config', 'print')
  assert.equal([other.code, other.stderr, portIn(other)], [0, '', 8787])
  const check = await withVariables({ HUB_CONFIG }, 'config', 'check')
  assert.equal([check.stdout, check.stderr], [`${HUB_CONFIG}: no problems.\n`, ''])
})

test('a file that HUB_CONFIG names and that is not there is said to be missing, with where its name comes from', async () => {
  const { code, stderr } = await withVariables({ HUB_CONFIG: file('none.yaml') }, 'user', 'list')
  assert.is(code, 1)
  assert.match(stderr, `Config file not found: ${file('none.yaml')}\nHUB_CONFIG names it.`)
})

test('variables that change a configuration which -c names are told on stderr, once', async () => {
  const variables = { HUB_SERVER_PORT: '9999', HUB_DB_PREFIX: 'other_' }
  const named = await withVariables(variables, '-c', file('other.yaml'), 'config', 'print')
  assert.is(portIn(named), 9999)
  assert.is(
    named.stderr,
    `The environment changes ${file('other.yaml')}: HUB_DB_PREFIX sets db.prefix, HUB_SERVER_PORT sets server.port. --no-env leaves that out.\n`
  )
  const check = await withVariables(variables, 'config', 'check', '-c', file('other.yaml'))
  assert.match(check.stderr, 'HUB_SERVER_PORT sets server.port')
  const doctor = await withVariables(variables, 'doctor', '-c', file('other.yaml'))
  assert.match(doctor.stderr, 'HUB_SERVER_PORT sets server.port')
})

test('--no-env leaves them out, and nothing is told', async () => {
  const variables = { HUB_SERVER_PORT: '9999' }
  const { stderr, ...printed } = await withVariables(variables, '--no-env', '-c', file('other.yaml'), 'config', 'print')
  assert.equal([portIn({ ...printed, stderr }), stderr], [8888, ''])
  const behind = await withVariables({ HUB_CONFIG: file('other.yaml'), ...variables }, 'config', 'print', '--no-env')
  assert.is(portIn(behind), 8888, 'the file is still the one that HUB_CONFIG names')
})

test('what the file itself refers to is no surprise: it is not told, and --no-env keeps it', async () => {
  const variables = { HUB_SERVER_PORT: '9999' }
  for (const option of [[], ['--no-env']]) {
    const { stderr, ...printed } = await withVariables(
      variables,
      ...option,
      '-c',
      file('referring.yaml'),
      'config',
      'print'
    )
    assert.equal([portIn({ ...printed, stderr }), stderr], [9999, ''])
  }
})

test('variables are told too where they change the configuration of an older hub', async () => {
  const args = ['migrate', '--dry-run', '--from', file('other.yaml')]
  const { stderr } = await withVariables({ HUB_CONFIG: file('server.yaml'), HUB_DB_PREFIX: 'other_' }, ...args)
  assert.match(stderr, `The environment changes ${file('other.yaml')}: HUB_DB_PREFIX sets db.prefix.`)
})

test.run()

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('hub doctor on the command line')
let home: Home

test.before.each(async () => {
  home = await newHome()
  home.configure()
})

const examined = z.strictObject({
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  tenants: z.array(z.never()),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['ok', 'warning', 'failed', 'skipped']),
      findings: z.array(
        z.strictObject({
          state: z.enum(['ok', 'warning', 'failed', 'skipped']),
          text: z.string(),
          advice: z.string().optional(),
          subject: z.string().optional(),
          detail: z.string().optional()
        })
      )
    })
  )
})

test('all well: exit 0, a line for each check, and --json with the same', async () => {
  await home.here('migrate')
  const { code, stdout, stderr } = await home.here('doctor')
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /^ok +db +SQLite 3\.\S+ answers\.$/m)
  assert.match(stdout, /^ok +chain +The log is empty\.$/m)
  const { state, checks } = examined.parse(await home.json('doctor'))
  assert.is(state, 'ok')
  assert.equal(
    checks.map(({ name }) => name),
    [
      ...['configuration', 'files', 'access times'],
      ...[
        'db',
        'redis',
        'schema',
        'log',
        'disk',
        'engine',
        'chain',
        'projections',
        'clock',
        'search',
        'images',
        'webhooks',
        'tasks',
        'tenant disks',
        'tokens'
      ],
      ...['providers', 'models', 'tool servers', 'docs index', 'sign-in', 'tls']
    ]
  )
})

test('something fails: exit 1, what it is and what to do; nothing is made', async () => {
  const { code, stdout, stderr } = await home.here('doctor')
  assert.equal([code, stderr], [1, 'Not well: db.\n'])
  assert.match(stdout, /^failed +db +The database does not answer\.\n +\(.*\)\n +-> There is no such file/m)
  assert.is(existsSync(join(home.path, 'data')), false)
  const { code: jsonCode, stdout: json } = await home.here('doctor', '--json')
  assert.is(jsonCode, 1)
  assert.is(examined.parse(JSON.parse(json)).state, 'failed')
})

test('no configuration: one thing fails, and the rest is not looked at', async () => {
  const { code, stdout } = await home.here('-c', 'nowhere.yaml', 'doctor')
  assert.is(code, 1)
  assert.match(stdout, /^failed +configuration +Config file not found: nowhere\.yaml$/m)
  assert.is(stdout.match(/Not looked at: the configuration cannot be used\./g)?.length, 23)
})

test.run()

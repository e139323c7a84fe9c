import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { migratedHome } from './support.js'

const test = suite('a command that waits for another process')

for (const [args, lock, doing] of [
  [['migrate'], 'migrate', 'migrates this database'],
  [['projections', 'rebuild'], 'rebuild', 'rebuilds the read tables of this database'],
  [['projections', 'verify'], 'verify', 'verifies the read tables of this database']
] as const) {
  test(`hub ${args.join(' ')} says so on stderr after a while, and goes on when it may`, async () => {
    const home = await migratedHome()
    const other = new Database(join(home.path, 'data', `hub.sqlite.hub_${lock}.lock`))
    other.exec('BEGIN EXCLUSIVE')
    const waiting = await home.start(args, 'Waiting for another process')
    other.close()
    const { code, stderr } = await waiting.ended()
    assert.equal([code, stderr], [0, `Waiting for another process that ${doing}…\n`])
  })
}

test.run()

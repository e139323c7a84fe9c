import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { newHome } from './support.js'

const test = suite('hub audit verify')

test('a log that was written by the hub holds; its end can be kept as a checkpoint; an edited event is named', async () => {
  const home = await newHome()
  try {
    home.configure({})
    assert.is((await home.here('migrate')).code, 0)
    for (const name of ['ada', 'bob', 'eve'])
      assert.is((await home.here('user', 'create', '--name', name, '--role', 'admin')).code, 0)

    const { code, stdout } = await home.here('audit', 'verify', '--json')
    assert.is(code, 0)
    const { position, bad } = JSON.parse(stdout)
    assert.is(bad, null)
    const checkpoint = join(home.path, 'checkpoint.json')
    writeFileSync(checkpoint, stdout)
    const held = await home.here('audit', 'verify', '--checkpoint', checkpoint)
    assert.match(held.stdout, new RegExp(`^The chain holds: ${position} events, [0-9a-f]{64}\\.\\n$`))

    const database = new Database(join(home.path, 'data/hub.sqlite'))
    database.exec(`UPDATE hub_log SET actor_id = 'eve' WHERE position = 2`)
    database.close()
    const broken = await home.here('audit', 'verify')
    assert.is(broken.code, 1)
    assert.match(broken.stderr, /^Position 2: The event does not continue the chain/)

    writeFileSync(checkpoint, '{"position":"three"}')
    const refused = await home.here('audit', 'verify', '--checkpoint', checkpoint)
    assert.is(refused.code, 1)
    assert.match(refused.stderr, /cannot be used as a checkpoint/)
  } finally {
    await home.remove()
  }
})

test.run()

import { appendFileSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { newHome } from './support.js'

const isRoot = process.getuid?.() === 0
const test = suite('what commands of root leave in the folder of the hub')
/** An account that is not root. */
const SERVICE = 65_534

if (isRoot)
  test('belongs to the account that the folder belongs to, so that the hub can go on with it', async () => {
    const home = await newHome()
    const data = join(home.path, 'data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, SERVICE, SERVICE)
    home.configure()
    appendFileSync(join(home.path, 'server.yaml'), 'audit: {headDirectory: data/known-heads}\n')
    for (const command of [
      ['migrate'],
      ['user', 'create', '--name', 'ada', '--role', 'user'],
      ['projections', 'verify'],
      ['audit', 'verify'],
      ['backup', 'create', join(data, 'backups', 'one.backup')]
    ])
      assert.is((await home.here(...command)).code, 0, command.join(' '))
    const made = readdirSync(data, { recursive: true, encoding: 'utf8' })
    for (const wanted of [/verify\.lock$/, /^known-heads\/./])
      assert.ok(
        made.some((name) => wanted.test(name)),
        made.join(' ')
      )
    assert.equal(
      made.filter((name) => statSync(join(data, name)).uid !== SERVICE || statSync(join(data, name)).gid !== SERVICE),
      []
    )
    await home.remove()
  })

test.run()

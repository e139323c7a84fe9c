import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { suite } from '../support/suite.js'
import { migratedHome } from './support.js'

const test = suite('secrets on the terminal')
const SECRETS = ['sesame', 'open-up', 'let-me-in', 'speak-friend']

/** Every command that prints what is in a record; the ids are those of the test. */
const commands: readonly (readonly string[])[] = [
  ['diff', 'collection', 'zoo', '--json'],
  ['diff', 'collection', 'zoo'],
  ['audit', 'diff', 'collection', 'zoo'],
  ['at', 'collection', 'zoo', '2'],
  ['at', 'collection', 'zoo', '2', '--tree'],
  ['audit', 'show', '2'],
  ['audit', 'list', '--json'],
  ['restore', 'collection', 'zoo', '--version', '2', '--json']
]

test('they are masked in every command that does not say --reveal', async () => {
  const home = await migratedHome()
  const variables = [{ key: 'k', value: SECRETS[0] ?? '', defaultValue: '', share: true, enabled: true }]
  const auth = {
    ...noAuth,
    basic: { username: 'keeper', password: SECRETS[1] ?? '' },
    bearer: { token: 'let-me-in' }
  }
  const headers = [
    { key: 'Accept', value: 'text/plain', enabled: true },
    { key: 'Authorization', value: 'Bearer speak-friend', enabled: true }
  ]
  const fields = { headers, auth, preRequestScript: '', postRequestScript: '' }
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, editorOrigin)
    const content = { name: 'Zoo', variables, ...fields }
    await ledger.run({ type: 'UpdateCollection', id: 'zoo', content }, editorOrigin)
  })
  for (const command of commands) {
    const plain = await home.here(...command)
    assert.is(plain.code, 0, plain.stderr)
    assert.match(plain.stdout, '[masked]', command.join(' '))
    for (const secret of SECRETS) assert.not.match(plain.stdout, secret, command.join(' '))
    assert.match(plain.stdout, 'text/plain', command.join(' '))
    const revealed = await home.here(...command, '--reveal')
    for (const secret of SECRETS) assert.match(revealed.stdout, secret, `${command.join(' ')} --reveal`)
    assert.not.match(revealed.stdout, '[masked]')
  }
})

test.run()

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { entryLine } from '../../cli/log/audit-query.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { search } from '../../src/log/logQuery.js'
import { entriesOf, listManner } from '../../src/trust/audit/entries.js'
import { masked, short } from '../../src/trust/audit/mask.js'
import { logQueryOf } from '../../src/trust/audit/query.js'
import { eraseValue } from '../../src/trust/erasure/value.js'
import { newHome } from '../cli/support.js'
import { memoryDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'

const test = suite('what an erasure leaves in the files of SQLite')
const NAME = 'Zebulon Quartermain'

test('no name of the account stands in them any more, in use or free', async () => {
  const home = await newHome()
  home.configure()
  const done = async (...command: readonly string[]) => {
    const { code, stderr } = await home.here(...command)
    assert.is(code, 0, `${command.join(' ')}: ${stderr}`)
  }
  await done('migrate')
  await done('user', 'create', '--name', NAME, '--role', 'user')
  // Each change writes its row anew, and leaves what was there before to the free cells.
  for (const initials of ['ZA', 'ZB', 'ZC']) await done('user', 'update', NAME, '--avatar-initials', initials)
  const id = await idOf()
  await done('user', 'delete', NAME, '--yes')
  const data = join(home.path, 'data')
  const found = () => readdirSync(data).filter((name) => readFileSync(join(data, name)).includes(NAME))
  assert.ok(found().length > 0)
  await done('erase', 'user', id, '--yes')
  assert.equal(found(), [])
  // Who asks about the account is told of its erasure.
  const { stdout } = await home.here('audit', 'list', '--id', id)
  assert.match(stdout, new RegExp(`PayloadsErased  user ${id}`))
  await home.remove()

  async function idOf(): Promise<string> {
    const { stdout } = await home.here('user', 'list', '--json')
    return JSON.parse(stdout).users.find(({ name }: { readonly name: string }) => name === NAME).id
  }
})

test('that one value was erased is told with its record and its path, and found by the id of the record', async () => {
  const storage = await (await memoryDatabase()).open(tables)
  await migrate(storage)
  const ledger = await openLedger(storage, () => null)
  const update = (name: string) =>
    ledger.run({ type: 'UpdateEnvironment', id: 'e', content: { name, variables: [] } }, editorOrigin)
  await ledger.run({ type: 'CreateEnvironment', id: 'e', name: 'Desert' }, editorOrigin)
  await update('A secret')
  await update('Oasis')
  await update('Oasis of palms')
  // More than once, too.
  await eraseValue(ledger, 'environment', 'e', 3, '/name')
  await eraseValue(ledger, 'environment', 'e', 2, '/name')
  for (const kind of ['environment', undefined]) {
    const { events } = await search(ledger, logQueryOf({ kind, id: 'e' }), { limit: 1, newestFirst: true })
    for await (const { entry } of entriesOf(ledger, events, { ...listManner, how: [masked, short] }))
      assert.match(entryLine(entry), / {2}ValueErased {2}environment e \/name of position 2$/)
    assert.is(events.length, 1)
  }
})

test.run()

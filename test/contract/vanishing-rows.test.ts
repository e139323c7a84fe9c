import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { rowReads } from '../../src/storage/sql/reads.js'
import { rowChanges, rowTexts } from '../../src/storage/sql/rows.js'
import { createTable, definitionOf } from '../../src/storage/sql/tables.js'
import { connect } from '../../src/storage/sqlite/connection.js'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { thing, things } from './tables.js'

const test = suite('rows that go while a page of them is read')
const large = 'x'.repeat(3 * 1024 * 1024)

test('are left out, and what stands behind them comes', async () => {
  const connection = await connect(join((await temporaryDirectory()).path, 'hub.db'))
  const texts = rowTexts(sqliteDialect, 'hub_', 1)
  const change = rowChanges(sqliteDialect, texts)
  for (const statement of createTable(sqliteDialect, 'hub_', definitionOf(things, 1))) connection.query(statement)
  const put = (id: string, body: string) =>
    connection.query(change({ op: 'put', table: things, row: thing(id, { body }) }))
  for (const id of ['a', 'b']) put(id, large)
  put('c', '{}')
  let asked = 0
  const query: Parameters<typeof rowReads>[0]['query'] = async (statement) => {
    // Behind the question how large they are, before their bodies are asked for.
    if (++asked === 2) connection.query(change({ op: 'delete', table: things, id: 'a' }))
    return connection.query(statement)
  }
  const session = () => Promise.reject(new Error('No session is needed.'))
  const reads = rowReads({ dialect: sqliteDialect, query, session }, texts)
  const page = await reads.getPage(things, ['a', 'b', 'c'])
  connection.close()
  assert.equal(
    page.map(({ id }) => id),
    ['b', 'c']
  )
})

test.run()

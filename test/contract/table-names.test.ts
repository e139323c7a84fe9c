import * as assert from 'uvu/assert'
import { tables } from '../../projections/index.js'
import { postgresDialect } from '../../src/storage/postgres/dialect.js'
import { createTable, definitionOf, plainTables } from '../../src/storage/sql/tables.js'
import { suite } from '../support/suite.js'

const test = suite('names of tables')

test('behind the longest prefix of a tenant Postgres cuts no name, and each index has one of its own', () => {
  const all = [...plainTables, ...tables.map((table) => definitionOf(table, 9999))]
  const statements = all.flatMap((table) => createTable(postgresDialect, 'a'.repeat(37), table))
  const names = statements.map(({ text }) => / IF NOT EXISTS (\w+)/.exec(text)?.[1] ?? '')
  assert.is(new Set(names).size, statements.length)
  for (const name of names) assert.ok(name.length > 37 && name.length <= 63, name)
})

test.run()

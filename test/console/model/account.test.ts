import * as assert from 'uvu/assert'
import {
  type Account,
  type AccountForm,
  accountOf,
  changesOf,
  EMPTY_FORM,
  faultsOf,
  formOf
} from '../../../clients/console/src/model/account.js'
import { suite } from '../../support/suite.js'

const test = suite('the form of an account')

const ada: Account = {
  name: 'Ada',
  exactRole: 'user',
  collectionAccess: ['one', 'two'],
  environmentAccess: ['*'],
  snippetAccess: [],
  liveServerAccess: ['s'],
  livePageAccess: ['*'],
  llmAccess: false,
  llmModels: ['m'],
  llmMonthlyTokenLimit: 5000
}
const filled = (form: Partial<AccountForm>): AccountForm => ({ ...formOf(ada), ...form })

test('an account that nobody has changed comes back as it was', () => {
  assert.equal(accountOf(formOf(ada)), ada)
  assert.equal(changesOf(ada, accountOf(formOf(ada))), {})
})

test('only what is different is sent, and the order within a list is no difference', () => {
  const form = filled({ name: ' Ada L. ', collectionAccess: { is: 'some', ids: ['two', 'one'] }, llmAccess: true })
  assert.equal(changesOf(ada, accountOf(form)), { name: 'Ada L.', llmAccess: true })
})

test('who becomes an administrator has no lists', () => {
  const { exactRole, collectionAccess, environmentAccess, llmModels, llmMonthlyTokenLimit } = accountOf(
    filled({ exactRole: 'admin' })
  )
  assert.equal(
    [exactRole, collectionAccess, environmentAccess, llmModels, llmMonthlyTokenLimit],
    ['admin', [], [], [], null]
  )
})

test('a limit may be written with separators, and empty is none', () => {
  for (const [typed, limit] of [
    ['100,000', 100_000],
    ['100 000', 100_000],
    [' 1.000.000 ', 1_000_000],
    ['12,34,567', 1_234_567],
    ['0', 0],
    ['', null]
  ] as const) {
    const form = filled({ llmAccess: true, llmMonthlyTokenLimit: typed })
    assert.equal([faultsOf(form), accountOf(form).llmMonthlyTokenLimit], [{}, limit])
  }
})

test('what is no limit is told, unless nobody asks for it', () => {
  for (const typed of ['many', '-1', '1e9', '12345678901234567890', '1.5', '2500,50', '1,00']) {
    assert.ok(faultsOf(filled({ llmAccess: true, llmMonthlyTokenLimit: typed })).limit)
    assert.not.ok(faultsOf(filled({ llmAccess: false, llmMonthlyTokenLimit: typed })).limit)
  }
})

test('an account needs a name', () => {
  assert.ok(faultsOf(EMPTY_FORM).name)
  assert.not.ok(faultsOf({ ...EMPTY_FORM, name: 'Ada' }).name)
})

test.run()

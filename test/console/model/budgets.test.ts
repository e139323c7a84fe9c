import * as assert from 'uvu/assert'
import {
  budgetBodyOf,
  budgetFaults,
  budgetFormOf,
  EMPTY_BUDGET,
  heldInWords,
  limitIn,
  nearnessOfBudget,
  tokenChoices,
  usedInWords
} from '../../../clients/console/src/model/budgets.js'
import { suite } from '../../support/suite.js'

const test = suite('budgets of models as they are filled in and told')

test('amounts are read with separators between thousands, and nothing else is guessed', () => {
  for (const [typed, tokens] of [
    ['5000', 5000],
    ['1,000,000', 1_000_000],
    [' 2 000 ', 2000],
    ['2.5', undefined],
    ['1.000', undefined],
    ['1,00', undefined],
    ['0', undefined],
    ['-3', undefined],
    ['', undefined]
  ] as const)
    assert.is(limitIn(typed, 'tokens'), tokens, typed)
  for (const [typed, dollars] of [
    ['12.50', 12.5],
    ['$12.50', 12.5],
    ['1,250.5', 1250.5],
    ['12,50', undefined],
    ['1e3', undefined],
    ['12.5.0', undefined]
  ] as const)
    assert.is(limitIn(typed, 'usd'), dollars, typed)
})

test('what is used is told in the unit of the budget, and the word for it from 80 percent on', () => {
  assert.is(usedInWords({ unit: 'usd', used: 12.5, limit: 50 }), '$12.50 of $50.00')
  assert.is(usedInWords({ unit: 'tokens', used: 1200, limit: 5000 }), '1,200 of 5,000 tokens')
  assert.is(heldInWords({ unit: 'tokens', held: 0 }), null)
  assert.is(heldInWords({ unit: 'usd', held: 2 }), '$2.00 held by calls on their way')
  assert.equal(
    [79, 80, 99, 100, 120].map((used) => nearnessOfBudget({ used, limit: 100 })),
    ['free', 'near', 'near', 'over', 'over']
  )
})

test('a form is sent when nothing is wrong with it, and of the whole hub nobody is named', () => {
  assert.equal(Object.keys(budgetFaults(EMPTY_BUDGET)), ['name', 'limit'])
  const form = { ...EMPTY_BUDGET, name: ' Payments ', subject: 'group', limit: '12.50', unit: 'usd' } as const
  assert.is(budgetBodyOf(form), undefined)
  const body = {
    name: 'Payments',
    subject: 'group',
    subjectId: 'g',
    model: null,
    unit: 'usd',
    period: 'month'
  } as const
  assert.equal(budgetBodyOf({ ...form, subjectId: 'g' }), { ...body, limit: 12.5 })
  assert.is(budgetBodyOf({ ...form, subject: 'hub', subjectId: 'g' })?.subjectId, null)
  const told = { ...body, limit: 0.25, id: 'b', used: 0, held: 0, endsAt: '', createdAt: '', updatedAt: '' }
  assert.equal(budgetBodyOf(budgetFormOf(told)), { ...body, limit: 0.25 })
})

test('tokens are offered that are in force and whose owner uses models', () => {
  const token = (id: string, userId: string, revokedAt: string | null = null) => ({ id, name: id, userId, revokedAt })
  const owners = [
    { id: 'ada', name: 'Ada', exactRole: 'user' },
    { id: 'gus', name: 'Gus', exactRole: 'admin' },
    { id: 'eve', name: 'Eve', exactRole: 'auditor' }
  ] as const
  const tokens = [
    token('laptop', 'ada'),
    token('old', 'ada', '2026-01-01'),
    token('desk', 'gus'),
    token('audit', 'eve'),
    token('lost', 'nobody')
  ]
  assert.equal(tokenChoices(tokens, owners), [{ id: 'laptop', name: 'laptop (Ada)' }])
})

test.run()

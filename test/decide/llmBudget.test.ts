import * as assert from 'uvu/assert'
import { z } from 'zod'
import { amountOf, tokensWithin } from '../../commands/llm/budget/amounts.js'
import { type Budget, emitBudget } from '../../commands/llm/budget/events.js'
import { periodAt, periodEnd } from '../../commands/llm/budget/period.js'
import type { Continuation } from '../../commands/llm/decide.js'
import { emitLlm, type LlmStep } from '../../commands/llm/events.js'
import { emitGroup } from '../../commands/people/group/events.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given, NOW } from './given.js'
import { ada, anAccount, ops, someone } from './people.js'

const test = suite('budgets of models')

const admin = { by: ops }
const caller = someone({ llmAccess: true, llmModels: ['*'] })
const by = { by: caller }
const sam = emitUser('sam', 'UserCreated', anAccount('Sam'))
const DAY = NOW.slice(0, 10)
const END = '2026-03-05T00:00:00.000Z'
const LATER = '2026-03-04T05:07:07.089Z'
const price = { input: 2, output: 10 }

const all: Budget = {
  ...{ name: 'All', subject: 'hub', subjectId: null, model: null, unit: 'tokens', period: 'day', limit: 1000 }
}
const made = (over: Partial<Budget> = {}, id = 'all') => emitBudget(id, 'LlmBudgetCreated', { ...all, ...over })
const create = (over: Partial<Budget> = {}) =>
  ({ type: 'CreateLlmBudget', id: 'new', budget: { ...all, name: 'New', ...over } }) as const
const reserve = (tokens: number, atLeast = tokens, models: readonly string[] = ['m']) =>
  ({
    ...({ type: 'ReserveLlmTurn', id: 'call', models, tokens, input: 100, price, atLeast } as const),
    ...{ expiresAt: LATER, chat: null }
  }) as const
const reservedByChat = (id: string, amount: number, held: number, more: { expiresAt?: string; isMost?: true } = {}) =>
  emitLlm(id, 'LlmTurnReserved', {
    ...{ userId: 'sam', period: NOW.slice(0, 7), tokens: amount, expiresAt: LATER, ...more },
    budgets: [{ id: 'all', amount, held }]
  })
const reserved = (id: string, amount: number, held: number, expiresAt = LATER) =>
  reservedByChat(id, amount, held, { expiresAt, isMost: true })
/** The month with so many tokens of lost calls. */
const month = (tokens: number) => ({
  ...{ userId: 'sam', period: NOW.slice(0, 7), promptTokens: 0, completionTokens: 0 },
  ...{ totalTokens: tokens, unloggedTokens: tokens }
})
const step: LlmStep = {
  ...{ userId: 'sam', tokenId: null, model: 'm', provider: 'openai', isNewTurn: true, hadToolCalls: false },
  ...{ messageCount: 1, outcome: 'completed', estimated: false, period: NOW.slice(0, 7) },
  ...{ promptTokens: 0, completionTokens: 0, totalTokens: 0 }
}
const { period: _, ...stepWithoutPeriod } = step
const record = (promptTokens: number, completionTokens: number, budgets: readonly string[] = ['all']) =>
  ({
    ...({ type: 'RecordLlmStep', id: 'call', budgets, price } as const),
    step: { ...stepWithoutPeriod, promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
  }) as const
const ADMINISTRATOR = 'Forbidden'
const HELD = 'What is left of the budget "All" is held while other calls are still running. Try again in a moment.'
const TOO_LARGE = `This call may use more than is left of the budget "All" until ${END}. Ask for a shorter answer, send less, or contact your administrator.`
const MONTH = 'Monthly LLM token limit reached. Try again next month or contact your administrator.'

const there = given(made())

test('only an administrator makes, changes and deletes them', async () => {
  await atFirst.when(create(), { by: ada }).refused(ADMINISTRATOR, 403)
  await there
    .when({ type: 'UpdateLlmBudget', id: 'all', changes: { limit: 5 } }, { by: ada })
    .refused(ADMINISTRATOR, 403)
  await there.when({ type: 'DeleteLlmBudget', id: 'all' }, { by: ada }).refused(ADMINISTRATOR, 403)
})

test('one is made of what is there, under a name of its own', async () => {
  await atFirst.when(create(), admin).then(emitBudget('new', 'LlmBudgetCreated', create().budget))
  await there.when(create({ name: ' ALL ' }), admin).refused('A budget is called " ALL " already.', 400)
  await atFirst
    .when(create({ subject: 'group' }), admin)
    .refused('subjectId: Give the id of the account, the group or the token; null for all of the hub.', 400)
  await atFirst
    .when(create({ subject: 'user', subjectId: 'nobody' }), admin)
    .refused('subjectId: There is no user with this id.', 400)
  await atFirst
    .when(create({ model: 'unknown' }), { ...admin, models: ['m'] })
    .refused('Unknown LLM model id: unknown.', 400)
})

test('its name and limit are changed, and what it counts never is', async () => {
  const change = { type: 'UpdateLlmBudget', id: 'all', changes: { limit: 2000 } } as const
  await there.when(change, admin).then(emitBudget('all', 'LlmBudgetUpdated', { ...all, limit: 2000 }))
  await there.when({ ...change, changes: { limit: 1000, name: 'All' } }, admin).nothing()
})

test('a limit is a whole number of tokens, or a millionth of a dollar at least, also where it is changed', async () => {
  const change = (limit: number) => ({ type: 'UpdateLlmBudget', id: 'all', changes: { limit } }) as const
  const tokens = 'limit must be a whole number of tokens.'
  const dollars = 'limit must be at least a millionth of a dollar.'
  await atFirst.when(create({ limit: 1.5 }), admin).refused(tokens, 400)
  await there.when(change(1.5), admin).refused(tokens, 400)
  await given(made({ unit: 'usd' }))
    .when(change(1e-7), admin)
    .refused(dollars, 400)
  await given(made({ unit: 'usd', limit: 1 }))
    .when(change(1.5), admin)
    .then(emitBudget('all', 'LlmBudgetUpdated', { ...all, unit: 'usd', limit: 1.5 }))
})

test('a call holds what it can use at most, of each budget that counts it', () =>
  given(sam, made(), made({ name: 'Cents', unit: 'usd', limit: 0.01 }, 'cents'))
    .when(reserve(600), by)
    .then(
      emitLlm('call', 'LlmTurnReserved', {
        ...{ userId: 'sam', period: NOW.slice(0, 7), tokens: 600, expiresAt: LATER, isMost: true },
        budgets: [
          { id: 'all', amount: 600, held: 600 },
          { id: 'cents', amount: 5200, held: 5200 }
        ]
      })
    ))

test('a call that says no bound gets what is left of the smallest', () =>
  given(sam, made({ limit: 900 }), made({ name: 'Cents', unit: 'usd', limit: 0.003 }, 'cents'))
    .when(reserve(5000, 200), by)
    .events(([event]) => {
      // A hundred are read for 200 millionths, and 280 written for the other 2,800.
      const { tokens } = z.object({ tokens: z.number() }).parse(event?.data)
      assert.is(tokens, 380)
    }))

/** What a desktop's chat asks for. */
const chat = (tokens: number, continues: Continuation | null = null) => ({ ...reserve(tokens), chat: { continues } })
const held = (amount: number, ...others: readonly { id: string; amount: number; held: number }[]) =>
  emitLlm('call', 'LlmTurnExtended', {
    ...{ tokens: amount, expiresAt: LATER },
    budgets: [{ id: 'all', amount, held: amount }, ...others]
  })

test('a step of a chat that asks on holds what it asks for now in place of what it held', async () => {
  await given(sam, made(), reserved('call', 300, 300))
    .when(chat(900), by)
    .then(held(900))
  await given(sam, made(), reserved('call', 300, 300), reserved('other', 200, 500))
    .when(chat(900), by)
    .refused(HELD, 429)
  // What it held of a budget that does not count it any more is given back.
  const both = [
    { id: 'all', amount: 300, held: 300 },
    { id: 'other', amount: 300, held: 300 }
  ]
  const before = { userId: 'sam', period: NOW.slice(0, 7), tokens: 300, expiresAt: LATER }
  await given(
    ...[sam, made(), made({ name: 'Other', model: 'n' }, 'other')],
    emitLlm('call', 'LlmTurnReserved', { ...before, budgets: both })
  )
    .when(chat(900), by)
    .then(held(900, { id: 'other', amount: 0, held: 0 }))
})

test('a step of a chat that asks on holds nothing where nothing counts it any more', async () => {
  const gone = emitBudget('all', 'LlmBudgetDeleted', {})
  await given(sam, made(), reserved('call', 300, 300), gone)
    .when(chat(900), by)
    .then(emitLlm('call', 'LlmTurnReleased', {}))
})

test('a chat goes on with nothing left of the month, and never with less left of a budget than it can use', async () => {
  const usage = { promptTokens: 1, completionTokens: 999, totalTokens: 1000, unloggedTokens: 0 }
  const begun = emitLlm('before', 'LlmStepRecorded', {
    ...{ ...step, promptTokens: 1, completionTokens: 999, totalTokens: 1000, usage },
    ...{ isNewTurn: true, hadToolCalls: true, calls: ['asked'] }
  })
  const goesOn = { since: '2026-03-01T00:00:00.000Z', answers: 'asked' }
  const limited = { by: { ...caller, llmMonthlyTokenLimit: 1000 } }
  await given(sam, begun).when(chat(400, goesOn), limited).nothing()
  await given(sam, made(), begun)
    .when(chat(400, goesOn), limited)
    .then(reservedByChat('call', 400, 400))
  await given(sam, made(), begun).when(chat(400), limited).refused(MONTH, 402)
  await given(sam, made(), begun).when(chat(1001, goesOn), limited).refused(TOO_LARGE, 402)
  await given(sam, made(), begun).when(reserve(400), limited).refused(MONTH, 402)
})

test('what is used and what is held is refused to others, with when it ends and whether it may work in a moment', async () => {
  const used = (period: string) =>
    emitLlm('before', 'LlmStepRecorded', {
      ...{ ...step, promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3, unloggedTokens: 0 },
      budgets: [{ id: 'all', held: 0, used: 1000, period }]
    })
  await given(sam, made(), used(DAY))
    .when(reserve(10), by)
    .refused(`The budget "All" is used up until ${END}. Try again then, or contact your administrator.`, 402)
  await given(sam, made()).when(reserve(1001), by).refused(TOO_LARGE, 402)
  await given(sam, made(), reserved('one', 995, 995))
    .when(reserve(10), by)
    .refused(HELD, 429)
  // Of the day before, nothing is left.
  await given(sam, made(), used('2026-03-03'))
    .when(reserve(10), by)
    .events((events) => assert.is(events.length, 1))
})

test('what is held by calls that nobody speaks for counts as used, since it may have been', async () => {
  const expired = (used: number) =>
    emitLlm('lost', 'LlmTurnExpired', {
      budgets: [{ id: 'all', held: 0, used, period: DAY, amount: used }],
      month: month(used)
    })
  await given(sam, made(), reserved('lost', 700, 700, NOW))
    .when(reserve(300), by)
    .then(expired(700), reserved('call', 300, 300))
  await given(sam, made(), reserved('lost', 850, 850, NOW))
    .when(reserve(100), by)
    .then(
      expired(850),
      emitBudget('all', 'LlmBudgetWarned', {
        name: 'All',
        unit: 'tokens',
        period: DAY,
        percent: 80,
        used: 850,
        limit: 1000
      }),
      reserved('call', 100, 100)
    )
  await given(sam, made(), reserved('lost', 995, 995, NOW))
    .when(reserve(100), by)
    .refused(TOO_LARGE, 402)
  // Of the day before, it is given back.
  await given(sam, made(), reserved('lost', 995, 995, '2026-03-03T23:59:00.000Z'))
    .when(reserve(1000), by)
    .then(
      emitLlm('lost', 'LlmTurnExpired', { budgets: [{ id: 'all', held: 0 }], month: month(995) }),
      reserved('call', 1000, 1000)
    )
})

test('a call that ends when what it held counts as used is recorded, and not counted once more', async () => {
  const budgets = [{ id: 'all', held: 0, used: 700, period: DAY, amount: 700 }]
  const settled = { ...record(200, 100), held: true } as const
  const tokens = { promptTokens: 200, completionTokens: 100 }
  const call = { ...settled.step, interface: 'embeddings' } as const
  await given(
    sam,
    made(),
    reserved('call', 700, 700),
    emitLlm('call', 'LlmTurnExpired', { budgets, month: month(700) })
  )
    .when({ ...settled, step: call }, admin)
    .then(
      emitLlm('call', 'LlmStepRecorded', {
        ...{ ...call, period: step.period },
        usage: { ...tokens, totalTokens: 700, unloggedTokens: 400 }
      })
    )
  // What a chat held is no use of its month.
  await given(sam, made(), reservedByChat('call', 700, 700), emitLlm('call', 'LlmTurnExpired', { budgets }))
    .when(settled, admin)
    .then(
      emitLlm('call', 'LlmStepRecorded', {
        ...{ ...settled.step, period: step.period },
        usage: { ...tokens, totalTokens: 300, unloggedTokens: 0 }
      })
    )
})

test('a call is counted by budgets of its account, its groups, its token and its model, and by no others', async () => {
  const group = emitGroup('payments', 'GroupCreated', { ...anAccount('Payments'), grants: [], externalId: null })
  const member = emitUser('sam', 'MembershipsChanged', {
    groups: [{ id: 'payments', by: 'administrator', rule: null }]
  })
  const of = (subject: Budget['subject'], subjectId: string | null, model: string | null = null) =>
    made({ name: `${subject} ${subjectId} ${model}`, subject, subjectId, model }, `${subject}-${subjectId}-${model}`)
  await given(
    ...[sam, group, member, of('user', 'sam'), of('user', 'ada'), of('group', 'payments'), of('group', 'others')],
    ...[of('token', 'token-of-sam'), of('token', 'another'), of('hub', null, 'm'), of('hub', null, 'n')]
  )
    .when(reserve(10), by)
    .events(([event]) => {
      const { budgets } = z.object({ budgets: z.array(z.object({ id: z.string() })) }).parse(event?.data)
      const ids = budgets.map(({ id }) => id).toSorted()
      assert.equal(ids, ['group-payments-null', 'hub-null-m', 'token-token-of-sam-null', 'user-sam-null'])
    })
})

test('a model without a price is refused where a budget is in dollars', () =>
  given(sam, made({ unit: 'usd' }))
    .when({ ...reserve(10), price: null }, by)
    .refused(
      'The budget "All" is in US dollars, and not each of these models has a price: m. An administrator sets it in llm.catalog.',
      403
    ))

test('what a call has used counts in place of what it held, and 80 and 100 percent are told of once', async () => {
  const counted = (used: number) => ({ budgets: [{ id: 'all', held: 0, used, period: DAY, amount: used }] })
  const warned = (percent: number, used: number) =>
    emitBudget('all', 'LlmBudgetWarned', { name: 'All', unit: 'tokens', period: DAY, percent, used, limit: 1000 })
  const recorded = (prompt: number, completion: number, used: number, before = 0) => {
    const counts = { promptTokens: prompt, completionTokens: completion, totalTokens: prompt + completion }
    const usage = {
      ...{ promptTokens: prompt + before, completionTokens: completion, totalTokens: prompt + completion + before },
      unloggedTokens: 0
    }
    return emitLlm('call', 'LlmStepRecorded', { ...step, ...counts, usage, ...counted(used) })
  }
  const past = given(sam, made(), reserved('call', 1000, 1000))
  await past.when(record(100, 600), admin).then(recorded(100, 600, 700))
  await past.when(record(100, 700), admin).then(recorded(100, 700, 800), warned(80, 800))
  await past.when(record(100, 900), admin).then(recorded(100, 900, 1000), warned(100, 1000))
  const first = recorded(800, 0, 800)
  await given(sam, made(), first)
    .when({ ...record(100, 0), id: 'next' }, admin)
    .events((events) =>
      assert.equal(
        events.map(({ type }) => type),
        ['LlmStepRecorded']
      )
    )
})

test('a call that used nothing gives back what it held', () =>
  given(sam, made(), reserved('call', 10, 10))
    .when({ type: 'ReleaseLlmTurn', id: 'call' }, admin)
    .then(emitLlm('call', 'LlmTurnReleased', { budgets: [{ id: 'all', held: 0 }] })))

test('a budget that is deleted while a call is on its way is not counted any more', () =>
  given(sam, made(), reserved('call', 10, 10), emitBudget('all', 'LlmBudgetDeleted', {}))
    .when(record(5, 5), admin)
    .events(([event]) => assert.is(JSON.stringify(event?.data).includes('budgets'), false)))

test('days, weeks from Monday on and months begin at midnight, UTC', () => {
  const sunday = '2026-03-01T23:59:59.999Z'
  assert.equal(
    [periodAt('day', sunday), periodAt('week', sunday), periodAt('month', sunday)],
    ['2026-03-01', '2026-02-23', '2026-03']
  )
  assert.equal(
    [periodEnd('day', sunday), periodEnd('week', sunday), periodEnd('month', sunday)],
    ['2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z', '2026-04-01T00:00:00.000Z']
  )
  assert.equal(
    [periodAt('week', '2026-03-02T00:00:00.000Z'), periodEnd('week', '2026-03-02T00:00:00.000Z')],
    ['2026-03-02', '2026-03-09T00:00:00.000Z']
  )
  assert.is(periodEnd('month', '2026-12-31T12:00:00.000Z'), '2027-01-01T00:00:00.000Z')
})

test('so many tokens as fit into a sum never cost more than it', () => {
  const usd = { unit: 'usd' } as const
  for (const [input, output] of [
    [2, 10],
    [0, 10],
    [2, 0],
    [0, 0],
    [0.25, 1.5]
  ] as const)
    for (const left of [0, 1, 199, 200, 201, 3333])
      for (const read of [0, 1, 100]) {
        const tokens = tokensWithin(usd, { input, output }, read, left)
        if (tokens === Number.POSITIVE_INFINITY) continue
        const reads = Math.min(read, tokens)
        assert.ok(amountOf(usd, { input, output }, reads, tokens - reads) <= left, `${input} ${output} ${left} ${read}`)
      }
})

test('nothing fits into a budget that is used up, though what is read costs nothing', () => {
  for (const left of [0, -5]) assert.is(tokensWithin({ unit: 'usd' }, { input: 0, output: 10 }, 100, left), left)
})

test('what a call costs is counted in whole millionths of a dollar, and never as less', () => {
  assert.is(amountOf({ unit: 'usd' }, { input: 0.1, output: 0.2 }, 1, 1), 1)
  assert.is(amountOf({ unit: 'usd' }, { input: 2, output: 3 }, 1, 1), 5)
})

test('the budget of a token counts the one that takes its place too, and goes on with what is used of it', async () => {
  const of = { ...all, subject: 'token', subjectId: 't' } as const
  const created = {
    ...{ userId: 'sam', name: 'laptop', prefix: 'hbk_abc' },
    ...{ agentWrites: false, expiresAt: null, scopes: null }
  }
  const token = (id: string) => emitToken(id, 'TokenCreated', { ...created, hash: id })
  const rotate = (id: string, tokenId: string) =>
    ({ type: 'RotateToken', id, until: END, token: { tokenId, prefix: 'hbk_abc', hash: tokenId } }) as const
  const replaced = (id: string, by: string) => emitToken(id, 'TokenReplaced', { by, expiresAt: END })
  const moved = (to: string) => emitBudget('all', 'LlmBudgetUpdated', { ...of, subjectId: to })
  const there = [sam, token('t'), emitBudget('all', 'LlmBudgetCreated', of)]
  const once = [...there, reserved('before', 400, 400), token('t2'), replaced('t', 't2'), moved('t2')]
  await given(...there)
    .when(rotate('t', 't2'), admin)
    .then(token('t2'), replaced('t', 't2'), moved('t2'))
  for (const tokenId of ['t', 't2'])
    await given(...once)
      .when(reserve(700), { by: { ...caller, tokenId } })
      .refused(HELD, 429)
  const twice = [...once, token('t3'), replaced('t2', 't3'), moved('t3')]
  await given(...once)
    .when(rotate('t2', 't3'), admin)
    .then(...twice.slice(once.length))
  for (const tokenId of ['t', 't2', 't3'])
    await given(...twice)
      .when(reserve(700), { by: { ...caller, tokenId } })
      .refused(HELD, 429)
  // Nothing would count the one before it otherwise.
  const newest = 'Another token has taken its place, and a budget counts that one: replace the newest of them.'
  await given(...once)
    .when(rotate('t', 't4'), admin)
    .refused(newest, 409)
  // With what was replaced goes nothing of it.
  await given(...once, emitToken('t', 'TokenDeleted', {}))
    .when(reserve(700), { by: { ...caller, tokenId: 't2' } })
    .refused(HELD, 429)
})

test('the budgets of the tokens of an account go with it', async () => {
  const created = { ...{ userId: 'sam', name: 'laptop', prefix: 'hbk_abc', hash: 'h' }, agentWrites: false }
  const token = emitToken('t', 'TokenCreated', { ...created, expiresAt: null, scopes: null })
  const of = emitBudget('own', 'LlmBudgetCreated', { ...all, name: 'Laptop', subject: 'token', subjectId: 't' })
  await given(sam, token, of, made())
    .when({ type: 'DeleteUser', id: 'sam' }, admin)
    .then(emitBudget('own', 'LlmBudgetDeleted', {}), emitUser('sam', 'UserDeleted', {}))
})

test.run()

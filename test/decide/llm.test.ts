import { emitLlm, type LlmStep, type TurnLinks } from '../../commands/llm/events.js'
import { emitImported } from '../../commands/takeover/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given, NOW } from './given.js'
import { ada, anAccount, ops } from './people.js'

const test = suite('deciding on chat steps')

const REFUSED = 'Monthly LLM token limit reached. Try again next month or contact your administrator.'
const HELD =
  'What is left of this month’s LLM tokens is held while another chat of yours is still running. Try again in a moment.'
const limited = { ...ada, ...anAccount('Ada', { llmAccess: true, llmMonthlyTokenLimit: 10 }) }
const HOUR_MS = 3_600_000
const later = (by_ms: number) => new Date(Date.parse(NOW) + by_ms).toISOString()

const counts = (times: number) => ({ promptTokens: 7 * times, completionTokens: 3 * times, totalTokens: 10 * times })
/** A step of Ada's token that uses up the month; a turn that ended in calls of tools. */
const aStep: LlmStep = {
  userId: ada.userId,
  tokenId: ada.tokenId,
  period: NOW.slice(0, 7),
  model: 'gpt-6.1-sol',
  provider: 'openai',
  ...counts(1),
  isNewTurn: true,
  hadToolCalls: true,
  messageCount: 1,
  outcome: 'completed',
  estimated: false
}
/** That step, as so many of its kind of the month. */
const step = (over: Partial<LlmStep & TurnLinks> = {}, id = 'turn', times = 1) =>
  emitLlm(id, 'LlmStepRecorded', {
    ...aStep,
    usage: { ...counts(times), unloggedTokens: 0 },
    calls: ['asked'],
    ...over
  })
/** Of the month of `NOW`, unless it is over before. */
const reserved = (id: string, tokens: number, expiresAt = later(HOUR_MS)) =>
  emitLlm(id, 'LlmTurnReserved', { userId: ada.userId, period: NOW.slice(0, 7), tokens, expiresAt })
/** A step that goes on with a turn of so late, and answers this call; null for a new turn. */
const reserve = (since: string | null = later(-HOUR_MS), answers: string | null = 'asked') =>
  ({
    type: 'ReserveLlmTurn',
    id: 'next',
    ...{ models: ['model'], tokens: 5, input: 3, atLeast: 1, price: null },
    expiresAt: later(2 * HOUR_MS),
    chat: { continues: since === null ? null : { since, answers } }
  }) as const

const used = given(step())

test('a step that goes on with a turn is admitted at the limit, and reserves nothing', () =>
  used.when(reserve(), { by: limited }).nothing())

test('a new turn is not', () => used.when(reserve(null), { by: limited }).refused(REFUSED, 402))

test('a turn goes on with any token of its account', () =>
  given(step({ tokenId: 'another' }))
    .when(reserve(), { by: limited })
    .nothing())

test('a turn goes on while others hold all that is left', () =>
  given(step({ ...counts(0) }, 'turn', 0), reserved('one', 10))
    .when(reserve(), { by: limited })
    .nothing())

test('the turn may be as old as the step says, and no older', async () => {
  await used.when(reserve(NOW), { by: limited }).nothing()
  await used.when(reserve(later(1)), { by: limited }).refused(REFUSED, 402)
})

for (const [what, over] of Object.entries({
  'that called something else': { calls: ['other'] },
  'that called no tool': { hadToolCalls: false, calls: [] },
  'that was no new turn itself': { isNewTurn: false },
  'of another account': { userId: 'bob' }
})) {
  test(`a step ${what} is none that another could go on with`, () =>
    given(step({ tokenId: null, isNewTurn: false }, 'before'), step(over))
      .when(reserve(), { by: limited })
      .refused(REFUSED, 402))
}

test('a step that does not say which call it answers goes on with no turn', () =>
  used.when(reserve(NOW, null), { by: limited }).refused(REFUSED, 402))

test('a turn goes on from step to step, between as many of other turns as an account may have', () => {
  const others = Array.from({ length: 490 }, (_, at) => step({ calls: [`other-${at}`] }, `step-${at}`))
  const next = step({ isNewTurn: false, answers: 'asked', calls: ['asked next'] }, 'b-step')
  return given(step({}, 'a-turn'), next, ...others)
    .when(reserve(NOW, 'asked next'), { by: limited })
    .nothing()
})

test('a turn that an older hub has begun goes on here, and from step to step', async () => {
  const imported = emitImported('before', 'LlmStepImported', { ...aStep, createdAt: NOW })
  const full = step({ isNewTurn: false, answers: 'unknown', calls: ['asked'] })
  await given(imported, full).when(reserve(NOW, 'asked'), { by: limited }).nothing()
  await given(imported, full).when(reserve(NOW, null), { by: limited }).nothing()
  await given(full).when(reserve(NOW, 'asked'), { by: limited }).refused(REFUSED, 402)
})

test('under the limit a made-up continuation is a new turn like any other', () =>
  atFirst.when(reserve(), { by: limited }).then(
    emitLlm('next', 'LlmTurnReserved', {
      userId: ada.userId,
      period: NOW.slice(0, 7),
      tokens: 5,
      expiresAt: later(2 * HOUR_MS)
    })
  ))

test('an account without a limit is asked for no turn', () =>
  atFirst.when(reserve(), { by: { ...limited, llmMonthlyTokenLimit: null } }).nothing())

const admin = { by: ops }

test('what is reserved counts like what is used, until it expires or is released', async () => {
  const past = given(reserved('one', 6), reserved('two', 4))
  await past.when(reserve(null), { by: limited }).refused(HELD, 429)
  await given(reserved('one', 6), reserved('two', 4), emitLlm('two', 'LlmTurnReleased', {}))
    .when(reserve(null), { by: limited })
    .then(reserved('next', 4, later(2 * HOUR_MS)))
  await past
    .when(reserve(null), { by: limited, now: later(HOUR_MS) })
    .then(
      emitLlm('one', 'LlmTurnExpired', {}),
      emitLlm('two', 'LlmTurnExpired', {}),
      reserved('next', 5, later(2 * HOUR_MS))
    )
})

test('what a call held that nobody speaks for counts as used of the month, since it may have been', async () => {
  const data = {
    userId: ada.userId,
    period: NOW.slice(0, 7),
    tokens: 3,
    expiresAt: later(HOUR_MS),
    isMost: true
  } as const
  const lost = ['one', 'two'].map((id) => emitLlm(id, 'LlmTurnReserved', data))
  const expired = (id: string, tokens: number) => {
    const used = { promptTokens: 0, completionTokens: 0, totalTokens: tokens, unloggedTokens: tokens }
    return emitLlm(id, 'LlmTurnExpired', { month: { userId: ada.userId, period: data.period, ...used } })
  }
  const at = { by: limited, now: later(HOUR_MS) }
  await given(...lost)
    .when(reserve(null), at)
    .then(expired('one', 3), expired('two', 6), reserved('next', 4, later(2 * HOUR_MS)))
  await given(...lost, reserved('three', 4, later(2 * HOUR_MS)))
    .when(reserve(null), at)
    .refused(HELD, 429)
})

const holding = given(reserved('one', 6))

test('a turn that finds less than it may use reserves what is left', () =>
  holding.when(reserve(null), { by: limited }).then(reserved('next', 4, later(2 * HOUR_MS))))

test('what is used up is refused as used up, whatever others have reserved', () =>
  given(step(), reserved('one', 6)).when(reserve(null), { by: limited }).refused(REFUSED, 402))

test('a turn that is still on its way holds its tokens for longer, and one that has ended does not', async () => {
  const extend = { type: 'ExtendLlmTurn', id: 'one', expiresAt: later(2 * HOUR_MS) } as const
  const extended = emitLlm('one', 'LlmTurnExtended', { expiresAt: later(2 * HOUR_MS) })
  const past = [reserved('one', 10)]
  await given(...past)
    .when(extend, admin)
    .then(extended)
  await given(...past, extended)
    .when(reserve(null), { by: limited, now: later(HOUR_MS) })
    .refused(HELD, 429)
  await given(...past, emitLlm('one', 'LlmTurnReleased', {}))
    .when(extend, admin)
    .nothing()
  await given(...past)
    .when(extend, { by: limited })
    .refused('Forbidden', 403)
})

test('a turn reserves at least one token', () =>
  atFirst.when({ ...reserve(null), tokens: 0 }, { by: limited }).then(reserved('next', 1, later(2 * HOUR_MS))))

test('an account without LLM access has no turn, and administrators neither', async () => {
  await atFirst.when(reserve(), { by: ada }).refused('Forbidden', 403)
  await atFirst.when(reserve(), admin).refused('Forbidden', 403)
})

test('a reservation is released once, by the hub and not by users', async () => {
  const release = { type: 'ReleaseLlmTurn', id: 'one' } as const
  await holding.when(release, admin).then(emitLlm('one', 'LlmTurnReleased', {}))
  await given(reserved('one', 6), emitLlm('one', 'LlmTurnReleased', {}))
    .when(release, admin)
    .nothing()
  await holding.when(release, { by: limited }).refused('Forbidden', 403)
})

test('a step is recorded with what the account has used this month, its own share included', async () => {
  const { period: _, ...data } = aStep
  const record = {
    type: 'RecordLlmStep' as const,
    id: 'turn',
    budgets: [],
    price: null,
    step: { ...data, calls: ['asked'] }
  }
  await atFirst.when(record, admin).then(step())
  await given(step({}, 'before'))
    .when(record, admin)
    .then(step({}, 'turn', 2))
  // Whoever had no answer asks again.
  await given(step()).when(record, admin).nothing()
  await atFirst.when(record, { by: limited }).refused('Forbidden', 403)
})

test.run()

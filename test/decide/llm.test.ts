import { emitLlm, type LlmStep } from '../../commands/llm/events.js'
import { suite } from '../support/suite.js'
import { given, NOW } from './given.js'
import { ada, anAccount, ops } from './people.js'

const test = suite('deciding on chat steps')

const REFUSED = 'Monthly LLM token limit reached. Try again next month or contact your administrator.'
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
const step = (over: Partial<LlmStep> = {}, id = 'turn', times = 1) =>
  emitLlm(id, 'LlmStepRecorded', { ...aStep, usage: { ...counts(times), unloggedTokens: 0 }, ...over })
const reserve = (since: string | null = later(-HOUR_MS)) =>
  ({ type: 'ReserveLlmTurn', id: 'next', tokens: 5, expiresAt: later(2 * HOUR_MS), since }) as const

test('a step that goes on with a turn of its token is admitted at the limit, and reserves nothing', () =>
  given(step()).when(reserve(), { by: limited }).nothing())

test('a new turn is not', () => given(step()).when(reserve(null), { by: limited }).refused(REFUSED, 402))

test('the turn may be as old as the step says, and no older', async () => {
  await given(step()).when(reserve(NOW), { by: limited }).nothing()
  await given(step())
    .when(reserve(later(1)), { by: limited })
    .refused(REFUSED, 402)
})

for (const [what, over] of Object.entries({
  'of another token': { tokenId: 'another' },
  'that called no tool': { hadToolCalls: false },
  'that was no new turn itself': { isNewTurn: false },
  'of another account': { userId: 'bob' }
})) {
  test(`a step ${what} is none that another could go on with`, () =>
    given(step({ tokenId: null, isNewTurn: false }, 'before'), step(over))
      .when(reserve(), { by: limited })
      .refused(REFUSED, 402))
}

test('steps behind the turn do not hide it, as many as a conversation may have', () => {
  const steps = Array.from({ length: 90 }, (_, at) => step({ isNewTurn: false }, `step-${at}`))
  return given(step({}, 'a-turn'), ...steps)
    .when(reserve(), { by: limited })
    .nothing()
})

test('under the limit a made-up continuation is a new turn like any other', () =>
  given()
    .when(reserve(), { by: limited })
    .then(
      emitLlm('next', 'LlmTurnReserved', {
        userId: ada.userId,
        period: NOW.slice(0, 7),
        tokens: 5,
        expiresAt: later(2 * HOUR_MS)
      })
    ))

test('an account without a limit is asked for no turn', () =>
  given()
    .when(reserve(), { by: { ...limited, llmMonthlyTokenLimit: null } })
    .nothing())

/** Of the month of `NOW`, unless it is over before. */
const reserved = (id: string, tokens: number, expiresAt = later(HOUR_MS)) =>
  emitLlm(id, 'LlmTurnReserved', { userId: ada.userId, period: NOW.slice(0, 7), tokens, expiresAt })
const admin = { by: ops }

test('what is reserved counts like what is used, until it expires or is released', async () => {
  const past = given(reserved('one', 6), reserved('two', 4))
  await past.when(reserve(null), { by: limited }).refused(REFUSED, 402)
  await given(reserved('one', 6), reserved('two', 4), emitLlm('two', 'LlmTurnReleased', {}))
    .when(reserve(null), { by: limited })
    .then(reserved('next', 5, later(2 * HOUR_MS)))
  await past
    .when(reserve(null), { by: limited, now: later(HOUR_MS) })
    .then(
      emitLlm('one', 'LlmTurnExpired', {}),
      emitLlm('two', 'LlmTurnExpired', {}),
      reserved('next', 5, later(2 * HOUR_MS))
    )
})

test('a turn reserves at least one token', () =>
  given()
    .when({ ...reserve(null), tokens: 0 }, { by: limited })
    .then(reserved('next', 1, later(2 * HOUR_MS))))

test('an account without LLM access has no turn, and administrators neither', async () => {
  await given().when(reserve(), { by: ada }).refused('Forbidden', 403)
  await given().when(reserve(), admin).refused('Forbidden', 403)
})

test('a reservation is released once, by the hub and not by users', async () => {
  const release = { type: 'ReleaseLlmTurn', id: 'one' } as const
  const past = given(reserved('one', 6))
  await past.when(release, admin).then(emitLlm('one', 'LlmTurnReleased', {}))
  await given(reserved('one', 6), emitLlm('one', 'LlmTurnReleased', {}))
    .when(release, admin)
    .nothing()
  await past.when(release, { by: limited }).refused('Forbidden', 403)
})

test('a step is recorded with what the account has used this month, its own share included', async () => {
  const { period: _, ...data } = aStep
  const record = { type: 'RecordLlmStep', id: 'turn', step: data } as const
  await given().when(record, admin).then(step())
  await given(step({}, 'before'))
    .when(record, admin)
    .then(step({}, 'turn', 2))
  await given().when(record, { by: limited }).refused('Forbidden', 403)
})

test.run()

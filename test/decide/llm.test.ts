import { emitLlm, type LlmStep } from '../../commands/llm/events.js'
import { suite } from '../support/suite.js'
import { given, NOW } from './given.js'
import { ada, anAccount } from './people.js'

const test = suite('deciding on chat steps')

const REFUSED = 'Monthly LLM token limit reached. Try again next month or contact your administrator.'
const limited = { ...ada, ...anAccount('Ada', { llmAccess: true, llmMonthlyTokenLimit: 10 }) }
const HOUR_MS = 3_600_000
const later = (by_ms: number) => new Date(Date.parse(NOW) + by_ms).toISOString()

/** A step of Ada's token that has used up the month; a turn that ended in calls of tools, unless told otherwise. */
function step(over: Partial<LlmStep> = {}, id = 'turn') {
  const used = { promptTokens: 7, completionTokens: 3, totalTokens: 10 }
  return emitLlm(id, 'LlmStepRecorded', {
    userId: ada.userId,
    tokenId: ada.tokenId,
    period: NOW.slice(0, 7),
    model: 'gpt-4o',
    provider: 'openai',
    ...used,
    isNewTurn: true,
    hadToolCalls: true,
    messageCount: 1,
    outcome: 'completed',
    estimated: false,
    usage: { ...used, unloggedTokens: 0 },
    ...over
  })
}
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

test.run()

import { mock } from 'node:test'
import * as assert from 'uvu/assert'
import type { LlmCommand } from '../../commands/llm/decide.js'
import { llmReservationsTable as table } from '../../commands/llm/table.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { admitStep } from '../../src/llm/chat.js'
import { ProviderFailure } from '../../src/llm/provider.js'
import { type ChatClient, Reservation } from '../../src/llm/reservation.js'
import { stepReply } from '../../src/llm/stepEvents.js'
import type { HubTools } from '../../src/llm/tools.js'
import { estimateUsage, NO_USAGE, TurnSizes } from '../../src/llm/usage.js'
import { anAccount } from '../decide/people.js'
import { newLedger } from '../history/log.js'
import { gate, settled } from '../log/faults.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { hubToolsOf, type Reply, scripted } from './fakes/scripted.js'
import { ask, never, rejection } from './support.js'

const test = suite('the admission of chat steps')

const model = { id: 'm', label: 'M', provider: 'openai' as const }

const other = { ...model, id: 'n', provider: 'claude' as const }

const YES = { content: 'Yes.' }

interface Waiting {
  readonly stepTimeoutSeconds?: number
  readonly left?: AbortSignal
  readonly answer?: Reply
  /** True where a budget counts each of the models. */
  readonly isBudgeted?: boolean
  /** What the model that stands in answers; without it there is none. */
  readonly standIn?: Reply
}

/** A client with a monthly limit, whose reservation waits for the door, and what its step sends. */
function waiting({ stepTimeoutSeconds = 5, left = never, answer = YES, standIn, isBudgeted = false }: Waiting = {}) {
  const door = gate()
  const provider = scripted(answer)
  const hubTools = hubToolsOf({})
  let prepared = 0
  const noting: HubTools = {
    offered: (...asked) => {
      prepared += 1
      return hubTools.offered(...asked)
    }
  }
  const commands: LlmCommand[] = []
  const client: ChatClient = {
    ...{ userId: 'u', tokenId: 't', isLimited: true, sent_bytes: 100, left, now: () => 0 },
    budgets: async (models) =>
      [model.id, other.id].flatMap((id) => (isBudgeted && models.includes(id) ? { id: `of-${id}`, model: id } : [])),
    reserve: async (command) => {
      commands.push(command)
      await door.passed
      return 5000
    },
    record: async (command) => {
      commands.push(command)
    }
  }
  const others = standIn ? [{ model: other, provider: scripted(standIn) }] : []
  const llm = {
    hubTools: noting,
    providers: () => [{ model, provider }, ...others],
    price: (id: string) => (id === other.id ? { input: 1, output: 9 } : { input: 2, output: 3 }),
    stepTimeoutSeconds,
    toolCallsPerStep: 64,
    turnSizes: new TurnSizes()
  }
  const step = admitStep(client, { llm, model }, ask())
  const reply = async () => stepReply(await (await step)(left))
  return { door, step, reply, prepared: () => prepared, commands, asked: provider.asked }
}

test('what the provider is sent is gathered while the reservation is on its way, and once', async () => {
  const { door, reply, prepared, asked } = waiting()
  await settled()
  assert.is(prepared(), 1)
  assert.is(asked.length, 0)
  door.open()
  assert.is((await reply()).content, 'Yes.')
  assert.is(prepared(), 1)
  assert.is(asked.length, 1)
})

test('what a step has reserved ends within a minute, however long the step may take', async () => {
  const { door, reply, commands } = waiting({ stepTimeoutSeconds: 3600 })
  door.open()
  await reply()
  const [reserved] = commands
  assert.ok(reserved?.type === 'ReserveLlmTurn')
  const until_ms = Date.parse(reserved.expiresAt)
  assert.ok(until_ms > 0 && until_ms <= 60_000, reserved.expiresAt)
})

test('a step that may be answered by another model is admitted at the dearest price, and counted by the model that answers', async () => {
  const answer = new ProviderFailure(503, 'OpenAI has too much to do.', NO_USAGE, { status: 429 })
  const { door, reply, commands } = waiting({ answer, standIn: YES, isBudgeted: true })
  door.open()
  assert.is((await reply()).content, 'Yes.')
  const [reserved, recorded] = commands
  assert.ok(reserved?.type === 'ReserveLlmTurn' && recorded?.type === 'RecordLlmStep')
  assert.equal([reserved.models, reserved.price], [['m', 'n'], { input: 2, output: 9 }])
  const { model: id, provider, attempts } = recorded.step
  assert.equal([id, provider, attempts], ['n', 'claude', 2])
  assert.equal([recorded.budgets, recorded.price], [['of-n'], { input: 1, output: 9 }])
})

test('a step that another model answers counts what was sent to the one that stayed silent', async () => {
  const silent = new ProviderFailure(504, 'OpenAI did not answer in time.', estimateUsage(400, 0), { status: null })
  const answered = waiting({ answer: silent, standIn: YES })
  answered.door.open()
  await answered.reply()
  const failed = waiting({ answer: silent, standIn: silent })
  failed.door.open()
  await rejection(failed.reply())
  const used = [answered, failed].map(({ commands }) => {
    const recorded = commands.at(-1)
    assert.ok(recorded?.type === 'RecordLlmStep')
    const { outcome, promptTokens, completionTokens, estimated } = recorded.step
    return [outcome, promptTokens, completionTokens, estimated]
  })
  assert.equal(used, [
    ['completed', 110, 5, true],
    ['failed', 200, 0, true]
  ])
})

test('a step that budgets count may write what is held of them, and one that they do not count whatever its provider lets it', async () => {
  const counted = waiting({ isBudgeted: true })
  counted.door.open()
  await counted.reply()
  const [reserved] = counted.commands
  assert.ok(reserved?.type === 'ReserveLlmTurn')
  assert.is(reserved.atLeast, reserved.input + 256)
  assert.is(counted.asked[0]?.mostOutput, 5000 - reserved.input)
  const other = waiting()
  other.door.open()
  await other.reply()
  assert.is(other.asked[0]?.mostOutput, undefined)
})

test('a step that is on its way says so again and again, until it has ended', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const leaving = new AbortController()
    const { door, step, reply, commands } = waiting({
      stepTimeoutSeconds: 3600,
      left: leaving.signal,
      answer: 'hang'
    })
    door.open()
    await step
    const refused = rejection(reply())
    mock.timers.tick(60_000)
    const extended = commands.filter(({ type }) => type === 'ExtendLlmTurn').length
    assert.ok(extended >= 2, `${extended}`)
    leaving.abort()
    await refused
    mock.timers.tick(600_000)
    assert.is(commands.filter(({ type }) => type === 'ExtendLlmTurn').length, extended)
    assert.is(commands.at(-1)?.type, 'ReleaseLlmTurn')
  } finally {
    mock.timers.reset()
  }
})

test('what counts as used once nobody speaks for it outlasts two minutes in which nothing can be written', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    for (const [chat, budgets] of [
      [null, []],
      [{ continues: null }, [{ id: 'budget', model: null }]]
    ] as const) {
      let [lasts_ms, extended] = [0, 0]
      const client: ChatClient = {
        ...{ userId: 'u', tokenId: 't', isLimited: true, sent_bytes: 100, left: never, now: () => 0 },
        budgets: async () => budgets,
        async reserve({ expiresAt, tokens }) {
          lasts_ms = Date.parse(expiresAt)
          return tokens
        },
        async record({ type }) {
          extended += Number(type === 'ExtendLlmTurn')
        }
      }
      const reservation = await Reservation.of(client, { models: ['m'], price: () => null, timeoutSeconds: 600, chat })
      await reservation.reserve({ input: 1, tokens: 2, atLeast: 1 })
      reservation.keep()
      let passed_ms = 0
      for (; extended === 0; passed_ms += 1000) mock.timers.tick(1000)
      assert.ok(lasts_ms - passed_ms >= 120_000, `${lasts_ms} ${passed_ms}`)
      await reservation.release()
    }
  } finally {
    mock.timers.reset()
  }
})

test('a step that asks on reserves anew where what it held is over', async () => {
  const ledger = await newLedger(openMemory())
  const account = anAccount('Eve', { llmAccess: true, llmModels: ['*'], llmMonthlyTokenLimit: 900 })
  await ledger.run(
    { type: 'CreateUser', id: 'u', account, token: { tokenId: 't', prefix: 'p', hash: 'h' } },
    systemOrigin
  )
  const client: ChatClient = {
    ...{ userId: 'u', tokenId: 't', isLimited: true, sent_bytes: 100, left: never, now: Date.now },
    budgets: async () => [],
    async reserve(command) {
      await ledger.run(command, { ...systemOrigin, tokenId: 't' })
      return (await ledger.readModel.get(table, command.id))?.tokens ?? 0
    },
    record: (command) => ledger.run(command, systemOrigin)
  }
  const asked = { models: ['m'], price: () => null, timeoutSeconds: 600, chat: { continues: null } }
  const reservation = await Reservation.of(client, asked)
  const tokens = { input: 1, tokens: 100, atLeast: 1 }
  await reservation.reserve(tokens)
  const [row] = await ledger.readModel.list(table, 'byUser', ['u'])
  await client.record({ type: 'ReleaseLlmTurn', id: row?.id ?? '' })
  assert.is(await reservation.reserve(tokens), 100)
  await ledger.close()
})

test.run()

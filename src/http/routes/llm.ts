import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { periodOf } from '../../../commands/llm/months.js'
import { tokensUsed } from '../../../queries/llm.js'
import { SPEND_BY, spendDays, spendOf } from '../../../queries/llmSpend.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { pricesOf } from '../../llm/catalog.js'
import { admitStep, streamStep } from '../../llm/chat.js'
import { stepBody, streamBody } from '../../llm/messages.js'
import type { Llm } from '../../llm/service.js'
import { spendText } from '../../llm/spendText.js'
import { stepReply } from '../../llm/stepEvents.js'
import { knownProvider } from '../../llm/targets.js'
import { openEventStream } from '../../net/sse.js'
import { BodyRoom, holding } from '../bodyRoom.js'
import {
  chatEvent,
  chatStep,
  models as modelsAnswer,
  monthlyUsage,
  spendLine,
  spendReport,
  spendTable
} from '../llmAnswers.js'
import { accessEnd } from '../logStream.js'
import { chosen, clientOf, configured, llmFor, mayAsk, mayUse, setBudgetHeaders } from '../modelClient.js'
import { json } from '../reply.js'
import { type RouteCall, routes } from '../route.js'

type StepCall<B extends z.ZodType> = RouteCall<undefined, z.infer<B>, undefined>

/** Models, usage and chat steps (section 4, LLM routes). */
export function llmRoutes(app: FastifyInstance): void {
  const route = routes(app, 'LLM')
  const steps = new BodyRoom(LIMITS.stepsHeld.max, 0)

  route('GET', '/llm/models', 'listModels', modelsAnswer, {
    summary: 'List the models that the caller may use',
    about:
      'Those that are configured, and that `llmModels` of the account names. Refused with 403 where the account is an administrator, or has no `llmAccess`. 503 where no models are configured.',
    refuses: [403],
    handle: async ({ hub, caller }) => modelList(llmFor(hub, caller), (id) => mayUse(caller, id))
  })

  route('GET', '/admin/llm/models', 'listModelsAsAdmin', modelsAnswer, {
    summary: 'List all models on offer',
    about: 'For the form of an account: users are refused with 403. 503 where no models are configured.',
    refuses: [403],
    handle: async ({ hub, caller }) => {
      const llm = configured(hub)
      if (caller.role !== 'admin') throw errors.forbidden()
      return modelList(llm, () => true)
    }
  })

  route('GET', '/llm/usage', 'getLlmUsage', monthlyUsage, {
    summary: 'Tell what the caller has used this month',
    about:
      'A month is one in UTC. Refused with 403 where the account is an administrator, or has no `llmAccess`. 503 where no models are configured.',
    refuses: [403],
    handle: async ({ hub, readModel, caller }) => {
      llmFor(hub, caller)
      const period = periodOf(new Date(hub.ledger.now()).toISOString())
      const totalTokens = await tokensUsed(readModel, caller.userId, period)
      return json({ period, totalTokens, limit: caller.llmMonthlyTokenLimit })
    }
  })

  const step = { refuses: [402, 403, 429, 502, 504], takes: 'content', takesKey: false } as const
  route('POST', '/llm/chat/step', 'runChatStep', chatStep, {
    summary: 'Let a model go on with a chat for one step',
    about:
      'Tools of the hub are run in the step; calls of tools of the client are answered, for it to run them and go on with the results in the next step. What is used counts against the limit of the account: once that is reached, a step that begins with a message of the user is refused with 402. Refused with 403 where the account may not use the model. 503 where no models are configured.',
    ...step,
    body: stepBody,
    handle: holding(steps, async (call: StepCall<typeof stepBody>) => {
      const model = chosen(call.hub, call.caller, call.body.model)
      await setBudgetHeaders(call)
      const client = clientOf(call)
      const run = await admitStep(client, model, call.body)
      call.request.letBodyGo()
      const over = new AbortController()
      const lost = accessEnd(call, mayAsk(call.body.model), over.signal)
      const answer = stepReply(await run(AbortSignal.any([client.left, lost])).finally(() => over.abort()))
      await setBudgetHeaders(call)
      return json(answer)
    })
  })

  const events = { 200: { 'text/event-stream': chatEvent } }
  route('POST', '/llm/chat/stream', 'streamChatStep', events, {
    summary: 'Let a model go on with a chat for one step, and stream what it says',
    about:
      'The same as `runChatStep`, told as it happens. What goes wrong once the stream has begun is told in it, as `turn.error`. A client that goes away ends the step. 503 where no models are configured.',
    ...step,
    body: streamBody,
    handle: holding(steps, async (call: StepCall<typeof streamBody>) => {
      const { turnId, stepIndex, ...request } = call.body
      const model = chosen(call.hub, call.caller, request.model)
      await setBudgetHeaders(call)
      const run = await admitStep(clientOf(call), model, request)
      call.request.letBodyGo()
      call.reply.hijack()
      const over = new AbortController()
      try {
        const stream = openEventStream(call.reply.raw)
        const lost = accessEnd(call, mayAsk(request.model), over.signal)
        const listener = { ...stream, left: AbortSignal.any([stream.left, lost]) }
        const outcome = await streamStep(listener, { turnId, stepIndex }, run)
        if (outcome.kind === 'failed' && outcome.cause && !app.outages.takes(outcome.cause))
          call.request.log.error({ err: outcome.cause }, 'chat step failed')
      } catch (err) {
        if (!app.outages.takes(err)) call.request.log.error({ err }, 'the usage of a chat step could not be recorded')
      } finally {
        over.abort()
      }
      return null
    })
  })
}

function modelList(llm: Llm, passes: (id: string) => boolean) {
  const models = llm.models.flatMap((model) => {
    const [place] = passes(model.id) ? llm.targets(model) : []
    return place ? [{ id: model.id, label: model.label, provider: knownProvider(place) }] : []
  })
  return json({ models, capabilities: { openai: llm.hasOpenAi } })
}

const day = boundedText(LIMITS.label).optional()
const query = z.strictObject({
  by: z.enum(SPEND_BY).default('user').describe('What the use is told by.'),
  month: day.describe('A month, `YYYY-MM`, in place of `from` and `to`.'),
  from: day.describe('The first day, `YYYY-MM-DD`. Left out, it is `to`.'),
  to: day.describe('The last day, `YYYY-MM-DD`. Left out, it is today.')
})

/** What models were used for and what that cost: for administrators. */
export function adminLlmRoutes(app: FastifyInstance): void {
  const route = routes(app, 'LLM')

  const forms = {
    200: { 'application/json': spendReport, 'application/x-ndjson': spendLine, 'text/csv': spendTable }
  }
  route('GET', '/admin/llm/usage', 'getLlmSpending', forms, {
    summary: 'Tell what models were used for and what that cost',
    about:
      'Lines of JSON where `application/x-ndjson` is accepted, and CSV where `text/csv` is. By account, model or day, for a month, or for days from one to another; for this month where nothing is said. Prices are those that the configuration has now. Days are those in UTC.',
    query,
    handle: async ({ hub, readModel, request, query: { by, ...days } }) => {
      const today = new Date(hub.ledger.now()).toISOString().slice(0, 10)
      const report = await spendOf(readModel, by, spendDays(days, today), pricesOf(hub.config))
      const { accept = '' } = request.headers
      if (accept.includes('text/csv'))
        return { status: 200, body: Buffer.from(spendText(report, 'csv')), contentType: 'text/csv; charset=utf-8' }
      if (accept.includes('application/x-ndjson'))
        return { status: 200, body: Buffer.from(spendText(report, 'ndjson')), contentType: 'application/x-ndjson' }
      return json(report)
    }
  })
}

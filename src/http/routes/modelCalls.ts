import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { CatalogModel } from '../../config/types.js'
import { errors } from '../../errors.js'
import { boundedText, freeObject, LIMITS } from '../../limits.js'
import { callModel, countedTokens, type ModelAnswer, type ModelCall } from '../../llm/gateway/call.js'
import {
  chatCompletions,
  countTokens,
  type Endpoint,
  embeddings,
  messages,
  responses
} from '../../llm/gateway/endpoint.js'
import { translationOf } from '../../llm/gateway/translate/translation.js'
import { Underway } from '../../llm/gateway/underway.js'
import { CallAborted } from '../../llm/provider.js'
import type { Target, Wire } from '../../llm/targets.js'
import { openEventStream } from '../../net/sse.js'
import { BodyRoom, holding } from '../bodyRoom.js'
import { accessEnd } from '../logStream.js'
import { chosen, clientOf, llmFor, mayAsk, mayUse, setBudgetHeaders } from '../modelClient.js'
import { ANTHROPIC, asksAsAnthropic, EITHER, OPENAI } from '../modelDialects.js'
import { named } from '../openapi/names.js'
import { parse } from '../parse.js'
import { json } from '../reply.js'
import { type RouteCall, routes } from '../route.js'

const body = freeObject('The body must be a JSON object, as the interface has it.')
const answer = named('ModelAnswer', 'What a model answers, as its provider has it.', freeObject('An answer.'))
const event = named('ModelEvent', 'An event of a streamed answer, as the provider has it.', freeObject('An event.'))
const asked = z.looseObject({ model: boundedText(LIMITS.modelId).min(1), stream: z.boolean().nullish() })
/** What of the headers of a client goes along to a provider of the same interface. */
const PASSED = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const

type Call = RouteCall<undefined, z.infer<typeof body>, undefined>

/** The interfaces that other programs ask models in: OpenAI's and Anthropic's. */
export function modelCallRoutes(app: FastifyInstance): void {
  const route = routes(app, 'LLM')
  const bodies = new BodyRoom(LIMITS.stepsHeld.max, 0)
  const underway = new Underway()

  route('GET', '/v1/models', 'listModelsOfInterfaces', answer, {
    summary: 'List models, as programs ask for them',
    about:
      'In the form of OpenAI, or with `anthropic-version` in that of Anthropic: those that the account may use. 503 where no models are configured.',
    refuses: [403],
    takesApiKey: true,
    speaks: EITHER,
    handle: async ({ hub, caller, request }) => {
      const llm = llmFor(hub, caller)
      const models = llm.models.filter(({ id }) => mayUse(caller, id))
      return json(asksAsAnthropic(request) ? anthropicList(models) : openAiList(models))
    }
  })

  route('GET', '/v1/models/:id', 'getModelOfInterfaces', answer, {
    summary: 'Get a model, as programs ask for it',
    about:
      'In the form of OpenAI, or with `anthropic-version` in that of Anthropic. 404 for one that the account may not use. 503 where no models are configured.',
    params: z.object({ id: asked.shape.model.describe('The id of the model.') }),
    refuses: [403, 404],
    takesApiKey: true,
    speaks: EITHER,
    handle: async ({ hub, caller, params, request }) => {
      const llm = llmFor(hub, caller)
      const model = llm.models.find(({ id }) => id === params.id && mayUse(caller, id))
      if (!model) throw errors.modelNotFound()
      return json(asksAsAnthropic(request) ? anthropicModel(model) : openAiModel(model))
    }
  })

  /** Does the work of a call while it counts as one that is under way, for a client that may use the model for as long as it lasts. */
  const underWay = async <T>(call: Call, work: () => Promise<T>): Promise<T | null> => {
    const leave = underway.enter(call.caller.userId, call.hub.tenant.id)
    // It is held with those of other calls: a model may take minutes.
    call.request.letBodyGo()
    const over = new AbortController()
    const lost = accessEnd(call, mayAsk(String(call.body.model)), over.signal)
    // Also while the provider says nothing: it is asked no longer than the client is there.
    lost.addEventListener('abort', () => call.reply.raw.destroy(), { once: true })
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CallAborted)) throw error
      // Who has left is answered nothing.
      call.reply.hijack()
      call.reply.raw.destroy()
      return null
    } finally {
      over.abort()
      leave()
    }
  }

  const serve = (path: string, endpoint: Endpoint, operation: string, summary: string) => {
    const handle = async (call: Call) => {
      const target = askedFor(call, endpoint, path)
      await setBudgetHeaders(call)
      return underWay(call, async () => {
        const given = await callModel(clientOf(call), target, callOf(call, endpoint))
        return await answered(app, call, given)
      })
    }
    const answers = { 200: { 'application/json': answer, 'text/event-stream': event } }
    route('POST', path, operation, answers, {
      summary,
      about: `As the interface has it, plain or streamed, with a token of the hub as its key. What the call may use at most has to be left of the account's limit (402), and what it has used counts. Fields and events go through as they are. 503 where no models are configured. See docs/models.md.`,
      ...({ body, takes: 'content', takesKey: false, ignoresKey: true, takesApiKey: true } as const),
      refuses: [402, 403, 404, 429, 502, 504],
      speaks: endpoint.wire === 'openai' ? OPENAI : ANTHROPIC,
      handle: holding(bodies, handle)
    })
  }
  serve('/v1/chat/completions', chatCompletions, 'createChatCompletion', 'Ask a model as OpenAI has it')
  serve('/v1/responses', responses, 'createResponse', 'Ask a model for a response as OpenAI has it')
  serve('/v1/embeddings', embeddings, 'createEmbeddings', 'Turn texts into vectors as OpenAI has it')
  serve('/v1/messages', messages, 'createMessage', 'Ask a model as Anthropic has it')

  const path = '/v1/messages/count_tokens'
  const count = async (call: Call) => {
    const { llm, targets } = askedFor(call, countTokens, path)
    if (targets[0].wire !== countTokens.wire) throw errors.modelElsewhere(path)
    return underWay(call, async () => {
      const { status, bytes } = await countedTokens(clientOf(call), llm.keys, targets[0], callOf(call, countTokens))
      return { status, body: bytes }
    })
  }
  route('POST', path, 'countTokens', answer, {
    summary: 'Count the tokens of a call as Anthropic has it',
    about:
      'Asked of Anthropic, which takes nothing for it; 400 for models of others. 503 where no models are configured.',
    ...({ body, takes: 'content', takesKey: false, ignoresKey: true, takesApiKey: true } as const),
    refuses: [403, 404, 429, 502, 504],
    speaks: ANTHROPIC,
    handle: holding(bodies, count)
  })
}

/** The model that is asked for, and who is asked for it; 404 where there is none of that id, 400 where nobody is asked by this endpoint. */
function askedFor(call: Call, endpoint: Endpoint, path: string) {
  const { model: id } = parse(asked, call.body, 'body')
  const { llm, model } = chosen(call.hub, call.caller, id, errors.modelNotFound())
  const { translation } = callOf(call, endpoint)
  const isAsked = ({ wire }: Target) => wire === endpoint.wire || translation(wire) !== null
  const [first, ...others] = llm.targets(model)
  if (!first || !isAsked(first)) throw errors.modelElsewhere(path)
  return { llm, model, targets: [first, ...others.filter(isAsked)] as const }
}

function callOf({ body, hub, request: { headers } }: Call, endpoint: Endpoint): ModelCall {
  const passed = PASSED.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const translation = (wire: Wire) => translationOf(endpoint, wire, body, hub.ledger.now())
  const tool = headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, LIMITS.toolName.max) ?? null
  return { endpoint, body, headers: Object.fromEntries(passed), tool, translation }
}

/** Sends an answer; a stream as it comes. What goes wrong before anything of it can be sent is thrown, to be told as any refusal. */
async function answered(app: FastifyInstance, { reply, request }: Call, given: ModelAnswer) {
  if (given.kind === 'whole') return { status: given.status, body: given.bytes }
  const parts = given.parts()
  let next = await parts.next()
  reply.hijack()
  try {
    const stream = openEventStream(reply.raw, { bareType: given.contentType })
    for (; !next.done && !stream.left.aborted; next = await parts.next()) await stream.write(next.value)
    await stream.end([])
  } catch (err) {
    // The client learns by the end of the connection that the answer is not whole.
    reply.raw.destroy()
    if (!(err instanceof CallAborted || app.outages.takes(err)))
      request.log.warn({ err }, 'an answer of a model broke off')
  } finally {
    await parts.return(undefined)
  }
  return null
}

type Listed = Pick<CatalogModel, 'id' | 'label' | 'provider'>

function openAiList(models: readonly Listed[]) {
  return { object: 'list', data: models.map(openAiModel) }
}

function openAiModel({ id, provider }: Listed) {
  return { id, object: 'model', created: 0, owned_by: provider }
}

function anthropicList(models: readonly Listed[]) {
  const data = models.map(anthropicModel)
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}

function anthropicModel({ id, label }: Listed) {
  return { type: 'model', id, display_name: label, created_at: new Date(0).toISOString() }
}

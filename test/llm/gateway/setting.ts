import { randomUUID } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { z } from 'zod'
import { llmReservationsTable } from '../../../commands/llm/table.js'
import { type Driver, sqlite } from '../../http/drivers.js'
import { assertNoCrash } from '../../http/hub-suite.js'
import { startHub, type TestHub } from '../../http/support.js'
import { type Suite, suite } from '../../support/suite.js'
import { startUpstream, type Upstream } from '../fakes/upstream.js'
import { KEYS } from '../support.js'

export const GPT = 'gpt-6.1-sol'
export const CLAUDE = 'claude-sonnet-5-5'
export const HELLO = [{ role: 'user' as const, content: 'Hello' }]

/** A hub between programs and two providers that answer what they are told to. */
export interface Setting {
  readonly hub: TestHub
  readonly openai: Upstream
  readonly claude: Upstream
  /** Makes an account that may use all models; returns its token. */
  person(over?: object): Promise<string>
  /** The libraries of OpenAI and Anthropic, as they are, with the hub as their address. */
  libraries(token: string): { readonly openai: OpenAI; readonly anthropic: Anthropic }
  /** Sends a call with this token. */
  post(token: string, path: string, body: object): ReturnType<TestHub['send']>
  /** What was recorded of calls, oldest first, and of the last of them. */
  recorded(): Promise<readonly Step[]>
  newest(): Promise<Step | undefined>
  /** How many tokens of models the account of this token has used. */
  usage(token: string): Promise<number>
  /** How many are reserved for calls of it that are under way. */
  held(token: string): Promise<number>
  close(): Promise<void>
}

const step = z.looseObject({
  userId: z.string(),
  model: z.string(),
  provider: z.string(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  outcome: z.string(),
  estimated: z.boolean(),
  attempts: z.number().optional()
})

export type Step = z.infer<typeof step>

/** A suite with a hub between programs and two providers. It fails, too, when a request of its tests ended in a 500. */
export function modelSuite(name: string, begin: (setting: Setting) => unknown, more: object = {}): Suite {
  const test = suite(name)
  let setting: Setting | undefined
  test.before(async () => {
    setting = await aHubWithModels(sqlite, more)
    await begin(setting)
  })
  test.after(async () => {
    await setting?.close()
    if (setting) assertNoCrash(setting.hub)
  })
  return test
}

export async function aHubWithModels(driver: Driver = sqlite, more: object = {}): Promise<Setting> {
  const [openai, claude] = await Promise.all([startUpstream(), startUpstream()])
  const settings = { maxRetries: 0, timeoutSeconds: 60 }
  const providers = {
    openai: { apiKey: KEYS.openai, baseUrl: openai.url, ...settings, ...more },
    claude: { apiKey: KEYS.claude, baseUrl: claude.url, ...settings, ...more }
  }
  const hub = await startHub(driver, { config: { llm: { providers } } })
  const recorded = () => recordedBy(hub)
  return {
    hub,
    openai,
    claude,
    person: (over = {}) => personOf(hub, over),
    libraries: (token) => ({
      openai: new OpenAI({ apiKey: token, baseURL: `${hub.url}/v1`, maxRetries: 0 }),
      anthropic: new Anthropic({ apiKey: token, baseURL: hub.url, maxRetries: 0 })
    }),
    post: (token, path, body) => hub.send({ method: 'POST', path, token, body }),
    recorded,
    newest: async () => (await recorded()).at(-1),
    async usage(token) {
      const reply = await hub.send({ method: 'GET', path: '/llm/usage', token })
      return z.object({ totalTokens: z.number() }).parse(reply.body).totalTokens
    },
    async held(token) {
      const reply = await hub.send({ method: 'GET', path: '/auth/session', token })
      const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(reply.body)
      const rows = await hub.hub.ledger.readModel.list(llmReservationsTable, 'byUser', [user.id])
      return rows.reduce((sum, { tokens }) => sum + tokens, 0)
    },
    close: () => hub.close()
  }
}

/** A hub between programs and two endpoints of its configuration, one of each interface. */
interface Endpoints {
  readonly hub: TestHub
  readonly local: Upstream
  readonly other: Upstream
}

/** A suite with such a hub, by the endpoints and the catalog for their addresses. */
export function endpointSuite(
  name: string,
  configured: (local: string, other: string) => object,
  begin: (made: Endpoints) => unknown
): Suite {
  const test = suite(name)
  let made: Endpoints | undefined
  test.before(async () => {
    const [local, other] = await Promise.all([startUpstream(), startUpstream()])
    const llm = { providers: {}, ...configured(local.url, other.url) }
    made = { hub: await startHub(sqlite, { config: { llm } }), local, other }
    await begin(made)
  })
  test.after(async () => {
    await made?.hub.close()
    if (made) assertNoCrash(made.hub)
  })
  return test
}

/** Makes an account that may use all models; returns its token. */
export async function personOf(hub: TestHub, over: object = {}): Promise<string> {
  const account = { name: `Person ${randomUUID()}`, role: 'user', llmAccess: true, llmModels: ['*'] }
  const sent = { method: 'POST', path: '/admin/users', token: hub.admin.token, body: { ...account, ...over } }
  return z.object({ secret: z.string() }).parse((await hub.send(sent)).body).secret
}

/** What a hub has recorded of calls, oldest first. */
export async function recordedBy({ hub }: TestHub): Promise<readonly Step[]> {
  const events = await hub.ledger.storage.readLog(0, 10_000)
  return events.flatMap(({ type, payload }) =>
    type === 'LlmStepRecorded' && payload.text ? [step.parse(JSON.parse(payload.text))] : []
  )
}

import { randomUUID } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { z } from 'zod'
import { llmReservationsTable } from '../../../projections/llm.js'
import { type Driver, sqlite } from '../../http/drivers.js'
import { startHub, type TestHub } from '../../http/support.js'
import { startUpstream, type Upstream } from '../fakes/upstream.js'
import { KEYS } from '../support.js'

export const GPT = 'gpt-6.1-sol'
export const CLAUDE = 'claude-sonnet-5-5'

/** A hub between programs and two providers that answer what they are told to. */
export interface Setting {
  readonly hub: TestHub
  readonly openai: Upstream
  readonly claude: Upstream
  /** Makes an account that may use all models; returns its token. */
  person(over?: object): Promise<string>
  /** The libraries of OpenAI and Anthropic, as they are, with the hub as their address. */
  libraries(token: string): { readonly openai: OpenAI; readonly anthropic: Anthropic }
  /** What was recorded of calls, oldest first. */
  recorded(): Promise<readonly z.infer<typeof step>[]>
  /** How many tokens of models the account of this token has used. */
  usage(token: string): Promise<number>
  /** How many are reserved for calls of it that are under way. */
  held(token: string): Promise<number>
  close(): Promise<void>
}

const step = z.looseObject({
  userId: z.string(),
  model: z.string(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  outcome: z.string(),
  estimated: z.boolean()
})

export async function aHubWithModels(driver: Driver = sqlite, more: object = {}): Promise<Setting> {
  const [openai, claude] = await Promise.all([startUpstream(), startUpstream()])
  const settings = { maxRetries: 0, timeoutSeconds: 5 }
  const providers = {
    openai: { apiKey: KEYS.openai, baseUrl: openai.url, ...settings, ...more },
    claude: { apiKey: KEYS.claude, baseUrl: claude.url, ...settings, ...more }
  }
  const hub = await startHub(driver, { config: { llm: { providers } } })
  return {
    hub,
    openai,
    claude,
    async person(over = {}) {
      const account = { name: `Person ${randomUUID()}`, role: 'user', llmAccess: true, llmModels: ['*'] }
      const sent = { method: 'POST', path: '/admin/users', token: hub.admin.token, body: { ...account, ...over } }
      return z.object({ secret: z.string() }).parse((await hub.send(sent)).body).secret
    },
    libraries: (token) => ({
      openai: new OpenAI({ apiKey: token, baseURL: `${hub.url}/v1`, maxRetries: 0 }),
      anthropic: new Anthropic({ apiKey: token, baseURL: hub.url, maxRetries: 0 })
    }),
    async recorded() {
      const events = await hub.hub.ledger.storage.readLog(0, 10_000)
      return events.flatMap(({ type, payload }) =>
        type === 'LlmStepRecorded' && payload.text ? [step.parse(JSON.parse(payload.text))] : []
      )
    },
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
    async close() {
      await hub.close()
      await Promise.all([openai.close(), claude.close()])
    }
  }
}

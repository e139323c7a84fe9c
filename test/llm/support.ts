import type { LlmProviderConfig } from '../../src/config/types.js'
import type { ChatRequest } from '../../src/llm/messages.js'
import type { Completion, Provider } from '../../src/llm/provider.js'
import { providerWith } from '../../src/llm/providers.js'
import { builtIn } from '../../src/llm/targets.js'
import type { Suite } from '../support/suite.js'
import type { FakeAnswer } from './fakes/answer.js'
import * as anthropic from './fakes/anthropic.js'
import * as gemini from './fakes/gemini.js'
import * as openai from './fakes/openai.js'
import { eventStream, type Respond, type Sending, type Upstream } from './fakes/upstream.js'

/** Keys that must not be seen anywhere but in the header of a request. */
export const KEYS = {
  openai: 'sk-canary-openai-7f3a9b',
  gemini: 'AIzacanary-gemini-55c1de',
  claude: 'sk-ant-canary-claude-90ab12'
}

/** A provider over HTTP, with the fake behind it. */
export interface Fixture {
  readonly name: keyof typeof KEYS
  readonly upstream: Upstream
  readonly provider: Provider
  with(options: Partial<LlmProviderConfig>): Provider
  whole(answer: FakeAnswer): Respond
  pieces(answer: FakeAnswer): readonly string[]
  error(status: number, message: string): Respond
}

/** The providers, for as long as the tests of this suite run. */
export function fixturesOf(test: Suite): readonly Fixture[] {
  const fixtures: Fixture[] = []
  test.before(async () => {
    fixtures.push(...(await startFixtures()))
  })
  return fixtures
}

export async function startFixtures(): Promise<readonly Fixture[]> {
  const [openAiUpstream, geminiUpstream, anthropicUpstream] = await Promise.all([
    openai.startOpenAi(KEYS.openai),
    gemini.startGemini(KEYS.gemini),
    anthropic.startAnthropic(KEYS.claude)
  ])
  return [
    fixture('openai', openAiUpstream, {
      whole: openai.completion,
      pieces: openai.chunks,
      error: openai.error
    }),
    fixture('gemini', geminiUpstream, {
      whole: openai.completion,
      pieces: gemini.chunks,
      error: gemini.error
    }),
    fixture('claude', anthropicUpstream, {
      whole: anthropic.message,
      pieces: anthropic.events,
      error: (status, message) => anthropic.error(status, 'some_error', message)
    })
  ]
}

function fixture(
  name: keyof typeof KEYS,
  upstream: Upstream,
  answers: Pick<Fixture, 'whole' | 'pieces' | 'error'>
): Fixture {
  const config = { apiKey: KEYS[name], baseUrl: upstream.url, timeoutSeconds: 60, maxRetries: 0 }
  const make = (options: Partial<LlmProviderConfig> = {}) => modelOf(name, { ...config, ...options })
  return { name, upstream, provider: make(), with: make, ...answers }
}

/** A model of a provider that the configuration has a place for. */
export function modelOf(name: keyof typeof KEYS, config: LlmProviderConfig): Provider {
  return providerWith({ id: 'a-model', model: 'a-model', ...builtIn(name, config) }, config.apiKey)
}

/** Answers with a stream, in the language of the provider. */
export function streamed(fixture: Fixture, answer: FakeAnswer, sending?: Sending): Respond {
  return eventStream(fixture.pieces(answer), sending)
}

/** A request with one message of the user. */
export function ask(over: Partial<ChatRequest> = {}): ChatRequest {
  return { model: 'a-model', messages: [{ role: 'user', content: 'Hi' }], tools: [], systemPrompt: '', ...over }
}

export const never = new AbortController().signal

/** Everything that a streamed answer says. */
export async function gather(provider: Provider, request: ChatRequest, signal: AbortSignal) {
  const told = { text: '', thought: '' }
  const completion: Completion = await provider.complete(request, signal, async ({ type, chunk }) => {
    told[type] += chunk
  })
  return { ...told, completion }
}

export { rejection } from '../log/faults.js'

export const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  }
}

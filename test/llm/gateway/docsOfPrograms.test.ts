import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { z } from 'zod'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, type Respond } from '../fakes/upstream.js'
import { CLAUDE, GPT, HELLO, modelSuite, type Setting } from './setting.js'

// Each program is pointed at the hub as the page says, and asks as that program does: its path, its headers, its fields.
let setting: Setting
let token: string
const test = modelSuite('the programs that the page on models points at the hub', async (made) => {
  setting = made
  token = await setting.person()
})

interface Pointed {
  /** What the program puts its paths behind. */
  readonly base: string
  readonly key: string
  readonly models: readonly string[]
}
interface Program {
  /** Reads what the program reads of its block on the page. */
  readonly settings: (block: string) => Promise<Pointed> | Pointed
  readonly path: string
  readonly headers: (key: string) => Readonly<Record<string, string>>
  readonly body: object
}

/** The block of the page behind the heading of a program, for this hub and this token. */
function blockOf(program: string): string {
  const [, section = ''] = readFileSync('docs/models.md', 'utf8').split(`\n### ${program}\n`)
  const [, block = ''] = /```\w+\n([\s\S]*?)```/.exec(section.split(/\n##/)[0] ?? '') ?? []
  assert.not.equal(block, '', program)
  return block.replaceAll('https://hub.example.com', setting.hub.url).replaceAll('hbk_...', token)
}

const run = promisify(execFile)
/** The variables that a block sets, and what a program of it was called with. */
async function shell(block: string, program = 'none'): Promise<(name: string) => string> {
  const env = { ...process.env, HUB_URL: setting.hub.url, HUB_TOKEN: token }
  const script = `${program}() { export ARGUMENTS="$*"; }\n${block}\nenv`
  const { stdout } = await run('bash', ['-euc', script], { env })
  return (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1] ?? ''
}

/** What stands in a block behind a name: of a settings page, of TOML, of Python or of TypeScript. */
const behind = (block: string, name: string) =>
  new RegExp(`^.*?\\b${name}(?:: | ?= ?)['"]?(.*?)['"]?\\s*(?:[,)}]|$)`, 'm').exec(block)?.[1] ?? ''

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const STREAMED = { stream: true, stream_options: { include_usage: true } }
const PARAMETERS = { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false }
const TOOL = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: PARAMETERS } }
const CACHED = { cache_control: { type: 'ephemeral' } }
const chat = { path: '/chat/completions', headers: bearer }

const continued = z.object({
  models: z.array(
    z.object({ provider: z.literal('openai'), model: z.string(), apiBase: z.string(), apiKey: z.string() })
  )
})
const zed = z.object({
  language_models: z.object({
    openai_compatible: z.object({
      hub: z.object({ api_url: z.string(), available_models: z.array(z.object({ name: z.string() })) })
    })
  })
})

const PROGRAMS: Readonly<Record<string, Program>> = {
  'Claude Code': {
    async settings(block) {
      const said = await shell(block)
      const models = [said('ANTHROPIC_MODEL'), said('ANTHROPIC_DEFAULT_HAIKU_MODEL'), GPT]
      return { base: said('ANTHROPIC_BASE_URL'), key: said('ANTHROPIC_AUTH_TOKEN'), models }
    },
    path: '/v1/messages?beta=true',
    headers: (key) => ({
      ...bearer(key),
      ...{ 'anthropic-version': '2023-06-01', 'anthropic-beta': 'claude-code-20250219,context-management-2025-06-27' },
      ...{ 'x-app': 'cli', 'x-stainless-retry-count': '0', 'user-agent': 'claude-cli/2.1.0 (external, cli)' }
    }),
    body: {
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Help.', ...CACHED }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...CACHED }] }],
      tools: [{ name: 'Read', description: 'Reads.', input_schema: PARAMETERS }],
      metadata: { user_id: 'user_1' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'medium' }
    }
  },
  'Codex CLI': {
    settings(block) {
      const provider = behind(block, 'model_provider')
      assert.ok(block.includes(`[model_providers.${provider}]`))
      assert.equal([behind(block, 'wire_api'), behind(block, 'env_key')], ['responses', 'HUB_TOKEN'])
      return { base: behind(block, 'base_url'), key: token, models: [behind(block, 'model')] }
    },
    path: '/responses',
    headers: (key) => ({ ...bearer(key), accept: 'text/event-stream', originator: 'codex_cli_rs', session_id: 'one' }),
    body: {
      instructions: 'Help.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      tools: [{ type: 'function', name: 'shell', description: 'Runs.', strict: false, parameters: PARAMETERS }],
      ...{ tool_choice: 'auto', parallel_tool_calls: false, reasoning: { effort: 'medium', summary: 'auto' } },
      ...{ store: false, stream: true, include: ['reasoning.encrypted_content'], prompt_cache_key: 'one' }
    }
  },
  Cursor: {
    ...chat,
    settings: (block) => ({
      base: behind(block, 'Override OpenAI Base URL'),
      key: behind(block, 'OpenAI API Key'),
      models: [behind(block, 'Custom model')]
    }),
    body: { messages: HELLO, ...STREAMED, temperature: 0, tools: [TOOL], tool_choice: 'auto', user: 'one' }
  },
  Continue: {
    ...chat,
    headers: (key) => ({ ...bearer(key), 'api-key': key }),
    settings(block) {
      const { models } = continued.parse(parse(block))
      const [{ apiBase = '', apiKey = '' } = {}] = models
      return { base: apiBase, key: apiKey, models: models.map(({ model }) => model) }
    },
    body: { messages: HELLO, stream: true, max_tokens: 4096, tools: [TOOL], parallel_tool_calls: false }
  },
  Cline: {
    ...chat,
    settings(block) {
      assert.is(behind(block, 'API Provider'), 'OpenAI Compatible')
      const key = behind(block, 'OpenAI Compatible API Key')
      return { base: behind(block, 'Base URL'), key, models: [behind(block, 'Model ID')] }
    },
    body: { messages: [{ role: 'system', content: 'Help.' }, ...HELLO], temperature: 0, ...STREAMED }
  },
  Zed: {
    ...chat,
    settings(block) {
      const { api_url, available_models } = zed.parse(JSON.parse(block)).language_models.openai_compatible.hub
      return { base: api_url, key: token, models: available_models.map(({ name }) => name) }
    },
    body: {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      ...{ ...STREAMED, stop: [], max_completion_tokens: 4096, tools: [TOOL], parallel_tool_calls: false }
    }
  },
  aider: {
    ...chat,
    async settings(block) {
      const said = await shell(block, 'aider')
      const [, model = ''] = /^--model openai\/(\S+)$/.exec(said('ARGUMENTS')) ?? []
      return { base: said('OPENAI_API_BASE'), key: said('OPENAI_API_KEY'), models: [model] }
    },
    body: { messages: HELLO, stream: true, temperature: 0 }
  },
  LangChain: {
    ...chat,
    settings: (block) => ({
      base: behind(block, 'base_url'),
      key: behind(block, 'api_key'),
      models: [behind(block, 'ChatOpenAI\\(model')]
    }),
    body: { messages: HELLO, stream: false, n: 1, temperature: 0.7 }
  },
  'Vercel AI SDK': {
    ...chat,
    headers: (key) => ({ ...bearer(key), 'user-agent': 'ai/5.0.0 ai-sdk/openai-compatible/1.0.0' }),
    settings: (block) => ({
      base: behind(block, 'baseURL'),
      key: behind(block, 'apiKey'),
      models: [/hub\('([^']+)'\)/.exec(block)?.[1] ?? '']
    }),
    body: { messages: HELLO, stream: true, tools: [TOOL], tool_choice: 'auto' }
  }
}

const usage = { input_tokens: 21, output_tokens: 4, total_tokens: 25 }
const response = { id: 'resp_1', object: 'response', status: 'completed', output: [], usage }
const said = { type: 'response.output_text.delta', delta: 'Good day' }
const events = [said, { type: 'response.completed', response }]
const responded = eventStream(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`))
const streamedOr =
  (whole: Respond, streamed: Respond): Respond =>
  (reply, request) =>
    (request.body.stream === true ? streamed : whole)(reply, request)

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(`${name} asks with what the page says`, async () => {
    const answer = { text: 'Good day' }
    const ofOpenAi = streamedOr(openai.completion(answer), eventStream(openai.chunks({ text: 'Good day' })))
    setting.openai.answer((reply, request) =>
      (request.path.endsWith('/responses') ? responded : ofOpenAi)(reply, request)
    )
    setting.claude.answer(streamedOr(anthropic.message(answer), eventStream(anthropic.events(answer))))
    const { base, key, models } = await program.settings(blockOf(name))
    assert.not.match(base, /\/$/)
    for (const model of models) {
      const reply = await fetch(`${base}${program.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...program.headers(key) },
        body: JSON.stringify({ ...program.body, model })
      })
      const text = await reply.text()
      assert.is(reply.status, 200, `${model}: ${text}`)
      const pieces = Array.from(text.matchAll(/"(?:content|text|delta)":"([^"]*)"/g), ([, piece]) => piece)
      assert.is(pieces.join(''), 'Good day', text)
    }
  })
}

test('the page has no program that is not asked here', () => {
  const [, pointing = ''] = readFileSync('docs/models.md', 'utf8').split('\n## Pointing programs at it\n')
  const headings = (pointing.split(/\n## /)[0] ?? '').matchAll(/^### (.*)$/gm)
  assert.equal(
    Array.from(headings, ([, name]) => name),
    Object.keys(PROGRAMS)
  )
})

function answerGoodDay(): void {
  setting.openai.answer(openai.completion({ text: 'Good day' }))
  setting.claude.answer(anthropic.message({ text: 'Good day' }))
}

/** The blocks of the page that stand before its programs. */
const blocks = () =>
  Array.from(readFileSync('docs/models.md', 'utf8').matchAll(/```text\n([\s\S]*?)```/g), ([, block = '']) => block)

test('its commands run as they stand', async () => {
  answerGoodDay()
  const [, commands = ''] = blocks()
  const env = { ...process.env, HUB_URL: setting.hub.url, HUB_TOKEN: token }
  const { stdout } = await run('bash', ['-euc', commands], { env })
  for (const id of [GPT, CLAUDE]) assert.ok(stdout.includes(id))
  assert.is(stdout.split('Good day').length, 3)
})

test('what it has programs read points the libraries at the hub', async () => {
  const [, , exports = ''] = blocks()
  answerGoodDay()
  const value = await shell(exports)
  const one = new OpenAI({ apiKey: value('OPENAI_API_KEY'), baseURL: value('OPENAI_BASE_URL') })
  assert.is(
    (await one.chat.completions.create({ model: GPT, messages: HELLO })).choices[0]?.message.content,
    'Good day'
  )
  const other = new Anthropic({ apiKey: value('ANTHROPIC_API_KEY'), baseURL: value('ANTHROPIC_BASE_URL') })
  assert.is((await other.messages.create({ model: CLAUDE, max_tokens: 9, messages: HELLO })).type, 'message')
  const bearer = new Anthropic({ apiKey: null, authToken: token, baseURL: setting.hub.url })
  assert.is((await bearer.messages.create({ model: CLAUDE, max_tokens: 9, messages: HELLO })).type, 'message')
})

test.run()

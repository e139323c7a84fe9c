import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { aHubWithModels, CLAUDE, GPT, type Setting } from './setting.js'

const test = suite('what the page on models says')
let setting: Setting
let token: string
test.before(async () => {
  setting = await aHubWithModels()
  token = await setting.person()
  setting.openai.answer(openai.completion({ text: 'Good day' }))
  setting.claude.answer(anthropic.message({ text: 'Good day' }))
})
test.after(() => setting.close())

const run = promisify(execFile)
const blocks = () =>
  Array.from(readFileSync('docs/models.md', 'utf8').matchAll(/```text\n([\s\S]*?)```/g), ([, block = '']) => block)
const HELLO = [{ role: 'user' as const, content: 'Hello' }]

test('its commands run as they stand', async () => {
  const [, commands = ''] = blocks()
  const env = { ...process.env, HUB_URL: setting.hub.url, HUB_TOKEN: token }
  const { stdout } = await run('bash', ['-euc', commands], { env })
  for (const id of [GPT, CLAUDE]) assert.ok(stdout.includes(id))
  assert.is(stdout.split('Good day').length, 3)
})

test('what it has programs read points the libraries at the hub', async () => {
  const [, , exports = ''] = blocks()
  const env = { ...process.env, HUB_URL: setting.hub.url, HUB_TOKEN: token }
  const { stdout } = await run('bash', ['-euc', `${exports}\nenv`], { env })
  const said = new Map(
    stdout.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  )
  const value = (name: string) => said.get(name) ?? ''
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

import * as assert from 'uvu/assert'
import { type TokenCounts, tokenCounts, usageIn, withLater } from '../../../src/llm/counts.js'
import { cannotBeCounted, mostInput, reachesOthers } from '../../../src/llm/gateway/bound.js'
import { boundAs, chatCompletions, messages, responses } from '../../../src/llm/gateway/endpoint.js'
import { suite } from '../../support/suite.js'

const test = suite('the most that a call can use, and what it has used')

const LONG = 'a'.repeat(100_000)
const IMAGE = `data:image/png;base64,${LONG}`
const says = (...content: readonly object[]) => ({ messages: [{ role: 'user', content }] })
const bytes = (body: object) => JSON.stringify(body).length

test('an image counts as one, written out or named by where it is, in either interface', () => {
  for (const part of [
    { type: 'image_url', image_url: { url: IMAGE } },
    { type: 'input_image', image_url: IMAGE },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: LONG } },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
  ]) {
    const most = mostInput(says(part, part), true)
    assert.ok(most >= 10_000 && most < 10_500, `${JSON.stringify(part).slice(0, 80)}: ${most}`)
  }
  const result = {
    type: 'tool_result',
    tool_use_id: 't',
    content: [{ type: 'image', source: { type: 'base64', data: LONG } }]
  }
  assert.ok(mostInput(says(result), true) < 6000)
})

test('an image counts as the most that any model counts for one, but where Claude alone may answer', () => {
  const [base, tile, mostTiles] = [2833, 5667, 8]
  const image = says({ type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } })
  assert.ok(mostInput(image) > base + mostTiles * tile)
  assert.ok(mostInput(image, true) < 6000)
})

test('with tools a call counts what their provider tells a model of them besides, which nobody has sent', () => {
  const [system, bash, editor] = [530, 245, 700]
  const asked = says({ type: 'text', text: 'Hi' })
  const most = (...tools: readonly object[]) => mostInput({ ...asked, tools }) - bytes({ ...asked, tools })
  assert.is(most(), 0)
  assert.ok(most({ name: 'f', input_schema: {} }) >= system)
  assert.ok(most({ type: 'function', function: { name: 'f' } }) >= system)
  const own = [
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }
  ]
  assert.ok(most(...own) >= system + bash + editor)
})

test('text that looks like an image counts as text', () => {
  const looksSo = `data:image/png;base64,${'no, words! '.repeat(10_000)}`
  for (const body of [
    says({ type: 'text', text: IMAGE }),
    says({ type: 'image_url', image_url: { url: looksSo } }),
    says({ type: 'image', source: { type: 'base64', data: looksSo } }),
    says({ type: 'document', source: { media_type: 'image/png', data: LONG } }),
    { messages: [], tools: [{ name: 't', input_schema: { type: 'image', source: { type: 'base64', data: LONG } } }] },
    says({ type: 'tool_use', id: 'x', name: 't', input: { type: 'image_url', image_url: { url: IMAGE } } })
  ])
    assert.ok(mostInput(body) >= bytes(body), JSON.stringify(body).slice(0, 80))
})

test('a document of which a model reads more than is sent is not for whoever is counted; its own text is', () => {
  for (const part of [
    { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
    { type: 'input_file', file_url: 'https://example.com/a.pdf' },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
    { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }
  ])
    assert.match(
      String(cannotBeCounted(says(part))),
      new RegExp(`^Documents \\(${part.type}\\) are not for calls that`)
    )
  assert.is(cannotBeCounted(says({ type: 'document', source: { type: 'text', data: 'Hello' } })), null)
  assert.is(cannotBeCounted(says({ type: 'tool_use', id: 'x', name: 't', input: { type: 'file' } })), null)
})

test('tools that the provider runs, whatever they are called, are not for whoever is counted', () => {
  for (const type of ['web_search_20260209', 'shell', 'code_interpreter', 'a_tool_of_tomorrow', 7])
    assert.match(String(cannotBeCounted({ tools: [{ type }] })), /^Tools that the provider runs itself/)
  for (const tool of [
    { type: 'function' },
    { name: 'mine' },
    { type: 'bash_20250124' },
    { type: 'computer_use_preview' }
  ])
    assert.is(cannotBeCounted({ tools: [tool] }), null)
  for (const body of [{ service_tier: 'priority' }, { speed: 'fast' }])
    assert.match(String(cannotBeCounted(body)), /^Calls that go first/)
  assert.is(cannotBeCounted({ speed: 'standard' }), null)
})

test('more answers than a call is let write tokens are not for whoever is counted', () => {
  assert.match(String(cannotBeCounted({ n: 100_000 })), /^More than 256 answers \(n\)/)
  for (const body of [{ n: 256 }, { n: 100_000, max_tokens: 1 }, { n: 1000, max_completion_tokens: 1 }])
    assert.is(cannotBeCounted(body), null)
})

test('summaries that the provider makes of a conversation are not for whoever is counted; what is only left out is', () => {
  for (const body of [
    { compaction: { type: 'summarize' } },
    { context_management: { edits: [{ type: 'clear_thinking_20251015' }, { type: 'compact_20260112' }] } },
    { context_management: [{ type: 'compaction', compact_threshold: 1000 }] }
  ])
    assert.match(String(cannotBeCounted(body)), /^Summaries of the conversation/)
  const edits = [{ type: 'clear_tool_uses_20250919' }, { type: 'clear_thinking_20251015' }]
  assert.is(cannotBeCounted({ context_management: { edits }, compaction: null }), null)
})

test('nothing that the provider keeps of others is reached, and no other model', () => {
  for (const body of [
    { input: [{ type: 'item_reference', id: 'msg_1' }] },
    { input: [{ id: 'msg_1' }] },
    { input: [{ id: 'msg_1', type: null }] },
    { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
    { prompt: { id: 'pmpt_1' } },
    { background: true },
    { container: 'c' },
    { conversation: 'conv_1' },
    { previous_response_id: 'resp_1' },
    { thread: { type: 'create' } },
    { thread: { type: 'continue', previous_message_id: 'msg_1' } },
    { tools: [{ type: 'mcp', tunnel_id: 'tunnel_1' }] },
    { tools: [{ type: 'shell', environment: { skills: [{ type: 'skill_reference', skill_id: 'skill_1' }] } }] },
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    says({ type: 'input_file', file_id: 'file_1' })
  ])
    assert.match(String(reachesOthers(body)), /is not supported: what the provider keeps is the hub's/)
  for (const name of ['models', 'fallbacks', 'route', 'api_base', 'base_url'])
    assert.is(reachesOthers({ [name]: ['x'] }), `${name} is not supported: a call is for the one model that it names.`)
  for (const body of [
    { tools: [{ type: 'image_generation', background: 'transparent' }] },
    says({ type: 'tool_use', input: { models: ['x'], prompt: 'y', type: 'item_reference' } }),
    { metadata: { models: 'x' } },
    { input: [{ id: 'msg_1', role: 'assistant', content: 'Yes' }], audio: { voice: 'alloy' } }
  ])
    assert.is(reachesOthers(body), null)
})

test('of several bounds the largest counts, and what is no number is refused', () => {
  assert.is(chatCompletions.outputBound({ max_completion_tokens: 1, max_tokens: 1000 }), 1000)
  assert.is(chatCompletions.outputBound({ max_tokens: 10, n: 3 }), 30)
  assert.is(chatCompletions.outputBound({}), null)
  const refusals = [
    () => chatCompletions.outputBound({ max_tokens: 10, n: '100' }),
    () => chatCompletions.outputBound({ max_tokens: '100000' }),
    () => messages.outputBound({ max_tokens: 0 }),
    () => responses.outputBound({ max_output_tokens: 1.5 })
  ]
  for (const refused of refusals) assert.throws(refused, /must be a whole number above 0\./)
})

test('a provider that knows the bound by its older name is told it by that', () => {
  const told = { model: 'm', max_completion_tokens: 100 }
  assert.equal(boundAs('max_tokens', told), { model: 'm', max_tokens: 100 })
  assert.equal(boundAs('max_tokens', { max_tokens: 7 }), { max_tokens: 7 })
  assert.is(boundAs('max_completion_tokens', told), told)
  assert.is(boundAs(undefined, told), told)
})

function counted(counts: TokenCounts) {
  const { promptTokens, completionTokens, totalTokens } = usageIn(counts)
  return [promptTokens, completionTokens, totalTokens]
}

test('tokens that only the total holds are output', () => {
  assert.equal(counted({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 5015 }), [10, 5005, 5015])
  assert.equal(counted({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 3 }), [10, 5, 15])
  assert.equal(counted({ prompt_tokens: 8, total_tokens: 8 }), [8, 0, 8])
})

test('what was cached is added to Anthropic’s count, and is in OpenAI’s already', () => {
  const cached = { cache_read_input_tokens: 900, cache_creation_input_tokens: 50 }
  assert.equal(counted({ input_tokens: 50, output_tokens: 10, ...cached }), [1000, 10, 1010])
  assert.equal(counted({ prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010, ...cached }), [1000, 10, 1010])
})

test('what a summary of the conversation took is added, which Anthropic tells beside its count', () => {
  const made = { type: 'compaction', input_tokens: 180_000, output_tokens: 3500, cache_read_input_tokens: 500 }
  const asked = { type: 'message', input_tokens: 23_000, output_tokens: 1000 }
  const usage = tokenCounts.parse({ input_tokens: 23_000, output_tokens: 1000, iterations: [made, asked, 7] })
  assert.equal(counted(usage), [203_500, 4500, 208_000])
  assert.equal(counted(withLater(usage, tokenCounts.parse({ output_tokens: 1100 }))), [203_500, 4600, 208_100])
  assert.equal(counted(tokenCounts.parse({ input_tokens: 5, output_tokens: 1, iterations: 'none' })), [5, 1, 6])
})

test.run()

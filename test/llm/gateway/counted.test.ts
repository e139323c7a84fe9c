import * as assert from 'uvu/assert'
import { Counting } from '../../../src/llm/gateway/counting.js'
import { suite } from '../../support/suite.js'

const test = suite('what a call has used, as its provider has counted')

function counted(usage: object) {
  const counting = new Counting()
  counting.take({ usage })
  const { promptTokens, completionTokens, totalTokens } = counting.whole({
    sent_chars: 0,
    unanswered_chars: 0,
    most: () => ({ input: 0, output: null }),
    isStreamed: false
  })
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

test.run()

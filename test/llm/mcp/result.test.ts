import * as assert from 'uvu/assert'
import { type CallResult, textOfResult } from '../../../src/llm/mcp/messages.js'
import { suite } from '../../support/suite.js'

const test = suite('results of tools of tool servers')

const one = { type: 'text', text: 'one' }
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
const resource = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'secret' } }
const cut = (text: string) => `${text}\n[The rest was cut off after 100 bytes.]`

for (const [what, result, text] of [
  ['text parts are joined by line ends', { content: [one, { type: 'text', text: 'two' }] }, 'one\ntwo'],
  [
    'a resource is named by its URI and other parts are JSON',
    { content: [resource, image] },
    `file:///a.txt\n${JSON.stringify(image)}`
  ],
  ['a result that is structured only is JSON', { structuredContent: { answer: 42 } }, '{"answer":42}'],
  ['nothing is an empty text', {}, ''],
  [
    'a long text is cut between characters and says so',
    { content: [{ type: 'text', text: `${'a'.repeat(99)}é and more` }] },
    cut('a'.repeat(99))
  ],
  ['a text of exactly the limit is whole', { content: [{ type: 'text', text: 'é'.repeat(50) }] }, 'é'.repeat(50)]
] as const satisfies readonly (readonly [string, CallResult, string])[]) {
  test(what, () => assert.equal(textOfResult(result, 100), { text, ok: true }))
}

test('of thousands of parts the first count', () => {
  const content = Array.from({ length: 5000 }, () => ({ type: 'text', text: 'x' }))
  const { text } = textOfResult({ content }, 1_000_000)
  assert.is(text, `${'x\n'.repeat(1000)}[4000 more parts were left out.]`)
})

test('an error is told as one, in words', () => {
  const content = [{ type: 'text', text: 'no "such" thing' }]
  for (const [parts, text] of [
    [content, '{"error":"no \\"such\\" thing"}'],
    [[], '{"error":"The tool failed without saying why."}']
  ] as const) {
    assert.equal(textOfResult({ content: [...parts], isError: true }, 100), { text, ok: false })
  }
})

test.run()

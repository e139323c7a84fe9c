import * as assert from 'uvu/assert'
import { type CallResult, textOfResult } from '../../../src/llm/mcp/messages.js'
import { suite } from '../../support/suite.js'

const test = suite('results of tools of tool servers')

const textOf = (result: CallResult) => textOfResult(result, 100)

test('text parts are joined by line ends', () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' }
  ]
  assert.equal(textOf({ content }), { text: 'one\ntwo', ok: true })
})

test('of thousands of parts the first count', () => {
  const content = Array.from({ length: 5000 }, () => ({ type: 'text', text: 'x' }))
  const { text } = textOfResult({ content }, 1_000_000)
  assert.is(text, `${'x\n'.repeat(1000)}[4000 more parts were left out.]`)
})

test('a resource is named by its URI and other parts are JSON', () => {
  const content = [
    { type: 'resource', resource: { uri: 'file:///a.txt', text: 'secret' } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' }
  ]
  assert.is(textOf({ content }).text, 'file:///a.txt\n{"type":"image","data":"AAAA","mimeType":"image/png"}')
})

test('an error is told as one', () => {
  const content = [{ type: 'text', text: 'no "such" thing' }]
  assert.equal(textOf({ content, isError: true }), { text: '{"error":"no \\"such\\" thing"}', ok: false })
})

test('an error without words is told in words', () => {
  assert.equal(textOf({ content: [], isError: true }), {
    text: '{"error":"The tool failed without saying why."}',
    ok: false
  })
})

test('a result that is structured only is JSON', () => {
  assert.is(textOf({ structuredContent: { answer: 42 } }).text, '{"answer":42}')
})

test('nothing is an empty text', () => {
  assert.equal(textOf({}), { text: '', ok: true })
})

test('a long text is cut between characters and says so', () => {
  const { text } = textOf({ content: [{ type: 'text', text: `${'a'.repeat(99)}é and more` }] })
  assert.is(text, `${'a'.repeat(99)}\n[The rest was cut off after 100 bytes.]`)
})

test('a text of exactly the limit is whole', () => {
  const text = 'é'.repeat(50)
  assert.is(textOf({ content: [{ type: 'text', text }] }).text, text)
})

test.run()
